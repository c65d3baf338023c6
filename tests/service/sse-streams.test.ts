import { describe, expect, it } from 'vitest';
import { heartbeatInterval } from '#service/traffic/sse-streams.ts';
import type { SandboxBus } from '#service/service.ts';
import type { Sandbox } from '../conformance/sandbox.ts';
import type { RawStream } from '../conformance/transport.ts';
import { benchService } from './test-service.ts';

/** A service whose waits last until a test lets them pass. */
function patient() {
	const waits: { readonly milliseconds: number; readonly pass: () => void }[] = [];
	const sleep = (milliseconds: number) => new Promise<void>((pass) => waits.push({ milliseconds, pass }));
	return { bench: benchService({ sleep }), waits };
}

const opening = ': the traffic of this sandbox\n\n';
const open = async (at: Sandbox) => {
	const stream = await at.stream('traffic/stream');
	expect(await stream.next()).toBe(opening);
	return stream;
};

it('RM-04 a stream that has nothing to tell says now and then that it is still there', async () => {
	const { bench, waits } = patient();
	const at = await bench.sandbox();
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
	expect(waits, 'one wait at a time, however much is told').toHaveLength(1);
	stream.close();
});

it('RM-05 a sandbox has ten streams at the most, and another once one was left', async () => {
	const { bench } = patient();
	const [at, other] = [await bench.sandbox(), await bench.sandbox()];
	const streams = await Promise.all(Array.from({ length: 10 }, () => open(at)));
	const refused = await at.control('GET', 'traffic/stream');
	expect([refused.status, refused.error]).toEqual([409, 'limit_reached']);
	(await open(other)).close();
	streams[3]?.close();
	(await open(at)).close();
	for (const stream of streams) stream.close();
});

describe('where all streams of a service are taken', () => {
	/** A stranger with forty sandboxes of ten streams each, oldest first, and nothing left for anybody else. */
	async function crowded() {
		const { bench } = patient();
		const taken: RawStream[] = [];
		const theirs: Sandbox[] = [];
		for (let count = 0; count < 40; count++) {
			const at = (await bench.sandbox()).from('10.0.0.1');
			theirs.push(at);
			for (let stream = 0; stream < 10; stream++) taken.push(await open(at));
		}
		return { bench, taken, theirs };
	}
	const closing = /^retry: 60000\nevent: closing\ndata: \{"reason":"All event streams of this server [^"]+"\}\n\n$/;
	/** Counts the streams that say something, or end. */
	const heardOf = (streams: readonly RawStream[]) => {
		const heard: unknown[] = [];
		for (const stream of streams) void stream.next().then((piece) => heard.push(piece));
		return heard;
	};

	it('RM-05 the oldest of the address that has most gives way, and says why before it ends', async () => {
		const { bench, taken } = await crowded();
		const [oldest, ...others] = taken;
		const heard = heardOf(others);
		const mine = await open((await bench.sandbox()).from('10.0.0.2'));
		expect(await oldest?.next()).toMatch(closing);
		expect(await oldest?.next()).toBeUndefined();
		mine.close();
		await open((await bench.sandbox()).from('10.0.0.3'));
		expect(heard, 'one had left, so nobody else had to').toEqual([]);
	});

	it('RM-05 in a room behind one address, the sandbox that has most gives way', async () => {
		const { bench, taken } = await crowded();
		const next = taken[0]?.next();
		const mine = (await bench.sandbox()).from('10.0.0.1');
		await open(mine);
		expect(await next).toMatch(closing);
	});

	it('RM-05 who gave way and comes back gets none from somebody with fewer: nobody takes turns', async () => {
		const { bench, theirs } = await crowded();
		const mine = (await bench.sandbox()).from('10.0.0.2');
		const heard = heardOf([await open(mine), await open(mine)]);
		for (const at of theirs.slice(0, 2)) {
			const response = await at.control('GET', 'traffic/stream');
			expect([response.status, response.error]).toEqual([409, 'limit_reached']);
			expect(response.text).toContain('nobody has more than you');
		}
		expect(heard).toEqual([]);
	});

	it('RM-05 the root sandbox has its own', async () => {
		const { bench } = await crowded();
		const stream = await bench.transport.stream({ target: '/control/traffic/stream' });
		expect(stream.status).toBe(200);
	});
});

it('RM-07 a stream ends when its sandbox is deleted or expires, and is told of a reset', async () => {
	const { bench } = patient();
	const [at, other] = [await bench.sandbox(), await bench.sandbox()];
	const [one, two] = [await open(at), await open(other)];
	await at.get('/ratelimiting');
	await at.controlled('POST', 'reset');
	expect(await one.next()).toMatch(/^id: 1\n/);
	expect(await one.next()).toBe('event: reset\ndata: {}\n\n');
	const next = one.next();
	await at.remove();
	expect(await next).toBeUndefined();
	expect(await one.next()).toBeUndefined();
	bench.clock += 25 * 3_600_000;
	const expired = two.next();
	await bench.service.purge();
	expect(await expired).toBeUndefined();
});

it('RM-07 a stream of another service over the same store is told of a reset and of a snapshot, and ends with the sandbox', async () => {
	const [here, there] = siblings();
	const one = benchService({ sandboxBus: here });
	const two = benchService({ sandboxBus: there, store: one.store });
	const [at, other] = [await one.sandbox(), await one.sandbox()];
	const open = async (id: string, key: string) => {
		const stream = await two.transport.stream({
			target: `/~${id}/control/traffic/stream`,
			headers: ['X-Tollgate-Key', key]
		});
		expect(await stream.next()).toBe(opening);
		return stream;
	};
	const [stream, spared] = [await open(at.id, at.key), await open(other.id, other.key)];
	await at.controlled('POST', 'reset');
	expect(await stream.next()).toBe('event: reset\ndata: {}\n\n');
	await at.controlled('PUT', 'snapshot', (await at.controlled('GET', 'snapshot')).json());
	expect(await stream.next()).toBe('event: reset\ndata: {}\n\n');
	await at.remove();
	expect(await stream.next()).toBeUndefined();
	await other.controlled('POST', 'reset');
	expect(await spared.next(), 'what happened to another sandbox is nothing to it').toBe('event: reset\ndata: {}\n\n');
	spared.close();
});

/** Two services that hear each other at once. */
function siblings(): [SandboxBus, SandboxBus] {
	const ears: Parameters<SandboxBus['subscribe']>[0][][] = [[], []];
	const ends = (own: number, others: number): SandboxBus => ({
		publish: (sandbox, news) => ears[others]?.forEach((heard) => heard(sandbox, news)),
		subscribe: (heard) => void ears[own]?.push(heard)
	});
	return [ends(0, 1), ends(1, 0)];
}

it('RM-05 a reader that falls behind is told the newest', async () => {
	const { bench } = patient();
	const at = await bench.sandbox();
	const stream = await open(at);
	for (let call = 0; call < 600; call++) await at.get('/ws/nothing');
	let seen = '';
	for (let read = 0; read < 500; read++) seen += (await stream.next()) ?? '';
	const ids = [...seen.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id));
	expect([ids.length, ids[0], ids.at(-1)]).toEqual([500, 101, 600]);
	stream.close();
});
