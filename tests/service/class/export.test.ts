import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { classExport } from '#api/control/board.ts';
import { toCsv } from '#service/class/export-class.ts';
import { ClassServer, failingExchange } from './class-server.ts';

/** What xAPI 1.0.3 asks of a statement (Part Two, section 2). */
const statement = v.strictObject({
	id: v.pipe(v.string(), v.uuid()),
	actor: v.strictObject({
		objectType: v.literal('Agent'),
		account: v.strictObject({ homePage: v.pipe(v.string(), v.url()), name: v.string() })
	}),
	verb: v.strictObject({ id: v.pipe(v.string(), v.url()), display: v.record(v.string(), v.string()) }),
	object: v.strictObject({
		id: v.pipe(v.string(), v.url()),
		objectType: v.literal('Activity'),
		definition: v.strictObject({ type: v.pipe(v.string(), v.url()), name: v.record(v.string(), v.string()) })
	}),
	result: v.optional(
		v.strictObject({
			completion: v.optional(v.boolean()),
			duration: v.optional(v.pipe(v.string(), v.regex(/^PT\d+M$/))),
			score: v.optional(v.strictObject({ raw: v.number(), min: v.number(), max: v.number() }))
		})
	),
	context: v.optional(
		v.strictObject({ platform: v.string(), contextActivities: v.object({ parent: v.array(v.unknown()) }) })
	),
	timestamp: v.pipe(v.string(), v.isoTimestamp())
});

const minute = 60_000;
const progress = { lesson: 'whole-trip', step: 2, shown: { 0: ['h_1'] }, of: 4, is_done: false };

describe('the export', () => {
	it('has results, and no address, value or text of a student', async () => {
		const server = new ClassServer();
		const { code, key } = await server.open();
		const seat = await server.join(code);
		await server.change(seat.key, code, 1, { progress: { ...progress, prediction: '1' } });
		for (let count = 0; count < 3; count++) await failingExchange(server, seat);
		await server.call(key, 'GET', `/control/classes/${code}`);
		const response = await server.call(key, 'GET', `/control/classes/${code}/export`);
		const [exported] = response.as(classExport).seats;
		expect(exported).toMatchObject({ seat: 1, label: seat.label, requests: 3, tries: 3, signals: ['same_again'] });
		for (const secret of ['127.0.0.1', 'localhost:3000', 'my-client', seat.id, 'wrong'])
			expect(response.text).not.toContain(secret);
		const csv = await server.call(key, 'GET', `/control/classes/${code}/export?format=csv`);
		expect(csv.header('content-type')).toContain('text/csv');
		expect(csv.header('content-disposition')).toBe(`attachment; filename="class-${code}.csv"`);
		expect(csv.text.split('\r\n')).toHaveLength(3);
		expect((await server.call(key, 'GET', `/control/classes/${code}/export?format=xml`)).status).toBe(400);
		const exportedSeats = response.as(classExport).seats.map((seat) => ({ ...seat, label: '-1+1' }));
		const table = toCsv({ ...response.as(classExport), seats: exportedSeats });
		expect(table, 'a cell that a spreadsheet would compute').toContain(",'-1+1,");
	});

	it('counts the requests of the class, whatever the log keeps, and the minutes until the last one', async () => {
		const server = new ClassServer();
		const { code, key } = await server.open();
		const seat = await server.join(code);
		await server.call(key, 'PATCH', '/control/sandboxes/root', { traffic_entries: 5 });
		for (let count = 0; count < 3; count++) await failingExchange(server, seat);
		await server.call(seat.key, 'POST', `/~${seat.id}/control/reset`, { keep: ['applications'] });
		await server.tested.service.purge();
		server.tested.clock += 8 * minute;
		for (let count = 0; count < 2; count++) await failingExchange(server, seat);
		const exported = (await server.call(key, 'GET', `/control/classes/${code}/export`)).as(classExport);
		expect(exported.seats).toMatchObject([{ requests: 5, tries: 5, minutes: 8 }]);
	});

	it('counts the time on task without pauses, and has what the instructor noted', async () => {
		const server = new ClassServer();
		const { code, key } = await server.open();
		const seat = await server.join(code);
		for (const wait of [0, 4, 30, 3]) {
			server.tested.clock += wait * minute;
			await server.change(seat.key, code, 1, { presence: true });
			await failingExchange(server, seat);
		}
		await server.change(key, code, 1, { note: '=cmd|calc, "quoted"', helped: true });
		const exported = (await server.call(key, 'GET', `/control/classes/${code}/export`)).as(classExport);
		expect(exported.seats).toMatchObject([{ minutes: 37, active_minutes: 7, helped: true }]);
		const csv = await server.call(key, 'GET', `/control/classes/${code}/export?format=csv`);
		expect(csv.text).toContain(`,7,,yes,"'=cmd|calc, ""quoted"""`);
	});

	it('has statements of xAPI, whose actors are accounts without names', async () => {
		const server = new ClassServer();
		const { code, key } = await server.open();
		const seat = await server.join(code);
		await server.change(seat.key, code, 1, { progress: { ...progress, is_done: true } });
		await server.change(seat.key, code, 1, { progress: { ...progress, lesson: 'write/exchange-the-code' } });
		const read = () => server.call(key, 'GET', `/control/classes/${code}/export?format=xapi`);
		const response = await read();
		const found = v.parse(v.array(statement), JSON.parse(response.text));
		expect(found.map(({ verb }) => verb.display['en-US'])).toEqual(['attended', 'completed', 'attempted']);
		expect(found.map(({ object }) => object.id)).toEqual([
			`https://tollgate.test/class/${code}`,
			'https://tollgate.test/learn/whole-trip',
			'https://tollgate.test/write/exchange-the-code'
		]);
		expect(found.map(({ object }) => object.definition.name['en-US'])).toEqual([
			'Workshop',
			'Authorization code flow',
			'Exchange the code'
		]);
		expect(new Set(found.map(({ actor }) => actor.account.name)).size).toBe(1);
		expect(response.text).not.toContain(seat.label);
		expect((await read()).text, 'the same content has the same ids').toBe(response.text);
	});
});
