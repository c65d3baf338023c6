import { expect, test } from 'vitest';
import { silence, type WireAnswer } from '#wire/message.ts';
import { fakeService, json } from '../fake-service.ts';
import { head, openWire } from '../wire.ts';
import { serve } from './serve.ts';

const quiet = () =>
	fakeService(async (request): Promise<WireAnswer> => (request.target === '/ws/fine' ? json(200, 'fine') : silence));

test('RL-08: silence is a closed connection and zero bytes, on every path and method', async () => {
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

test('RL-08: in a pipeline silence comes in its turn', async () => {
	const { port } = await serve({ service: quiet() });
	const wire = await openWire(port);
	wire.send(head('GET /ws/fine', port) + head('GET /ws/x', port) + head('GET /ws/fine', port));
	const all = await wire.end();
	expect(all.split('HTTP/1.1 200').length - 1).toBe(1);
	expect(all).toMatch(/"fine"$/);
});

test('RL-08: nothing of a pipeline is answered or executed once its connection has gone', async () => {
	const { port, fake, load } = await serve({ service: quiet() });
	for (let round = 0; round < 20; round += 1) {
		const wire = await openWire(port);
		wire.send(head('GET /ws/x', port).repeat(50));
		expect(await wire.end()).toBe('');
	}
	await expect.poll(() => load().connections).toBe(0);
	expect(fake.seen.length).toBeLessThanOrEqual(20 * 50);
});

test('RL-08: silence to a body too long to read', async () => {
	const { port } = await serve({ service: quiet() });
	const wire = await openWire(port);
	wire.send(head('POST /ws/x', port, 'Content-Length: 99999999') + 'x'.repeat(100_000));
	expect(await wire.end()).toBe('');
});
