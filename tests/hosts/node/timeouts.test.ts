import { expect, test } from 'vitest';
import { fakeService, json } from '../fake-service.ts';
import { head, openPlain, openWire } from '../raw-connection.ts';
import { serve, shortLimits } from './serve.ts';

const post = (port: number, length: number) =>
	head('POST /ws/oauth2/token/', port, 'Content-Type: application/x-www-form-urlencoded', `Content-Length: ${length}`);

test('the time-outs that ship: everything that stalls is gone within 15 s', async () => {
	const { defaultLimits } = await import('#hosts/node/connection-limits.ts');
	const { tlsHandshakeTimeout, headersTimeout, requestTimeout, keepAliveTimeout, writeStallTimeout } = defaultLimits;
	const { checkInterval, lingerTimeout } = defaultLimits;
	for (const limit of [tlsHandshakeTimeout, headersTimeout, requestTimeout, keepAliveTimeout, writeStallTimeout]) {
		expect(limit + 2 * checkInterval + lingerTimeout).toBeLessThanOrEqual(15_000);
	}
});

test('HT-01: plain HTTP on the TLS port is closed with zero bytes', async () => {
	const { port, fake } = await serve();
	const wire = await openPlain(port);
	wire.send(head('GET /ws/oauth2/auth/', port, 'X-Forwarded-Proto: https'));
	expect(await wire.end()).toBe('');
	expect(fake.seen).toEqual([]);
});

test('HT-03: a connection without a ClientHello is closed', async () => {
	const { port, load } = await serve({ limits: shortLimits });
	const wire = await openPlain(port);
	expect(await wire.end()).toBe('');
	expect(load().connections).toBe(0);
});

test('HT-03: a TLS connection that says nothing gets 408 and is closed', async () => {
	const { port, load } = await serve({ limits: shortLimits });
	const wire = await openWire(port);
	expect(await wire.end()).toMatch(/^HTTP\/1\.1 408 .*connection: close/is);
	await expect.poll(() => load().connections).toBe(0);
});

test.each(['GET /ws/x HTTP/1.1\r\nHost: lo', 'G'])('HT-03: headers that never end get 408: %j', async (part) => {
	const { port, load } = await serve({ limits: shortLimits });
	const wire = await openWire(port);
	wire.send(part);
	expect(await wire.end()).toMatch(/^HTTP\/1\.1 408 /);
	await expect.poll(() => load().connections).toBe(0);
});

test('HT-03: dripped headers get 408 however steadily they drip', async () => {
	const { port, fake } = await serve({ limits: shortLimits });
	const wire = await openWire(port);
	wire.send('GET /ws/x HTTP/1.1\r\n');
	const drip = setInterval(() => wire.send('a: b\r\n'), 20);
	expect(await wire.end()).toMatch(/^HTTP\/1\.1 408 /);
	clearInterval(drip);
	expect(fake.seen).toEqual([]);
});

test('HT-03: a dripped body gets 408, and the service never hears of it', async () => {
	const { port, fake, load } = await serve({ limits: shortLimits });
	const wire = await openWire(port);
	wire.send(post(port, 1000));
	const drip = setInterval(() => wire.send('a'), 20);
	expect(await wire.end()).toMatch(/^HTTP\/1\.1 408 /);
	clearInterval(drip);
	expect(fake.seen).toEqual([]);
	await expect.poll(() => load().connections).toBe(0);
});

test('HT-03: a kept-alive connection without a further request is closed', async () => {
	const { port, load } = await serve({ limits: shortLimits });
	const wire = await openWire(port);
	wire.send(head('GET /ws/x', port));
	expect((await wire.end()).match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200']);
	await expect.poll(() => load().connections).toBe(0);
});

test('HT-03: a response that is not read ends the connection', async () => {
	const body = 'x'.repeat(4 * 1024 * 1024);
	const service = fakeService(async () => ({ kind: 'response', status: 200, headers: [], body }));
	const { port, load } = await serve({ service, limits: { ...shortLimits, keepAliveTimeout: 60_000 } });
	const wire = await openWire(port);
	wire.socket.pause();
	// Several, since the kernel buffers some megabytes.
	wire.send(head('GET /ws/x', port).repeat(5));
	await expect.poll(() => service.seen.length).toBeGreaterThan(0);
	await expect.poll(() => load().connections).toBe(0);
	wire.close();
});

test('HT-03: a slow but steady reader gets all of a long response', async () => {
	const body = 'x'.repeat(3 * 1024 * 1024);
	const service = fakeService(async () => ({ kind: 'response', status: 200, headers: [], body }));
	const { port } = await serve({ service, limits: { ...shortLimits, requestTimeout: 60_000 } });
	const wire = await openWire(port);
	wire.send(head('GET /ws/x', port, 'Connection: close'));
	const pace = setInterval(() => {
		wire.socket.pause();
		setTimeout(() => wire.socket.resume(), 15);
	}, 20);
	const response = await wire.end();
	clearInterval(pace);
	expect(response.length).toBeGreaterThan(body.length);
});

test('a delay that the service makes is no time-out', async () => {
	const service = fakeService(async () => {
		await new Promise((resolve) => setTimeout(resolve, 2 * shortLimits.requestTimeout));
		return json(200, 'late');
	});
	const { port } = await serve({ service, limits: shortLimits });
	const wire = await openWire(port);
	wire.send(head('GET /ws/x', port));
	await wire.until('"late"');
	wire.close();
});

test('HT-03: no more connections than allowed; who has one is served', async () => {
	const { port } = await serve({ limits: { maxConnections: 2 } });
	const good = await openWire(port);
	const second = await openWire(port);
	await expect(openWire(port)).rejects.toThrow();
	good.send(head('GET /ws/x', port));
	await good.until('"/ws/x"');
	good.close();
	second.close();
});
