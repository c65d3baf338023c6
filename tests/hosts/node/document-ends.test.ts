import type { RequestListener } from 'node:http';
import { createServer, type Server } from 'node:https';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDocumentHost } from '#hosts/node/client-documents.server.ts';
import { testCertificate } from '../certificate.ts';

// Each end of a fetch frees its place: a place that never comes back is gone until the next restart.

/** What a server does to the connection, without regard to HTTP. */
const raw: Readonly<Record<string, string>> = {
	'switches protocols': 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n',
	'switches protocols without a name': 'HTTP/1.1 101 Switching Protocols\r\n\r\n',
	'continues without an end': 'HTTP/1.1 100 Continue\r\n\r\n',
	'sends early hints, then ends': 'HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n',
	'switches protocols after the head':
		'HTTP/1.1 200 OK\r\nUpgrade: h2c\r\nConnection: upgrade\r\nContent-Length: 0\r\n\r\n',
	'asks for a proxy password': 'HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n',
	'sends no HTTP': 'hello\r\n\r\n',
	'sends a wrong chunk':
		'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
	'sends less than it says': 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{'
};

const ends: Readonly<Record<string, RequestListener>> = {
	...Object.fromEntries(
		Object.entries(raw).map(([name, text]): [string, RequestListener] => [name, ({ socket }) => socket.write(text)])
	),
	'resets the connection': ({ socket }) => socket.destroy(),
	'sends nothing': () => undefined,
	'sends the head slowly': ({ socket }) => {
		const timer = setInterval(() => socket.write('H'), 20);
		socket.on('close', () => clearInterval(timer));
	},
	'sends the body slowly': (request, response) => {
		response.setHeader('Content-Type', 'application/json');
		const timer = setInterval(() => response.write(' '), 20);
		request.socket.on('close', () => clearInterval(timer));
	},
	'sends too much': (_, response) => response.setHeader('Content-Type', 'application/json').end('x'.repeat(100_000)),
	'sends gzip': (_, response) =>
		response
			.writeHead(200, { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' })
			.end(gzipSync(Buffer.alloc(100_000))),
	redirects: (_, response) => response.writeHead(302, { Location: '/' }).end(),
	'aborts in the body': (_, response) => {
		response.setHeader('Content-Type', 'application/json').write('{');
		response.destroy();
	},
	'sends the document': (_, response) => response.setHeader('Content-Type', 'application/json').end('{}')
};

const names = Object.keys(ends);

let server: Server;
let port = 0;

beforeAll(async () => {
	const { cert, key } = (await testCertificate()).certificate;
	server = createServer({ cert, key }, (request, response) => {
		request.socket.on('error', () => undefined);
		ends[names[Number(request.url?.slice(1))] ?? '']?.(request, response);
	});
	await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
	const address = server.address();
	port = typeof address === 'object' ? (address?.port ?? 0) : 0;
});

afterAll(() => {
	server.closeAllConnections();
	server.close();
});

test.each(names.map((name, at) => [name, at] as const))(
	'a server that %s gives each of 50 places back',
	async (_, at) => {
		const host = createDocumentHost({ allowsLoopback: true, timeLimit: 150 });
		const fetch = (end: number) => host.fetch(new URL(`https://localhost:${port}/${end}`), '127.0.0.1', 'a');
		for (let round = 0; round < 50; round += 4) await Promise.all([at, at, at, at].map(fetch));
		// An address has four places. One that holds all of them waits in vain.
		const documents = await Promise.all([0, 1, 2, 3].map(() => fetch(names.indexOf('sends the document'))));
		expect(documents.map((found) => ('cause' in found ? found.cause : 'fetched'))).not.toContain('busy');
	},
	20_000
);
