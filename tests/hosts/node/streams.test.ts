import { expect, test } from 'vitest';
import type { WireResult } from '#api/message.ts';
import { fakeService } from '../fake-service.ts';
import { head, openWire } from '../raw-connection.ts';
import { serve } from './serve.ts';

/** A service whose streams a test feeds, and which counts how many are being listened to. */
function feed() {
	const listeners = new Set<(text: string | undefined) => void>();
	const response = async (): Promise<WireResult> => ({
		kind: 'stream',
		status: 200,
		headers: ['Content-Type', 'text/event-stream'],
		body: {
			[Symbol.asyncIterator]() {
				const queue: (string | undefined)[] = [];
				let wake = () => {};
				const listen = (text: string | undefined) => {
					queue.push(text);
					wake();
				};
				listeners.add(listen);
				return {
					async next() {
						while (queue.length === 0) await new Promise<void>((resolve) => (wake = resolve));
						const value = queue.shift();
						return value === undefined ? { done: true, value } : { done: false, value };
					},
					async return() {
						listeners.delete(listen);
						return { done: true, value: undefined };
					}
				};
			}
		}
	});
	const say = (text: string | undefined) => listeners.forEach((listen) => listen(text));
	return { service: fakeService(response), listeners, say };
}

const stream = (port: number) => head('GET /control/traffic/stream', port);

test('events arrive when they are sent; the head comes before the first', async () => {
	const { service, say } = feed();
	const { port } = await serve({ service });
	const wire = await openWire(port);
	wire.send(stream(port));
	expect(await wire.until('\r\n\r\n')).toMatch(/text\/event-stream.*nosniff/is);
	say('data: 1\n\n');
	await wire.until('data: 1\n\n');
	say('data: é\n\n');
	await wire.until('data: \xc3\xa9\n\n');
	say(undefined);
	await wire.until('\r\n0\r\n\r\n');
	wire.close();
});

test('the iteration ends when the other end leaves', async () => {
	const { service, listeners } = feed();
	const { port, load } = await serve({ service });
	const wires = await Promise.all([openWire(port), openWire(port)]);
	for (const wire of wires) await wire.send(stream(port)).until('\r\n\r\n');
	expect([listeners.size, load().streams]).toEqual([2, 2]);
	for (const wire of wires) wire.close();
	await expect.poll(() => [listeners.size, load().streams, load().connections]).toEqual([0, 0, 0]);
});

test('no more streams than allowed: 503, and room again when one has gone', async () => {
	const { service, listeners } = feed();
	const { port, load } = await serve({ service, limits: { maxStreams: 1 } });
	const first = await openWire(port);
	await first.send(stream(port)).until('\r\n\r\n');
	const second = await openWire(port);
	expect(await second.send(stream(port)).until('streams')).toMatch(/^HTTP\/1\.1 503 /);
	expect(listeners.size).toBe(1);
	first.close();
	await expect.poll(() => load().streams).toBe(0);
	second.send(stream(port));
	await second.until('text/event-stream');
	second.close();
});

test('a body that fails ends the connection and is reported', async () => {
	let fail = () => {};
	const failing = new Promise<void>((resolve) => (fail = resolve));
	const service = fakeService(async () => ({
		kind: 'stream',
		status: 200,
		headers: [],
		body: (async function* () {
			yield 'one';
			await failing;
			throw new Error('no more');
		})()
	}));
	const { port, faults } = await serve({ service });
	const wire = await openWire(port);
	await wire.send(stream(port)).until('one\r\n');
	fail();
	expect(await wire.end()).toMatch(/one\r\n$/);
	expect(faults).toMatchObject([{ message: 'no more' }]);
});

test('a reader that stalls is given up, and its iteration ended', async () => {
	const { service, listeners, say } = feed();
	const { port, load } = await serve({ service, limits: { writeStallTimeout: 200, checkInterval: 20 } });
	const wire = await openWire(port);
	await wire.send(stream(port)).until('\r\n\r\n');
	wire.socket.pause();
	const lines = 'x'.repeat(1024 * 1024);
	const talk = setInterval(() => say(lines), 5);
	await expect.poll(() => load().connections).toBe(0);
	clearInterval(talk);
	expect(listeners.size).toBe(0);
	wire.close();
});
