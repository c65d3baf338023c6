import { expect, test } from 'vitest';
import { echo, fakeService, json } from '../fake-service.ts';
import { head, openWire } from '../raw-connection.ts';
import { serve } from './serve.ts';

test('what is under way finishes, idle connections go, nothing new is taken', async () => {
	const release: (() => void)[] = [];
	const service = fakeService(async (request) => {
		if (request.target !== '/ws/slow') return echo(request);
		await new Promise<void>((resolve) => release.push(resolve));
		return json(200, 'finished');
	});
	const server = await serve({ service });
	const idle = await openWire(server.port);
	idle.send(head('GET /ws/x', server.port));
	await idle.until('"/ws/x"');
	const busy = await openWire(server.port);
	busy.send(head('GET /ws/slow', server.port));
	await expect.poll(() => release.length).toBe(1);
	const closed = server.close();
	await idle.closed;
	await expect(openWire(server.port)).rejects.toThrow();
	expect(busy.isClosed).toBe(false);
	release.forEach((go) => go());
	expect(await busy.end()).toMatch(/^HTTP\/1\.1 200 .*"finished"$/s);
	await closed;
	await expect.poll(() => server.load()).toEqual({ connections: 0, streams: 0 });
});

test('responses that wait for a slow reader all arrive, however many it has pipelined', async () => {
	const body = 'x'.repeat(60 * 1024);
	const service = fakeService(async () => ({ kind: 'response', status: 200, headers: [], body }));
	const server = await serve({ service, limits: { maxPipelined: 200 } });
	const slow = await openWire(server.port);
	slow.socket.pause();
	slow.send(head('GET /ws/x', server.port).repeat(200));
	await expect.poll(() => service.seen.length).toBeGreaterThan(0);
	const closed = server.close();
	slow.socket.resume();
	const responses = await slow.end();
	expect(responses.match(/HTTP\/1\.1 200/g)).toHaveLength(200);
	expect(responses.length).toBeGreaterThan(200 * body.length);
	await closed;
});

test('what hangs is destroyed after the time-out; streams end at once', async () => {
	const service = fakeService(async (request) => {
		if (request.target === '/ws/hang') return new Promise(() => undefined);
		return {
			kind: 'stream',
			status: 200,
			headers: [],
			body: (async function* () {
				yield 'one';
				await new Promise(() => undefined);
			})()
		};
	});
	const server = await serve({ service, limits: { shutdownTimeout: 200 } });
	const stream = await openWire(server.port);
	await stream.send(head('GET /control/traffic/stream', server.port)).until('one');
	const hanging = await openWire(server.port);
	hanging.send(head('GET /ws/hang', server.port));
	await expect.poll(() => service.seen.length).toBe(2);
	const closed = server.close();
	expect(await stream.end()).toMatch(/\r\n0\r\n\r\n$/);
	expect(await hanging.end()).toBe('');
	await closed;
});

test('closing twice is closing once', async () => {
	const server = await serve();
	await Promise.all([server.close(), server.close()]);
});
