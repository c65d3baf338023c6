import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { serveClientFiles } from '#hosts/node/kit-pages.server.ts';
import { head, openWire } from '../raw-connection.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { serve } from './serve.ts';

/** A build with three scripts: in both codings, plain, and in Brotli only. The handler of all other requests responds with 204. */
async function serveBuild() {
	const client = await temporaryFolder();
	const chunks = join(client, '_app/immutable/chunks');
	mkdirSync(chunks, { recursive: true });
	for (const [name, text] of Object.entries({
		'_app/immutable/chunks/a.js': 'plain',
		'_app/immutable/chunks/a.js.br': 'br',
		'_app/immutable/chunks/b.js': 'b',
		'_app/immutable/chunks/c.js.br': brotliCompressSync('c'),
		'_app/immutable/chunks/note.txt': 'text',
		'icon.svg': '<svg />',
		'icon.png': 'png'
	}))
		writeFileSync(join(client, name), text);
	const pages = serveClientFiles(client, (_request, response) => response.writeHead(204).end());
	const { port } = await serve({ pages: async () => pages });
	return async (line: string, accept = '', ...headers: string[]) => {
		const wire = await openWire(port);
		const lines = [`Accept-Encoding: ${accept}`, 'Connection: close', ...headers];
		const response = await wire.send(head(line, port, ...lines)).end();
		return { status: Number(response.slice(9, 12)), body: response.split('\r\n\r\n')[1], response };
	};
}

test('serves immutable files in the smallest coding that the client accepts', async () => {
	const get = await serveBuild();
	const file = '/_app/immutable/chunks/a.js';
	expect((await get(`GET ${file}`)).body).toBe('plain');
	expect((await get(`GET ${file}`, 'gzip')).body).toBe('plain');
	expect((await get(`GET ${file}`, 'gzip, br')).body).toBe('br');
	expect((await get(`GET ${file}`, 'br;q=0, gzip')).body).toBe('plain');
	const { response, body } = await get(`HEAD ${file}?x`, 'br');
	expect(body).toBe('');
	expect(response).toMatch(/Content-Encoding: br\r\n/);
	expect(response).toMatch(/Content-Length: 2\r\n/);
	expect(response).toMatch(/Access-Control-Allow-Origin: \*\r\n/);
	expect(response).toMatch(/Cache-Control: public,max-age=31536000,immutable\r\n/);
	expect((await get('GET /_app/immutable/chunks/b.js', 'br')).body).toBe('b');
});

test('a file that keeps its name has a tag, by which a browser asks whether it has changed', async () => {
	const get = await serveBuild();
	const { response, body } = await get('GET /icon.svg');
	expect(body).toBe('<svg />');
	expect(response).toMatch(/Content-Type: image\/svg\+xml\r\n/);
	expect(response).toMatch(/Cache-Control: no-cache\r\n/);
	const [, tag = ''] = /ETag: (.+)\r\n/.exec(response) ?? [];
	expect((await get('GET /icon.svg', '', `If-None-Match: ${tag}`)).status).toBe(304);
	expect((await get('GET /icon.svg', '', 'If-None-Match: "other"')).status).toBe(200);
});

test('decompresses files of which the package has only the Brotli form', async () => {
	const get = await serveBuild();
	const file = '/_app/immutable/chunks/c.js';
	expect((await get(`GET ${file}`, 'br')).response).toMatch(/Content-Encoding: br\r\n/);
	for (const accepted of ['', 'gzip']) {
		const { response, body } = await get(`GET ${file}`, accepted);
		expect([body, /^content-encoding/im.test(response)]).toEqual(['c', false]);
		expect(response).toMatch(/Content-Length: 1\r\n/);
	}
});

test.each([
	'GET /_app/immutable/chunks/none.js',
	'GET /_app/immutable/chunks/note.txt',
	'GET /_app/immutable/chunks/a.js.br',
	'GET /_app/immutable/chunks/',
	'GET /other',
	'POST /_app/immutable/chunks/a.js'
])('leaves %s to the pages', async (line) => {
	expect((await (await serveBuild())(line)).status).toBe(204);
});
