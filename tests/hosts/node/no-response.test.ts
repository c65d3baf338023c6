import { expect, test } from 'vitest';
import { noResponse, type WireResult, type WireRequest } from '#api/message.ts';
import { fakeService, json, type FakeService } from '../fake-service.ts';
import { head, openWire } from '../raw-connection.ts';
import { serve, shortLimits } from './serve.ts';

function quiet(): FakeService {
	const isFine = ({ target }: Pick<WireRequest, 'target'>) => target === '/ws/fine';
	const service = fakeService(async (request): Promise<WireResult> =>
		isFine(request) ? json(200, 'fine') : noResponse
	);
	service.isBlacklisted = async (request) => !isFine(request);
	return service;
}

test('RL-08: no response is a closed connection and zero bytes, on every path and method', async () => {
	const { port, load, fake } = await serve({ service: quiet() });
	const lines = [
		'GET /ws/x',
		'POST /ws/oauth2/token',
		'HEAD /ws/v2.0/a',
		'TRACE /ws/',
		'GET /ws',
		'DELETE //ws/x',
		'OPTIONS /~a/ws/x'
	];
	for (const line of lines) {
		const wire = await openWire(port);
		wire.send(head(line, port));
		expect(await wire.end(), line).toBe('');
	}
	expect(fake.seen).toHaveLength(lines.length);
	await expect.poll(() => load().connections).toBe(0);
});

test('RL-08: a kept-alive connection ends without a further byte', async () => {
	const { port } = await serve({ service: quiet() });
	const wire = await openWire(port);
	wire.send(head('GET /ws/fine', port));
	const before = await wire.until('"fine"');
	wire.send(head('GET /ws/x', port));
	expect(await wire.end()).toBe(before);
});

test('RL-08: a pipeline ends at the request without a response', async () => {
	const { port } = await serve({ service: quiet() });
	const wire = await openWire(port);
	wire.send(head('GET /ws/fine', port) + head('GET /ws/x', port) + head('GET /ws/fine', port));
	const all = await wire.end();
	expect(all.split('HTTP/1.1 200').length - 1).toBe(1);
	expect(all).toMatch(/"fine"$/);
});

test('RL-08: nothing of a pipeline is executed once its connection has gone', async () => {
	const { port, fake, load } = await serve({ service: quiet() });
	for (let round = 0; round < 20; round += 1) {
		const wire = await openWire(port);
		wire.send(head('GET /ws/x', port).repeat(50));
		expect(await wire.end()).toBe('');
	}
	await expect.poll(() => load().connections).toBe(0);
	expect(fake.seen.length).toBeLessThanOrEqual(20 * 50);
});

test('RL-08: no response to a body too long to read', async () => {
	const { port } = await serve({ service: quiet() });
	const wire = await openWire(port);
	wire.send(head('POST /ws/x', port, 'Content-Length: 99999999') + 'x'.repeat(100_000));
	expect(await wire.end()).toBe('');
});

test('RL-08: a client that waits for 100 Continue gets no byte, and the service knows of the call', async () => {
	const { port, fake, load } = await serve({ service: quiet() });
	const wire = await openWire(port);
	wire.send(head('POST /ws/oauth2/token/', port, 'Content-Length: 3', 'Expect: 100-continue'));
	expect(await wire.end()).toBe('');
	expect(fake.seen.map(({ target, body }) => [target, body.length])).toEqual([['/ws/oauth2/token/', 0]]);
	await expect.poll(() => load().connections).toBe(0);
	const other = await openWire(port);
	other.send(head('POST /ws/fine', port, 'Content-Length: 3', 'Expect: 100-continue'));
	await other.until('HTTP/1.1 100 Continue\r\n\r\n');
	other.send('a=1');
	await other.until('"fine"');
	other.close();
});

test('RL-08: the errors of the host itself are not sent either', async () => {
	const { port } = await serve({ service: quiet(), limits: { maxBodyBytes: 0 } });
	const rows: [string, ...string[]][] = [
		['POST /ws/x', 'Content-Length: 3', 'Expect: miracles'],
		['GET /ws/x', ...Array.from({ length: 200 }, () => 'a:b')],
		['POST /ws/x', 'Content-Length: 20000'],
		['GET /ws/x', 'Host: two.example'],
		['GET /ws/x', `X: ${'x'.repeat(20_000)}`],
		['POST /ws/x', 'Content-Length: 3', 'Transfer-Encoding: chunked']
	];
	for (const [line, ...headers] of rows) {
		const wire = await openWire(port);
		wire.send(head(line, port, ...headers) + 'x'.repeat(20_000));
		expect(await wire.end(), headers[0]).toBe('');
	}
	const fine = await openWire(port);
	fine.send(head('POST /ws/fine', port, 'Content-Length: 20000') + 'x'.repeat(20_000));
	expect(await fine.until('Try again')).toMatch(/^HTTP\/1\.1 503 /);
	fine.close();
});

test('RL-08: a body that does not come, or is none, gets a blacklisted client neither 408 nor 400', async () => {
	const { port } = await serve({ service: quiet(), limits: shortLimits });
	for (const lines of ['Content-Length: 3', 'Transfer-Encoding: chunked\r\n\r\nzz']) {
		const wire = await openWire(port);
		wire.send(head('POST /ws/x', port, lines));
		expect(await wire.end(), lines).toBe('');
	}
});
