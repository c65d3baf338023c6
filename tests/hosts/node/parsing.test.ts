import { expect, test } from 'vitest';
import { fakeService, json } from '../fake-service.ts';
import { head, openWire } from '../raw-connection.ts';
import { serve, shortLimits } from './serve.ts';

const form = 'Content-Type: application/x-www-form-urlencoded';

test('HT-04, HT-10: 20 KB of headers get 431, ended and destroyed', async () => {
	const { port, load, fake } = await serve({ limits: { lingerTimeout: 50 } });
	const wire = await openWire(port);
	wire.send(head('GET /ws/x', port, `X: ${'x'.repeat(20_000)}`));
	expect(await wire.end()).toMatch(/^HTTP\/1\.1 431 .*x-content-type-options: nosniff/is);
	await expect.poll(() => load().connections).toBe(0);
	expect(fake.seen).toEqual([]);
});

test('HT-10: 2 000 headers get 431, none is dropped without a word', async () => {
	const { port, fake } = await serve();
	const wire = await openWire(port);
	wire.send(head('GET /ws/x', port, ...Array.from({ length: 2000 }, () => 'a:b')));
	await wire.until('too many');
	expect(wire.received).toMatch(/^HTTP\/1\.1 431 /);
	expect(fake.seen).toEqual([]);
	wire.close();
});

const smuggling: [string, string][] = [
	['Content-Length and Transfer-Encoding', 'Content-Length: 4\r\nTransfer-Encoding: chunked'],
	['two Content-Lengths', 'Content-Length: 4\r\nContent-Length: 5'],
	['a list of Content-Lengths', 'Content-Length: 4, 4'],
	['a signed Content-Length', 'Content-Length: +4'],
	['an unknown transfer coding', 'Transfer-Encoding: xchunked'],
	['chunked not last', 'Transfer-Encoding: chunked, gzip'],
	['a space before the colon', 'Content-Length : 4'],
	['a folded line', 'X: a\r\n b: c\r\nTransfer-Encoding: chunked, x'],
	['NUL in a value', 'X: a\0b']
];

test.each(smuggling)('HT-07: %s: 400 and close, nothing is executed', async (_, lines) => {
	const { port, fake } = await serve({ limits: shortLimits });
	const wire = await openWire(port);
	wire.send(
		`POST /ws/first HTTP/1.1\r\nHost: localhost:${port}\r\n${lines}\r\n\r\n0\r\n\r\n${head('GET /ws/second', port)}`
	);
	const response = await wire.end();
	expect(response).toMatch(/^HTTP\/1\.1 400 /);
	expect(response.match(/HTTP\/1\.1/g)).toHaveLength(1);
	expect(fake.seen.map((request) => request.target)).not.toContain('/ws/second');
});

test('HT-07: a body in another transfer coding is rejected, and never read as if it were in none', async () => {
	const { port, fake } = await serve({ limits: shortLimits });
	for (const lines of [
		'Transfer-Encoding: gzip, chunked',
		'Transfer-Encoding: deflate\r\nTransfer-Encoding: chunked'
	]) {
		const wire = await openWire(port);
		wire.send(`${head('POST /ws/oauth2/token/', port, form, lines)}3\r\na=b\r\n0\r\n\r\n`);
		expect(await wire.end(), lines).toMatch(/^HTTP\/1\.1 400 .*chunked/s);
	}
	expect(fake.seen).toEqual([]);
});

test.each(['0.9', '2.0'])('HT-10: a request that says it is HTTP/%s is rejected', async (version) => {
	const { port, fake } = await serve({ limits: shortLimits });
	const wire = await openWire(port);
	wire.send(`GET /ws/x HTTP/${version}\r\nHost: localhost:${port}\r\n\r\n`);
	expect(await wire.end()).toMatch(/^HTTP\/1\.1 400 .*HTTP\/1\.1/s);
	expect(fake.seen).toEqual([]);
});

test('HT-09: what could not be read is rejected in the form of every error, with a request id', async () => {
	const rows: [string, RegExp, string][] = [
		['GET /ws/v2.0/character/\xff HTTP/1.1\r\n', /^HTTP\/1\.1 400 /, 'Percent-encode'],
		[`GET /ws/x HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n`, /^HTTP\/1\.1 431 /, 'too long'],
		['GET /ws/x HTTP/1.1\r\n', /^HTTP\/1\.1 408 /, 'in time']
	];
	const { port, fake } = await serve({ limits: shortLimits });
	const ids = new Set<string | undefined>();
	for (const [text, status, words] of rows) {
		const wire = await openWire(port);
		const response = await wire.send(text).end();
		expect(response).toMatch(status);
		expect(response).toContain('\r\ncontent-type: application/json; charset=utf-8\r\n');
		expect(response).toContain('\r\ncache-control: no-store\r\n');
		const [, body = ''] = response.split('\r\n\r\n');
		expect(response).toContain(`\r\ncontent-length: ${body.length}\r\n`);
		expect(JSON.parse(body)).toMatchObject({ error: 'invalid_request' });
		expect(body).toContain(words);
		ids.add(/^x-request-id: ([\w-]{12,})$/im.exec(response.replaceAll('\r', ''))?.[1]);
	}
	expect([ids.size, ids.has(undefined)]).toEqual([3, false]);
	expect(fake.seen).toEqual([]);
});

test('HT-07: bare LF is no line end', async () => {
	const { port, fake } = await serve({ limits: shortLimits });
	const wire = await openWire(port);
	wire.send(`GET /ws/x HTTP/1.1\nHost: localhost:${port}\n\n`);
	expect(await wire.end()).toMatch(/^HTTP\/1\.1 400 /);
	expect(fake.seen).toEqual([]);
});

test('HT-07: unreadable input behind a whole request gets 400 after its response', async () => {
	const release: (() => void)[] = [];
	const service = fakeService(async (request) => {
		await new Promise<void>((resolve) => release.push(resolve));
		return json(200, request.target);
	});
	const { port, load } = await serve({ service, limits: { lingerTimeout: 50 } });
	const wire = await openWire(port);
	wire.send(`${head('GET /ws/x', port)}rubbish\r\n\r\n`);
	await expect.poll(() => release.length).toBe(1);
	release.forEach((go) => go());
	expect((await wire.end()).match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400']);
	await expect.poll(() => load().connections).toBe(0);
});

test('a body longer than it said is read as the next request, and rejected', async () => {
	const { port, fake } = await serve({ limits: shortLimits });
	const wire = await openWire(port);
	wire.send(`${head('POST /ws/x', port, form, 'Content-Length: 3')}a=1&b=2&c=3`);
	expect((await wire.end()).match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400']);
	expect(fake.seen).toHaveLength(1);
});

test.each(['evil.example', 'localhost', 'localhost:99999', 'localhost:1', '', '127.0.0.1', 'localhost.evil.example'])(
	'HT-08: Host %j is not ours: 421',
	async (host) => {
		const { port, fake } = await serve();
		for (const path of ['/ws/x', '/page']) {
			const wire = await openWire(port);
			wire.send(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nX-Forwarded-Host: localhost:${port}\r\n\r\n`);
			expect(await wire.until('\r\n\r\n')).toMatch(/^HTTP\/1\.1 421 .*x-content-type-options: nosniff/is);
			wire.close();
		}
		expect(fake.seen).toEqual([]);
	}
);

test.each([
	['405', 'TRACE /page HTTP/1.1\r\nConnection: close'],
	['413', 'POST /page HTTP/1.1\r\nContent-Length: 9999999'],
	['417', 'POST /ws/a HTTP/1.1\r\nContent-Length: 0\r\nExpect: miracles'],
	['421', 'GET /ws/a HTTP/1.1\r\nHost: evil.example'],
	['400', 'POST /ws/a HTTP/1.1\r\nTransfer-Encoding: identity, chunked'],
	['200', 'POST /ws/a HTTP/1.0\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked']
])('HT-07: nothing behind a %s with connection: close is carried out', async (status, text) => {
	const { port, fake } = await serve({ limits: shortLimits, pages: async () => () => undefined });
	const wire = await openWire(port);
	const host = text.includes('Host:') ? '' : `Host: localhost:${port}\r\n`;
	const body = text.includes('Transfer-Encoding') ? '0\r\n\r\n' : '';
	wire.send(`${text}\r\n${host}\r\n${body}${head('GET /ws/second', port)}`);
	const response = await wire.end();
	expect(response).toMatch(new RegExp(`^HTTP/1.1 ${status} .*connection: close`, 'is'));
	expect(response.match(/HTTP\/1\.1/g)).toHaveLength(1);
	expect(fake.seen.map(({ target }) => target)).not.toContain('/ws/second');
});

test('HT-08: two Hosts, or none, get 400', async () => {
	const { port, fake } = await serve();
	for (const lines of [`Host: localhost:${port}\r\nHost: localhost:${port}\r\n`, '']) {
		const wire = await openWire(port);
		wire.send(`GET /ws/x HTTP/1.1\r\n${lines}\r\n`);
		expect(await wire.until('\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 .*x-content-type-options: nosniff/is);
		wire.close();
	}
	expect(fake.seen).toEqual([]);
});

test('HT-08: all names of a server on loopback, and the origin, are ours in any case', async () => {
	const { port } = await serve({ origin: 'https://tollgate.example' });
	const names = ['localhost', 'LocalHost', '127.0.0.1', '[::1]'].map((name) => `${name}:${port}`);
	for (const host of [...names, 'tollgate.example', 'Tollgate.Example:443']) {
		const wire = await openWire(port);
		wire.send(`GET /ws/x HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
		expect(await wire.end()).toMatch(/^HTTP\/1\.1 200 /);
	}
});

test('HT-08: a browser that opens a page under another name of the server is redirected to its origin, a program is not', async () => {
	const { port, fake } = await serve({ origin: 'https://localhost:1' });
	const ask = (line: string, host: string, ...headers: string[]) =>
		openWire(port).then((wire) =>
			wire.send([line, `Host: ${host}`, 'Connection: close', ...headers, '', ''].join('\r\n')).end()
		);
	const navigation = 'Sec-Fetch-Dest: document';
	const there = await ask('GET //ws/x?state=%FF HTTP/1.1', `127.0.0.1:${port}`, navigation);
	expect(there).toMatch(/^HTTP\/1\.1 307 .*\r\nlocation: https:\/\/localhost:1\/\/ws\/x\?state=%FF\r\n/s);
	expect(fake.seen).toEqual([]);
	expect(await ask('GET /ws/x HTTP/1.1', `127.0.0.1:${port}`)).toMatch(/^HTTP\/1\.1 200 /);
	expect(await ask('POST /ws/x HTTP/1.1', `127.0.0.1:${port}`, navigation)).toMatch(/^HTTP\/1\.1 200 /);
	expect(await ask('GET /ws/x HTTP/1.1', 'LocalHost:1', navigation)).toMatch(/^HTTP\/1\.1 200 /);
});

test('HT-08, RL-06: an absolute target is taken by its path when the address is ours', async () => {
	const { port, fake } = await serve();
	const targets: [string, number][] = [
		[`https://localhost:${port}/ws/x?a=b`, 200],
		[`HTTPS://LOCALHOST:${port}/ws/y`, 200],
		[`https://localhost:${port}`, 404],
		[`https://localhost:${port}?a`, 404],
		['https://evil.example/ws/x', 421],
		[`https://localhost:${port}@evil.example/ws/x`, 421],
		[`http://localhost:${port}/ws/x`, 400],
		['*', 400]
	];
	for (const [target, status] of targets) {
		const wire = await openWire(port);
		wire.send(head(target === '*' ? 'OPTIONS *' : `GET ${target}`, port, 'Connection: close'));
		expect(await wire.end(), target).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
	}
	expect(fake.seen.map((request) => request.target)).toEqual(['/ws/x?a=b', '/ws/y']);
});

test('HT-10: methods: the service decides about its paths, pages take seven, CONNECT is rejected', async () => {
	const { port, fake } = await serve();
	const rows: [string, string][] = [
		['TRACE /ws/x', '200'], // the service's own response: a blacklisted client must get none
		['TRACE /page', '405 Method Not Allowed\r\n.*allow: GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS'],
		['PROPFIND /page', '405'],
		['FOO /ws/y', '400'],
		['FOO /page', '400'],
		[`CONNECT localhost:${port}`, '405 Method Not Allowed\r\n.*allow: ']
	];
	for (const [line, response] of rows) {
		const wire = await openWire(port);
		wire.send(head(line, port, 'Connection: close'));
		expect(await wire.end(), line).toMatch(new RegExp(`^HTTP/1.1 ${response}`, 'is'));
	}
	expect(fake.seen.map(({ method, target }) => `${method} ${target}`)).toEqual(['TRACE /ws/x']);
});

test('HT-10: Upgrade is not taken up; HTTP/1.0 works, without a Host too', async () => {
	const { port } = await serve();
	const upgrade = await openWire(port);
	upgrade.send(head('GET /ws/x', port, 'Upgrade: websocket', 'Connection: Upgrade, close'));
	expect(await upgrade.end()).toMatch(/^HTTP\/1\.1 200 /);
	const old = await openWire(port);
	old.send(`POST /ws/x HTTP/1.0\r\n${form}\r\nContent-Length: 3\r\n\r\na=1`);
	expect(await old.end()).toMatch(/^HTTP\/1\.1 200 .*"body":"a=1"/s);
});

test('HT-10: 100-continue is given where the body is wanted, 417 to any other expectation', async () => {
	const { port, fake } = await serve();
	const wire = await openWire(port);
	wire.send(head('POST /ws/x', port, form, 'Content-Length: 3', 'Expect: 100-continue'));
	await wire.until('HTTP/1.1 100 Continue\r\n\r\n');
	wire.send('a=1');
	await wire.until('"a=1"');
	wire.close();
	const large = await openWire(port);
	large.send(head('POST /ws/x', port, form, 'Content-Length: 9999999', 'Expect: 100-continue'));
	expect(await large.end()).toMatch(/^HTTP\/1\.1 413 /);
	const odd = await openWire(port);
	odd.send(head('POST /ws/x', port, form, 'Content-Length: 3', 'Expect: miracles'));
	expect(await odd.until('\r\n\r\n')).toMatch(/^HTTP\/1\.1 417 .*nosniff/is);
	odd.close();
	expect(fake.seen).toMatchObject([{ bodyTooLarge: false }, { bodyTooLarge: true }]);
});
