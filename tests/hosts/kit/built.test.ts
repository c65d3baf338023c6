import { hash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { PublicWorld } from '#api/control/world.ts';
import { noResponse, type WireRequest } from '#api/message.ts';
import { echo, fakeService, json, type FakeService } from '../fake-service.ts';
import { head, openWire } from '../raw-connection.ts';
import { serveBuiltKit, type BuiltKit } from './serve-built.ts';

/** What the pages are made of. */
const world: PublicWorld = {
	brand: { name: 'Tollgate' },
	resource: { singular: 'character', plural: 'characters' },
	permissions: [],
	accounts: [],
	viewer: { client_id: 'character-viewer', name: 'Character Viewer', shows: [] },
	characters: []
};
const isWorldRequest = ({ target }: WireRequest) => target.endsWith('/control/world');
const form = 'Content-Type: application/x-www-form-urlencoded';
/** Responds to requests of pages with the world, and to all others as a test says. */
const fake = fakeService(async (request) => (isWorldRequest(request) ? json(200, world) : respond(request)));
let respond: FakeService['respond'] = echo;
/** The targets of the requests that did not come from a page. */
const targetsSeen = () => fake.seen.filter((request) => !isWorldRequest(request)).map(({ target }) => target);
let kit: BuiltKit;

beforeAll(async () => {
	kit = await serveBuiltKit(() => fake);
});
afterAll(() => kit.close());
beforeEach(() => {
	fake.seen.length = 0;
	respond = echo;
	fake.hasSandbox = async () => true;
});

/** Sends one request and returns all that comes until the connection closes. */
async function ask(line: string, headers: string[] = [], body = ''): Promise<string> {
	const wire = await openWire(kit.port);
	const length = body === '' ? [] : [`Content-Length: ${Buffer.byteLength(body, 'latin1')}`];
	return wire.send(head(line, kit.port, 'Connection: close', ...headers, ...length) + body).end();
}

test.each([[[]], [['Origin: null']], [['Origin: https://evil.example']]])(
	'TK-01: a form POST with %j reaches the service',
	async (headers) => {
		expect(await ask('POST /ws/oauth2/token/', [form, ...headers], 'a=1')).toMatch(/^HTTP\/1\.1 200 .*"body":"a=1"/s);
	}
);

test('scripts of a page wait for its font', async () => {
	const [, link = ''] = /^link: (.*)$/im.exec(await ask('GET /viewer')) ?? [];
	const scripts = link.split(', ').filter((value) => value.includes('rel="modulepreload"'));
	expect(scripts.length).toBeGreaterThan(1);
	expect(scripts.filter((value) => !value.includes('; fetchpriority=low'))).toEqual([]);
});

test('every style sheet is loaded by a page', () => {
	const folder = join(import.meta.dirname, '../../../build/kit');
	const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
	const scripts = files.filter((file) => file.endsWith('.js')).map((file) => readFileSync(join(folder, file), 'utf8'));
	const sheets = files.flatMap((file) => /[^/\\]+\.css$/.exec(file)?.[0] ?? []);
	expect(sheets.length).toBeGreaterThan(50);
	expect(sheets.filter((sheet) => !scripts.some((script) => script.includes(sheet)))).toEqual([]);
});

test('TK-02, RS-05, RL-06: no spelling of a service path is redirected or served by a page', async () => {
	const targets = [
		'/ws/oauth2/token',
		'/ws/oauth2/token/',
		'/ws/oauth2/auth/?a=b',
		'/ws/oauth2/auth',
		'/ws/oauth2/revoke',
		'/ws/oauth2/revoke/',
		'/ws/v2.0/character/Half%2FLife',
		'/ws/v2.0/character/Mara%20Vell/?access_token=t',
		'/ws/v2.0/character/%',
		'/ws/v2.0/%ff',
		'/ws/v2.0/character/%00',
		'/ws/v2.0/ratelimits',
		'/ws',
		'/ws/',
		'/ws/a/b/c',
		'//ws/x',
		'/WS/x',
		'/%77s/x',
		'/a/../ws/x',
		'/~abc/ws/oauth2/token/',
		'/~abc/ws/oauth2/token',
		'/~abc/control/clock',
		'/~%C3%A9/ws/x',
		'/~abc/ratelimiting'
	];
	for (const target of targets) expect(await ask(`GET ${target}`), target).toMatch(/^HTTP\/1\.1 200 .*"method":"GET"/s);
	expect(fake.seen.map((request) => request.target)).toEqual(targets);
});

test('every method reaches the service; HEAD has no body', async () => {
	const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
	for (const method of methods) await ask(`${method} /ws/oauth2/revoke`);
	expect(fake.seen.map((request) => request.method)).toEqual(methods);
	expect(await ask('HEAD /ws/oauth2/revoke')).toMatch(/^HTTP\/1\.1 200 .*\r\n\r\n$/s);
});

test('headers sent twice, raw target and peer reach the service', async () => {
	await ask('GET /ws/x?state=%FF&b=+', ['Authorization: OAuth a', 'Authorization: OAuth b']);
	expect(fake.seen[0]).toMatchObject({ target: '/ws/x?state=%FF&b=+', peer: '127.0.0.1' });
	expect(fake.seen[0]?.headers.filter((text) => text.startsWith('OAuth'))).toEqual(['OAuth a', 'OAuth b']);
});

test("HT-05: too long a body is the service's to reject", async () => {
	const response = await ask('POST /ws/oauth2/token/', [form], 'x'.repeat(16 * 1024 + 1));
	expect(response).toMatch(/^HTTP\/1\.1 413 .*"invalid_request"/s);
	expect(await ask('POST /ws/oauth2/token/', [form], 'x'.repeat(16 * 1024))).toMatch(/^HTTP\/1\.1 200 /);
});

test('HT-11: cookies stay apart, and nothing in a header breaks a response', async () => {
	respond = async () => json(302, {}, ['Location', '/a\r\nX: y€', 'Set-Cookie', 'a=1', 'Set-Cookie', 'b=é']);
	const response = await ask('GET /ws/x');
	expect(response).toMatch(/^HTTP\/1\.1 302 /);
	expect(response).toContain('location: /a%0D%0AX: y%E2%82%AC\r\n');
	expect(response.match(/^set-cookie: .*/gim)).toEqual(['set-cookie: a=1', 'set-cookie: b=%C3%A9']);
});

test('RL-08: no response is a closed connection without a byte', async () => {
	respond = async () => noResponse;
	for (const line of ['GET /ws/x', 'POST /ws/oauth2/token', 'GET /ws/%', 'GET /~a/ws/x', 'HEAD /ws']) {
		expect(await ask(line), line).toBe('');
	}
});

test('a stream arrives when it is sent, and ends when the reader leaves', async () => {
	let ended = false;
	respond = async () => ({
		kind: 'stream',
		status: 200,
		headers: ['Content-Type', 'text/event-stream'],
		body: {
			[Symbol.asyncIterator]() {
				let said = 0;
				return {
					next: () =>
						said++ === 0 ? Promise.resolve({ done: false, value: 'data: 1\n\n' }) : new Promise(() => undefined),
					return: () => {
						ended = true;
						return Promise.resolve({ done: true, value: undefined });
					}
				};
			}
		}
	});
	const wire = await openWire(kit.port);
	await wire.send(head('GET /control/traffic/stream', kit.port)).until('data: 1');
	wire.close();
	await expect.poll(() => ended).toBe(true);
});

test('HT-12, HT-13: pages, errors and failing services have the security headers; the next request gets its response', async () => {
	const names = [
		'x-content-type-options: nosniff',
		'referrer-policy: same-origin',
		'x-frame-options: ',
		'content-security-policy: '
	];
	for (const path of ['/', '/no/such/page', '/~abc/no/such/page', '/ws/x']) {
		const response = await ask(`GET ${path}`);
		for (const name of names) expect(response.toLowerCase(), path).toContain(name);
	}
	respond = async () => {
		throw new Error('a fault of the service');
	};
	expect(await ask('GET /ws/x')).toMatch(/^HTTP\/1\.1 500 /);
	respond = echo;
	expect(await ask('GET /ws/x')).toMatch(/^HTTP\/1\.1 200 /);
});

test('a file that was made while building is not fetched over the network for a sandbox', async () => {
	for (const line of ['GET /~abc/service.css', 'HEAD /~abc/service.css', 'POST /~abc/service.css']) {
		expect(await ask(line), line).toMatch(/^HTTP\/1\.1 40[45] /);
	}
	expect(await ask('GET /service.css')).toMatch(/^HTTP\/1\.1 200 /);
});

test('RM-02: a page below a sandbox that does not exist is the service’s to reject, every other page is served', async () => {
	fake.hasSandbox = async (target) => !target.startsWith('/~gone');
	respond = async () => json(404, { error: 'not_found' });
	const targets = ['/~gone', '/~gone?x', '/~gone/viewer', '/~gone/viewer/callback?code=x', '/~gone/no/such/page'];
	for (const target of targets) expect(await ask(`GET ${target}`), target).toMatch(/^HTTP\/1\.1 404 .*"not_found"/s);
	expect(targetsSeen()).toEqual(targets);
	for (const target of ['/viewer', '/~here/viewer', '/']) {
		expect(await ask(`GET ${target}`), target).toMatch(/^HTTP\/1\.1 200 .*content-type: text\/html/s);
	}
});

test('the routes of the protocol endpoints are the only way to them: the hook asks nothing about their sandbox', async () => {
	const hasSandbox = vi.fn(async () => false);
	fake.hasSandbox = hasSandbox;
	const paths = ['oauth2/auth/', 'oauth2/token', 'oauth2/revoke', 'v2.0/character/Mara%20Vell', 'v2.0/ratelimits/'];
	const targets = paths.map((path) => `/~gone/ws/${path}`);
	for (const target of targets) expect(await ask(`GET ${target}`), target).toMatch(/^HTTP\/1\.1 200 .*"method":"GET"/s);
	expect(targetsSeen()).toEqual(targets);
	expect(hasSandbox).not.toHaveBeenCalled();
});

test('pages exist below a sandbox too, with scripts that the policy names', async () => {
	for (const path of ['/', '/~abc', '/~abc?x']) {
		const response = await ask(`GET ${path}`);
		expect(response, path).toMatch(/^HTTP\/1\.1 200 .*content-type: text\/html/s);
		const policy = /content-security-policy: [^\r]*script-src 'self'([^;\r]*)/.exec(response)?.[1];
		const scripts = [...response.matchAll(/<script>([^]*?)<\/script>/g)].map(([, script = '']) => script);
		expect(scripts.length).toBeGreaterThan(1);
		for (const script of scripts) expect(policy).toContain(`'sha256-${hash('sha256', script, 'base64')}'`);
	}
	expect(targetsSeen()).toEqual([]);
});

test('a page is rendered again for the permissions of a restored snapshot', async () => {
	const permissions = [
		{ scope: 'fleet_read', title: 'Read fleets', consent: 'See fleets', opens: [], of: 'own' as const }
	];
	const read = () => ask('GET /~restored/viewer');
	expect(await read()).not.toContain('fleet_read');
	const { permissions: before } = world;
	Object.assign(world, { permissions });
	expect(await read(), 'still the first one').not.toContain('fleet_read');
	fake.worldVersion = async () => 'checksum-of-the-snapshot';
	expect(await read()).toContain('fleet_read');
	Object.assign(world, { permissions: before });
});

test.each([
	['/', 83],
	['/viewer', 110]
])('the page %s and the files that it names weigh less than %d kB on the wire', async (path, most) => {
	const document = await ask(`GET ${path}`);
	const files = [...document.matchAll(/<(\/_app\/[^>]+\.js)>; rel="modulepreload"/g)].map(([, file = '']) => file);
	expect(files.length).toBeGreaterThan(1);
	const sizes = await Promise.all([path, ...files].map(bytesOnWire));
	expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(most * 1000);
});

/** The length of the body that a browser receives, in bytes. The package has files in the best quality of Brotli. */
async function bytesOnWire(path: string): Promise<number> {
	if (path.endsWith('.js')) return brotliCompressSync(readFileSync(join('build/kit/client', path))).length;
	const response = await ask(`GET ${path}`, ['Accept-Encoding: gzip, deflate, br']);
	const length = /^content-length: (\d+)\r$/im.exec(response)?.[1];
	if (length === undefined) throw new Error(`${path} has no length`);
	return Number(length);
}

test('all unknown paths have the same page', async () => {
	const pages = ['/no/such/page', '/viewer/none', '/docs/none', '/docs/none/'].map((path) => ask(`GET ${path}`));
	const bodies = (await Promise.all(pages)).map((page) => page.split('\r\n\r\n')[1]);
	expect(bodies[0]).toContain('Page not found');
	expect(new Set(bodies).size).toBe(1);
	expect(await ask('GET /%76iewer')).toMatch(/^HTTP\/1\.1 404 .*There is no page at this URL/s);
});

test('the files for browsers contain neither MSW nor a service worker, and only exercises have the service', () => {
	const markers = ['mockServiceWorker', 'MOCK_ACTIVATE', 'unhandledRequest'];
	// The world studio begins with the demo world, so its texts are no marker.
	const ofService = 'List the scopes that you need';
	const folder = join('build', 'kit', 'client');
	expect(existsSync(join(folder, 'service-worker.js'))).toBe(false);
	expect(existsSync(join(folder, 'mockServiceWorker.js'))).toBe(false);
	const scripts = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.js'));
	expect(scripts.length).toBeGreaterThan(10);
	for (const name of scripts) {
		const text = readFileSync(join(folder, name), 'utf8');
		for (const marker of markers) expect(text.includes(marker), `${name}: ${marker}`).toBe(false);
		if (!name.includes('on-demand')) expect(text.includes(ofService), name).toBe(false);
	}
});
