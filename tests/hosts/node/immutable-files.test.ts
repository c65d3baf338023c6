import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { serveImmutableFiles } from '#hosts/node/immutable-files.server.ts';
import { head, openWire } from '../raw-connection.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { serve } from './serve.ts';

/** A build with three scripts: in all codings, plain, and in Brotli only. The handler of all other requests responds with 204. */
async function serveBuild() {
	const client = await temporaryFolder();
	const chunks = join(client, '_app/immutable/chunks');
	mkdirSync(chunks, { recursive: true });
	for (const [name, text] of Object.entries({
		'a.js': 'plain',
		'a.js.gz': 'gz',
		'a.js.br': 'br',
		'b.js': 'b',
		'c.js.br': brotliCompressSync('c'),
		'note.txt': 'text'
	}))
		writeFileSync(join(chunks, name), text);
	const pages = serveImmutableFiles(client, (_request, response) => response.writeHead(204).end());
	const { port } = await serve({ pages: async () => pages });
	return async (line: string, accept = '') => {
		const wire = await openWire(port);
		const response = await wire.send(head(line, port, `Accept-Encoding: ${accept}`, 'Connection: close')).end();
		return { status: Number(response.slice(9, 12)), body: response.split('\r\n\r\n')[1], response };
	};
}

test('serves immutable files in the smallest coding that the client accepts', async () => {
	const get = await serveBuild();
	const file = '/_app/immutable/chunks/a.js';
	expect((await get(`GET ${file}`)).body).toBe('plain');
	expect((await get(`GET ${file}`, 'gzip')).body).toBe('gz');
	expect((await get(`GET ${file}`, 'gzip, br')).body).toBe('br');
	expect((await get(`GET ${file}`, 'br;q=0, gzip')).body).toBe('gz');
	const { response, body } = await get(`HEAD ${file}?x`, 'br');
	expect(body).toBe('');
	expect(response).toMatch(/Content-Encoding: br\r\n/);
	expect(response).toMatch(/Content-Length: 2\r\n/);
	expect(response).toMatch(/Access-Control-Allow-Origin: \*\r\n/);
	expect(response).toMatch(/Cache-Control: public,max-age=31536000,immutable\r\n/);
	expect((await get('GET /_app/immutable/chunks/b.js', 'br')).body).toBe('b');
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
	'GET /_app/immutable/chunks/a.js.gz',
	'GET /_app/immutable/chunks/',
	'GET /other',
	'POST /_app/immutable/chunks/a.js'
])('leaves %s to the pages', async (line) => {
	expect((await (await serveBuild())(line)).status).toBe(204);
});
