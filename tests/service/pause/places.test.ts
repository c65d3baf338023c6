import { expect, it } from 'vitest';
import { pause } from '#api/control/pause.ts';
import type { Sandbox } from '../../conformance/sandbox.ts';
import { ClassServer } from '../class/class-server.ts';
import { opened } from './paused-sandbox.ts';

const addresses = ['192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4', '192.0.2.5'];
const refreshes = (count: number, from: Sandbox) => Array.from({ length: count }, () => from.refresh('unknown'));
const viewOf = async (at: Sandbox) => (await at.controlled('GET', 'pause')).as(pause);
const waitsFor = (at: Sandbox, count: number) => expect.poll(async () => (await viewOf(at)).held.length).toBe(count);

it('H3 another address has five in a sandbox, and the list counts what passed', async () => {
	const { at, hold } = await opened();
	await hold('refresh');
	const sent = refreshes(20, at.from('192.0.2.1'));
	await waitsFor(at, 5);
	expect((await viewOf(at)).passed).toBe(15);
	sent.push(...refreshes(15, at));
	await waitsFor(at, 20);
	await hold();
	expect((await Promise.all(sent)).every(({ status }) => status === 400)).toBe(true);
	expect((await viewOf(at)).passed, 'counted for the chosen points').toBe(0);
});

it('H3 messages of the address that pauses come before those of others', async () => {
	const { at, hold } = await opened();
	await hold('refresh');
	const sent = addresses.slice(0, 4).flatMap((address) => refreshes(5, at.from(address)));
	await waitsFor(at, 20);
	const own = refreshes(20, at);
	await expect.poll(async () => (await viewOf(at)).passed).toBe(20);
	expect(
		(await Promise.all(sent)).every(({ status }) => status === 400),
		'they continued'
	).toBe(true);
	expect((await viewOf(at)).held).toHaveLength(20);
	expect((await at.from('192.0.2.5').refresh('unknown')).status, 'no other address replaces one of the owner').toBe(
		400
	);
	await hold();
	await Promise.all(own);
});

it('H3 where all are taken, the other address with the most loses its oldest to another one', async () => {
	const { at, hold } = await opened();
	await hold('refresh');
	const sent = addresses.slice(0, 4).flatMap((address) => refreshes(5, at.from(address)));
	await waitsFor(at, 20);
	const late = at.from('192.0.2.5').refresh('unknown');
	expect((await Promise.race(sent)).status).toBe(400);
	await waitsFor(at, 20);
	await hold();
	await Promise.all([...sent, late]);
});

it('H3 messages of one sandbox take 256 KiB at most', async () => {
	const { at, hold } = await opened();
	await hold('refresh');
	const long = Array.from({ length: 17 }, () => at.refresh('x'.repeat(16_000)));
	await waitsFor(at, 16);
	expect((await viewOf(at)).passed).toBe(1);
	await hold();
	await Promise.all(long);
});

it('H3 three addresses that hold all messages of a server lose them to another one', async () => {
	const { service } = await opened();
	const [mine, ...others] = await Promise.all(Array.from({ length: 27 }, () => service.sandbox()));
	if (mine === undefined) return;
	const owned = others.map((at, number) => at.from(addresses[number % 3] ?? ''));
	for (const at of owned) await at.controlled('PUT', 'pause', { points: ['refresh'] });
	const sent = owned.flatMap((at) => refreshes(20, at));
	const count = async () => (await Promise.all(others.map(viewOf))).reduce((sum, { held }) => sum + held.length, 0);
	await expect.poll(count).toBe(500);
	await mine.controlled('PUT', 'pause', { points: ['refresh'] });
	sent.push(...refreshes(20, mine));
	await waitsFor(mine, 20);
	expect(await count()).toBe(480);
	service.clock += 21_000;
	expect((await Promise.all(sent)).every(({ status }) => status === 400)).toBe(true);
	expect(await count()).toBe(0);
});

it('H3 the address that pauses the most sandboxes loses one to another one', async () => {
	const { service, at } = await opened();
	const others = await Promise.all(
		Array.from({ length: 4 }, (_, number) =>
			Promise.all(Array.from({ length: 50 }, async () => (await service.sandbox()).from(addresses[number] ?? '')))
		)
	);
	for (const sandbox of others.flat()) await sandbox.controlled('PUT', 'pause', { points: ['refresh'] });
	expect((await at.control('PUT', 'pause', { points: ['refresh'] })).status).toBe(200);
	const views = await Promise.all(others.flat().map(viewOf));
	expect(views.filter(({ points }) => points.length === 0)).toHaveLength(1);
});

it('H3 a seat holds its messages, whatever others behind the same router hold', async () => {
	const server = new ClassServer({ sleep: () => new Promise((resolve) => setImmediate(resolve)) });
	const { code } = await server.open();
	const seat = await server.sandboxOf(await server.join(code));
	const service = server.tested;
	const others = await Promise.all(Array.from({ length: 26 }, () => service.sandbox()));
	for (const at of others) await at.controlled('PUT', 'pause', { points: ['refresh'] });
	const sent = others.flatMap((at) => refreshes(20, at));
	await seat.controlled('PUT', 'pause', { points: ['refresh'] });
	sent.push(...refreshes(20, seat));
	await waitsFor(seat, 20);
	service.clock += 21_000;
	await Promise.all(sent);
});
