import { createServer, type Server } from 'node:https';
import type { RequestListener } from 'node:http';
import { createServer as createTcpServer } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDocumentHost } from '#hosts/node/client-documents.server.ts';
import { createNodeService } from '#hosts/node-service.server.ts';
import { createService } from '#hosts/library/tollgate.ts';
import { directTransport } from '../../conformance/hosts/direct.ts';
import { Sandbox } from '../../conformance/sandbox.ts';
import { pkce } from '../../conformance/standard.ts';
import { testCertificate } from '../certificate.ts';

const origin = 'https://public.test';
const redirect_uri = 'http://127.0.0.1:4000/callback';

let server: Server;
let port = 0;
/** The requests that reached the server of the client. */
let reached: string[] = [];
let connections = 0;

/** What the server of the client sends, by path. `{port}` is its port. */
const pages: Readonly<Record<string, RequestListener>> = {
	'/client.json': (_, response) => response.setHeader('Content-Type', 'application/json').end(document('/client.json')),
	'/cached.json': (_, response) =>
		response
			.writeHead(200, { 'Content-Type': 'application/client+json', 'Cache-Control': 'public, max-age=600', Age: '100' })
			.end(document('/cached.json')),
	'/no-store.json': (_, response) =>
		response
			.writeHead(200, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' })
			.end(document('/no-store.json')),
	'/redirect': (_, response) => response.writeHead(302, { Location: '/client.json' }).end(),
	'/redirect-permanent': (_, response) => response.writeHead(308, { Location: 'http://169.254.169.254/' }).end(),
	'/not-found': (_, response) => response.writeHead(404).end(),
	'/no-content': (_, response) => response.writeHead(204).end(),
	'/page': (_, response) => response.setHeader('Content-Type', 'text/html').end('<p>'),
	'/no-type': (_, response) => response.end('{}'),
	'/gzip': (_, response) =>
		response
			.writeHead(200, { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' })
			.end(gzipSync(Buffer.alloc(1_000_000, ' '))),
	'/long': (_, response) => response.setHeader('Content-Type', 'application/json').end(`{"a":"${'x'.repeat(5120)}"}`),
	'/endless': (request, response) => {
		response.setHeader('Content-Type', 'application/json');
		const timer = setInterval(() => response.write('x'.repeat(1000)), 1);
		request.socket.on('close', () => clearInterval(timer));
	},
	'/slow-head': () => undefined,
	'/slow-body': (request, response) => {
		response.setHeader('Content-Type', 'application/json');
		const timer = setInterval(() => response.write(' '), 20);
		request.socket.on('close', () => clearInterval(timer));
	},
	'/cut': (_, response) => {
		response.setHeader('Content-Type', 'application/json').setHeader('Content-Length', '100').write('{');
		response.destroy();
	},
	'/text': (_, response) => response.setHeader('Content-Type', 'application/json').end('{'),
	'/bytes': (_, response) =>
		response.setHeader('Content-Type', 'application/json').end(Buffer.from([0x22, 0xff, 0x22])),
	'/other-id': (_, response) => response.setHeader('Content-Type', 'application/json').end(document('/client.json'))
};

function document(path: string): string {
	return JSON.stringify({
		client_id: `https://localhost:${port}${path}`,
		redirect_uris: ['http://127.0.0.1/callback']
	});
}

beforeAll(async () => {
	const { cert, key } = (await testCertificate()).certificate;
	server = createServer({ cert, key }, (request, response) => {
		reached.push(request.url ?? '');
		pages[request.url ?? '']?.(request, response);
	});
	server.on('connection', () => connections++);
	await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
	const address = server.address();
	port = typeof address === 'object' ? (address?.port ?? 0) : 0;
});

afterAll(() => {
	server.closeAllConnections();
	server.close();
});

/** The first failed check of an authorization request, as `id cause`. Without one: the status. */
async function outcome(at: Sandbox, client_id: string): Promise<string> {
	const response = await at.user().authorize({ client_id, client_secret: '', redirect_uri }, pkce);
	const failed = (await at.logged(response)).trace.find(({ outcome }) => outcome === 'failed');
	return failed === undefined ? String(response.status) : `${failed.id} ${failed.cause ?? ''}`.trim();
}

async function sandbox(options: Parameters<typeof createDocumentHost>[0], serviceOrigin = origin): Promise<Sandbox> {
	const service = createNodeService({ origin: serviceOrigin, documents: createDocumentHost(options) });
	const at = await Sandbox.create(directTransport(service, serviceOrigin));
	await at.changeSettings({ dialect: 'standard' });
	reached = [];
	connections = 0;
	return at;
}

const notPublic = 'client_document.address_allowed not_public';
const notNormalized = 'client_document.url_valid not_normalized';
const valid = (cause: string) => `client_document.url_valid ${cause}`;
const fetched = (cause: string) => `client_document.fetched ${cause}`;

/** URLs that a public server must not open a connection for. */
const hostile: readonly (readonly [url: string, check: string])[] = [
	['https://127.0.0.1:{port}/client.json', notPublic],
	['https://127.8.8.8/client.json', notPublic],
	['https://0.0.0.0/client.json', notPublic],
	['https://10.0.0.1/client.json', notPublic],
	['https://100.64.0.1/client.json', notPublic],
	['https://172.16.0.1/client.json', notPublic],
	['https://192.168.1.1/client.json', notPublic],
	['https://198.18.0.1/client.json', notPublic],
	['https://169.254.169.254/latest/meta-data/', notPublic],
	['https://224.0.0.1/client.json', notPublic],
	['https://255.255.255.255/client.json', notPublic],
	['https://[::1]/client.json', notPublic],
	['https://[::]/client.json', notPublic],
	['https://[fe80::1]/client.json', notPublic],
	['https://[fd00:ec2::254]/client.json', notPublic],
	['https://[::ffff:7f00:1]/client.json', notPublic],
	['https://[::ffff:808:808]/client.json', notPublic],
	['https://[64:ff9b::7f00:1]/client.json', notPublic],
	['https://[2002:7f00:1::]/client.json', notPublic],
	['https://[2001:0:7f00:1::]/client.json', notPublic],
	['https://[2001::7f00:1]/client.json', notPublic],
	['https://[ff02::1]/client.json', notPublic],
	['https://[::ffff:127.0.0.1]/client.json', notNormalized],
	['https://2130706433/client.json', notNormalized],
	['https://0x7f000001/client.json', notNormalized],
	['https://0x7f.1/client.json', notNormalized],
	['https://0177.0.0.1/client.json', notNormalized],
	['https://127.1/client.json', notNormalized],
	['https://127.0.0.1./client.json', notNormalized],
	['https://１２７.0.0.1/client.json', notNormalized],
	['https://localhost:{port}/client.json', notPublic],
	['https://private.test/client.json', notPublic],
	['https://mixed.test/client.json', notPublic],
	['https://mapped.test/client.json', notPublic],
	['https://metadata.test/computeMetadata/v1/', notPublic],
	['https://unknown.test/client.json', 'client_document.address_allowed no_address'],
	['https://public.example@127.0.0.1/client.json', valid('credentials')],
	['https://public.example:443@localhost/client.json', valid('credentials')],
	['https://public.example\\@127.0.0.1/client.json', notNormalized],
	['https://global.test:22/client.json', 'client_document.address_allowed port_not_allowed'],
	['https://global.test:443/client.json', notNormalized],
	['http://169.254.169.254/latest/meta-data/', valid('not_https')],
	['https://global.test/a/%2e%2e/client.json', valid('dot_segment')],
	['https://global.test/client.json#@127.0.0.1', valid('fragment')],
	// Until its lookup ends, names that the same address sends are not resolved.
	['https://silent.test/client.json', 'client_document.address_allowed no_address']
];

const addresses: Readonly<Record<string, readonly string[]>> = {
	localhost: ['::1', '127.0.0.1'],
	'private.test': ['192.168.1.1'],
	'mixed.test': ['8.8.8.8', '127.0.0.1'],
	'mapped.test': ['::ffff:127.0.0.1'],
	'metadata.test': ['169.254.169.254'],
	'global.test': ['8.8.8.8']
};

function lookup(name: string): Promise<readonly string[]> {
	if (name === 'silent.test') return new Promise(() => undefined);
	const found = addresses[name];
	return found === undefined ? Promise.reject(new Error('ENOTFOUND')) : Promise.resolve(found);
}

/** What a server on loopback meets at the server of a client. */
const responses: readonly (readonly [path: string, check: string])[] = [
	['/redirect', fetched('redirected')],
	['/redirect-permanent', fetched('redirected')],
	['/not-found', fetched('wrong_status')],
	['/no-content', fetched('wrong_status')],
	['/page', fetched('wrong_content_type')],
	['/no-type', fetched('wrong_content_type')],
	['/gzip', fetched('compressed')],
	['/long', fetched('too_large')],
	['/endless', fetched('too_large')],
	['/cut', fetched('unreachable')],
	['/text', 'client_document.is_json'],
	['/bytes', 'client_document.is_json'],
	['/other-id', 'client_document.client_id_equal different']
];

describe('on a public server', () => {
	test(`opens no connection for ${hostile.length} hostile URLs, and names the check of each`, async () => {
		const at = await sandbox({ allowsLoopback: false, lookup, timeLimit: 100 });
		for (const [url, check] of hostile) expect(await outcome(at, url.replace('{port}', String(port))), url).toBe(check);
		expect([reached, connections]).toEqual([[], 0]);
	});

	test('connects to the address that it checked, whatever the name server says next', async () => {
		let asked = 0;
		const host = createDocumentHost({
			allowsLoopback: false,
			// A rebinding name: public first, then loopback.
			lookup: () => Promise.resolve(asked++ === 0 ? ['192.88.99.255'] : ['127.0.0.1']),
			timeLimit: 100
		});
		const url = new URL(`https://rebinding.test:${port}/client.json`);
		expect(await host.locate(url, 'a')).toEqual({ cause: 'not_public', found: 'rebinding.test' });
		connections = 0;
		// 192.0.2.1 is for documentation: nothing listens there, and a connection to loopback would succeed.
		expect(await host.fetch(url, '192.0.2.1', 'a')).toMatchObject({
			cause: expect.stringMatching(/^(?:too_slow|unreachable)$/)
		});
		expect([asked, connections]).toEqual([1, 0]);
	});
});

describe('on a server that only this machine reaches', () => {
	const local = 'https://localhost:8443';
	const options = { allowsLoopback: true, timeLimit: 20_000, lookup: () => Promise.resolve(['127.0.0.1']) };

	test('names the check of each wrong response', async () => {
		const at = await sandbox(options, local);
		for (const [path, check] of responses)
			expect(await outcome(at, `https://localhost:${port}${path}`), path).toBe(check);
		const hasty = await sandbox({ ...options, timeLimit: 100 }, local);
		for (const path of ['/slow-head', '/slow-body'])
			expect(await outcome(hasty, `https://localhost:${port}${path}`), path).toBe(fetched('too_slow'));
	});

	test('shows the consent page after it fetched the document', async () => {
		const at = await sandbox(options, local);
		const client_id = `https://localhost:${port}/client.json`;
		const user = at.user();
		const page = await user.openConsent({ client_id, client_secret: '', redirect_uri }, pkce);
		expect(page.text).toContain(`<bdi>localhost:${port}</bdi>`);
		expect((await user.decide(page)).parameter('code')).toMatch(/^[\w-]{43}$/);
	});

	test('fetches for navigations, and not for images, frames and scripts of a site', async () => {
		const at = await sandbox(options, local);
		const query = new URLSearchParams({ client_id: `https://localhost:${port}/client.json`, redirect_uri, ...pkce });
		const sentBy = (mode: string, dest: string) =>
			at.get(
				`/ws/oauth2/auth/?${query}`,
				'Sec-Fetch-Site',
				'cross-site',
				'Sec-Fetch-Mode',
				mode,
				'Sec-Fetch-Dest',
				dest
			);
		for (const [mode, dest] of [
			['no-cors', 'image'],
			['navigate', 'iframe'],
			['cors', 'empty']
		] as const)
			expect(await at.failedCheck(await sentBy(mode, dest)), dest).toBe('client_document.found');
		expect(reached).toEqual([]);
		await sentBy('navigate', 'document');
		expect(reached).toEqual(['/client.json']);
	});

	test('caches by the headers of the response, and by the clock of the sandbox', async () => {
		const at = await sandbox(options, local);
		const [cached, noStore, usual] = ['/cached.json', '/no-store.json', '/client.json'].map(
			(path) => `https://localhost:${port}${path}`
		);
		const countOf = async (url = '') => {
			reached = [];
			expect(await outcome(at, url)).toBe('200');
			return reached.length;
		};
		expect([await countOf(cached), await countOf(cached)]).toEqual([1, 0]);
		expect([await countOf(noStore), await countOf(noStore)]).toEqual([1, 1]);
		expect([await countOf(usual), await countOf(usual)]).toEqual([1, 0]);
		await at.advance(301);
		expect([await countOf(usual), await countOf(cached)]).toEqual([1, 0]);
		await at.advance(199);
		expect(await countOf(cached)).toBe(1);
	});

	test('still reaches no private network', async () => {
		const at = await sandbox(options, local);
		for (const host of ['10.0.0.1', '169.254.169.254', '192.168.1.1'])
			expect(await outcome(at, `https://${host}/client.json`)).toBe(notPublic);
	});

	test('says that nothing listens, and that the peer speaks no TLS', async () => {
		const at = await sandbox(options, local);
		expect(await outcome(at, 'https://localhost:1/client.json')).toBe(fetched('unreachable'));
		const plain = createTcpServer((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n'));
		await new Promise<void>((done) => plain.listen(0, '127.0.0.1', done));
		const address = plain.address();
		const plainPort = typeof address === 'object' ? (address?.port ?? 0) : 0;
		expect(await outcome(at, `https://localhost:${plainPort}/client.json`)).toBe(fetched('unreachable'));
		plain.close();
	});
});

test('a certificate of an unknown authority is rejected outside of loopback', async () => {
	const host = createDocumentHost({ allowsLoopback: false });
	// IPv4 in IPv6 leads to this machine, and counts as another one.
	const result = await host.fetch(new URL(`https://localhost:${port}/client.json`), '::ffff:127.0.0.1', 'a');
	expect(result).toMatchObject({ cause: 'untrusted_certificate' });
});

test.each([
	['without a network', createService({ origin })],
	['whose operator turned fetching off', createNodeService({ origin, fetchesDocuments: false })]
])('a host %s names the documents of the sandbox', async (_, service) => {
	const at = await Sandbox.create(directTransport(service, origin));
	await at.changeSettings({ dialect: 'standard' });
	expect(await outcome(at, 'https://app.example/client.json')).toBe('client_document.found no_network');
});
