import { expect, it, onTestFinished } from 'vitest';
import { classBoard } from '#api/control/board.ts';
import { openDiskStore } from '#hosts/node/disk/disk-store.server.ts';
import { openRedis } from '#hosts/node/redis/open-redis.server.ts';
import { recordLimits } from '#service/sandbox/record-limits.ts';
import type { Records } from '#service/sandbox/records.ts';
import type { ServiceOptions } from '#service/core/options.ts';
import { ClassServer, type OpenedClass } from '../service/class/class-server.ts';
import { describeWithRedis, startRedis } from './redis/redis-server.ts';
import { temporaryFolder } from './temporary-folder.ts';

const progress = { lesson: 'whole-trip', step: 2, shown: { 0: ['h_1'] }, of: 4, is_done: false };
const report = (fault: unknown) => {
	throw fault;
};

async function boardOf(server: ClassServer, { code, key }: OpenedClass) {
	return (await server.call(key, 'GET', `/control/classes/${code}`)).as(classBoard);
}

it('keeps classes, seats, keys and progress on the disk, and says since when it knows the traffic', async () => {
	const folder = await temporaryFolder();
	const before = await openDiskStore<Records>(folder, recordLimits, report);
	const first = new ClassServer({ store: before });
	const opened = await first.open();
	const seat = await first.join(opened.code);
	await first.change(seat.key, opened.code, 1, { progress, hand: true });
	await before.close();

	const after = await openDiskStore<Records>(folder, recordLimits, report);
	onTestFinished(() => after.close());
	const second = new ClassServer({ store: after, now: () => first.tested.clock + 60_000 });
	const board = await boardOf(second, opened);
	expect(board.rows).toMatchObject([{ label: seat.label, lesson: 'whole-trip', step: 2, shown: 1, minutes: 1 }]);
	expect(board.rows[0]?.hand).toEqual({ since: first.tested.clock });
	expect(board.since).toBe(first.tested.clock + 60_000);
	expect((await second.statusOf(seat)).label).toBe(seat.label);
	expect((await second.join(opened.code)).seat).toBe(2);
	await second.call(opened.key, 'DELETE', `/control/classes/${opened.code}`);
	expect((await second.call(seat.key, 'GET', `/~${seat.id}/control/sandbox`)).status).toBe(404);
});

describeWithRedis('two servers over Redis', () => {
	it('show the requests of a seat, which one server handled, on the board of the other one', async () => {
		const redis = await startRedis();
		onTestFinished(() => redis.close());
		const connect = async (): Promise<Partial<ServiceOptions>> => {
			const { store, traffic, secret, close } = await openRedis<Records>(redis.url, 'test', recordLimits, report);
			onTestFinished(() => close());
			return { store, traffic, secret };
		};
		const [one, other] = [new ClassServer(await connect()), new ClassServer(await connect())];
		const opened = await one.open();
		const all = await Promise.all(
			Array.from({ length: 6 }, (_, at) => (at % 2 === 0 ? one : other)).map((server) =>
				server.send('POST', `/control/classes/${opened.code}/seats`)
			)
		);
		expect(all.map(({ status }) => status).sort()).toEqual([201, 201, 201, 201, 201, 409]);
		const extra = await one.open();
		const seat = await other.join(extra.code);
		await other.send('GET', `/~${seat.id}/ws/v2.0/ratelimits`);
		const board = await boardOf(one, extra);
		expect(board.rows).toMatchObject([{ seat: 1, label: seat.label, client: 'own' }]);
		expect(board.rows[0]?.last?.text).toContain('ratelimits: invalid_token');
		expect(board.since, 'the log is in Redis').toBe(board.created);

		// The pages of a seat, whose requests go to both servers.
		await one.change(seat.key, extra.code, seat.seat, { progress, hand: true });
		expect((await other.statusOf(seat)).hand).toMatchObject({ place: 1 });
		await one.call(extra.key, 'POST', `/control/classes/${extra.code}/notices`, { text: 'Read this' });
		expect((await other.statusOf(seat)).notices).toMatchObject([{ text: 'Read this' }]);
		await other.change(extra.key, extra.code, seat.seat, { hand: false });
		expect((await one.statusOf(seat)).hand).toBeNull();
		expect((await boardOf(other, extra)).rows).toMatchObject([{ lesson: 'whole-trip', step: 2, hand: null }]);
		await other.call(extra.key, 'DELETE', `/control/classes/${extra.code}`);
		expect((await one.call(seat.key, 'GET', `/~${seat.id}/control/status`)).status).toBe(404);
	});
});
