import { expect, it } from 'vitest';
import { heartbeat } from '#service/event-streams.ts';
import type { Sandbox } from '../conformance/sandbox.ts';
import { benchService } from './bench-service.ts';

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
		expect(wait?.milliseconds).toBe(heartbeat);
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
