import { describe, expect, it, vi } from 'vitest';
import type { Quotas } from '#service/core/quotas.ts';
import { heartbeatInterval } from '#service/traffic/sse-streams.ts';
import type { Sandbox } from '../conformance/sandbox.ts';
import { createTestService } from './test-service.ts';

/** A service in which a delay ends when a test calls `pass`. */
function waiting(quotas: Partial<Quotas> = {}) {
	const waits: { readonly milliseconds: number; readonly pass: () => void }[] = [];
	const sleep = (milliseconds: number) => new Promise<void>((pass) => waits.push({ milliseconds, pass }));
	return { tested: createTestService({ sleep, quotas }), waits };
}

const opening = ': the traffic of this sandbox\n\n';

async function open(at: Sandbox) {
	const stream = await at.stream('traffic/stream');
	expect(await stream.next()).toBe(opening);
	return stream;
}

it('RM-04 an idle stream sends heartbeats', async () => {
	const { tested, waits } = waiting();
	const at = await tested.sandbox();
	const stream = await open(at);
	for (let beat = 0; beat < 3; beat++) {
		const next = stream.next();
		const [wait] = waits.splice(0);
		expect(wait?.milliseconds).toBe(heartbeatInterval);
		wait?.pass();
		expect(await next).toBe(': still here\n\n');
	}
	const next = stream.next();
	await at.get('/ratelimiting');
	expect(await next).toMatch(/^id: 1\ndata: /);
	for (let call = 0; call < 50; call++) {
		const more = stream.next();
		await at.get('/ratelimiting');
		await more;
	}
	expect(waits, 'one delay at a time, however many events there are').toHaveLength(1);
	stream.close();
});

describe('RM-05 limits of open streams', () => {
	const rejection = async (at: Sandbox) => {
		const { status, error, text } = await at.control('GET', 'traffic/stream');
		expect([status, error]).toEqual([409, 'limit_reached']);
		return text;
	};

	it('limits the streams of a sandbox; a closed one makes room', async () => {
		const { tested } = waiting({ streamsPerSandbox: 2 });
		const [at, other] = [await tested.sandbox(), await tested.sandbox()];
		const streams = [await open(at), await open(at)];
		expect(await rejection(at)).toContain('This sandbox has 2 event streams open');
		await open(other);
		streams[0]?.close();
		await open(at);
		await rejection(at);
	});

	it('limits the streams of an address over all sandboxes, and no other address', async () => {
		const { tested } = waiting({ streamsPerAddress: 2 });
		const [one, two] = [await tested.sandbox(), await tested.sandbox()];
		const first = await open(one.from('10.0.0.1'));
		await open(two.from('10.0.0.1'));
		expect(await rejection(one.from('10.0.0.1'))).toContain('Your address has 2 event streams open');
		await open(one.from('10.0.0.2'));
		first.close();
		await open(two.from('10.0.0.1'));
		await rejection(two.from('10.0.0.1'));
	});

	it('limits the streams of all sandboxes together and rejects the newest; the root has its own', async () => {
		const { tested } = waiting({ streams: 2, rootStreams: 1 });
		const [one, two] = [await tested.sandbox(), await tested.sandbox()];
		const first = await open(one.from('10.0.0.1'));
		await open(two.from('10.0.0.2'));
		expect(await rejection(two.from('10.0.0.3'))).toContain('All event streams of this server are in use');
		const target = '/control/traffic/stream';
		expect((await tested.transport.stream({ target })).status).toBe(200);
		expect((await tested.transport.send({ target }))?.status).toBe(409);
		await one.remove();
		expect(await first.next()).toContain('deleted');
		expect(await first.next()).toBeUndefined();
		await open(two.from('10.0.0.3'));
	});
});

it('RM-07 a stream reports a reset, and ends with a report when its sandbox is deleted or expires', async () => {
	const { tested } = waiting();
	const [at, other] = [await tested.sandbox(), await tested.sandbox()];
	const [one, two] = [await open(at), await open(other)];
	await at.get('/ratelimiting');
	await at.controlled('POST', 'reset');
	expect(await one.next()).toMatch(/^id: 1\n/);
	expect(await one.next()).toBe('event: reset\ndata: {}\n\n');
	const next = one.next();
	await at.remove();
	expect(await next).toBe('event: deleted\ndata: {}\n\n');
	expect(await one.next()).toBeUndefined();
	tested.clock += 25 * 3_600_000;
	const expired = two.next();
	await tested.service.purge();
	expect(await expired).toBe('event: deleted\ndata: {}\n\n');
	expect(await two.next()).toBeUndefined();
});

it('RM-05 a slow reader gets the newest 500 events', async () => {
	const { tested } = waiting();
	const at = await tested.sandbox();
	const stream = await open(at);
	for (let call = 0; call < 600; call++) await at.get('/ws/nothing');
	let seen = '';
	for (let read = 0; read < 500; read++) seen += (await stream.next()) ?? '';
	const ids = [...seen.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id));
	expect([ids.length, ids[0], ids.at(-1)]).toEqual([500, 101, 600]);
	stream.close();
});

it('RM-05 an event is written once for all streams of its sandbox, so that slow readers share its memory', async () => {
	const { tested } = waiting();
	const at = await tested.sandbox();
	const streams = [await open(at), await open(at), await open(at)];
	const written = vi.spyOn(JSON, 'stringify');
	for (let call = 0; call < 10; call++) await at.get('/ws/nothing');
	const events = written.mock.calls.filter(([value]) => typeof value === 'object' && value !== null && 'seq' in value);
	written.mockRestore();
	expect(events).toHaveLength(10);
	for (const stream of streams) {
		let seen = '';
		while (!seen.includes('id: 10\n')) seen += (await stream.next()) ?? '';
		stream.close();
	}
});
