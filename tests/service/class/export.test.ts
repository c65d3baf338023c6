import { describe, expect, it } from 'vitest';
import { classExport } from '#api/control/board.ts';
import { toCsv } from '#service/class/export-class.ts';
import { ClassServer, failingExchange } from './class-server.ts';

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
});
