import * as v from 'valibot';
import { describe, expect, it, vi } from 'vitest';
import { classBoard, classView, type BoardRow } from '#api/control/board.ts';
import { createdReader } from '#api/control/classes.ts';
import { maxNote } from '#api/control/seats.ts';
import { ClassServer, cookieOf, type OpenedClass } from './class-server.ts';

async function boardOf(server: ClassServer, key: string, code: string) {
	return (await server.call(key, 'GET', `/control/classes/${code}`)).as(classBoard);
}

async function rowsOf(server: ClassServer, { key, code }: OpenedClass): Promise<BoardRow[]> {
	// Records are read once a second.
	server.tested.clock += 2000;
	return (await boardOf(server, key, code)).rows;
}

async function readerOf(server: ClassServer, { key, code }: OpenedClass): Promise<string> {
	const response = await server.call(key, 'POST', `/control/classes/${code}/readers`);
	return response.as(createdReader).board_url.split('#class=')[1] ?? '';
}

describe('a co-instructor', () => {
	it('reads the board and changes nothing', async () => {
		const server = new ClassServer();
		const opened = await server.open();
		const { code, key } = opened;
		const seat = await server.join(code);
		const reader = await readerOf(server, opened);
		const board = await boardOf(server, reader, code);
		expect([board.role, board.rows.length]).toEqual(['co_instructor', 1]);
		expect((await boardOf(server, key, code)).role).toBe('instructor');
		const path = `/control/classes/${code}`;
		const attempts = [
			['PATCH', path, { is_locked: true }],
			['DELETE', path],
			['POST', `${path}/readers`],
			['POST', `${path}/notices`, { text: 'Hello' }],
			['GET', `${path}/export`],
			['GET', `${path}/seats/1/program`],
			['PATCH', `${path}/seats/1`, { note: 'x' }],
			['DELETE', `${path}/seats/1`],
			['GET', `/~${seat.id}/control/traffic`],
			['GET', `/~${seat.id}/control/settings`]
		] as const;
		for (const [method, target, body] of attempts)
			expect((await server.call(reader, method, target, body)).status, `${method} ${target}`).toBe(403);
	});

	it('gets a cookie that takes no rights from the browser of the instructor', async () => {
		const server = new ClassServer();
		const opened = await server.open();
		const { code, key } = opened;
		const reader = await readerOf(server, opened);
		const owner = `/control/classes/${code}/owner`;
		const other = cookieOf(await server.call(reader, 'POST', owner));
		const read = await server.send('GET', `/control/classes/${code}`, undefined, 'Cookie', other);
		expect(read.as(classBoard).role).toBe('co_instructor');
		const mine = cookieOf(await server.call(key, 'POST', owner));
		const again = await server.send('POST', owner, undefined, 'Cookie', mine, 'X-Tollgate-Key', reader);
		expect([again.status, again.header('set-cookie')]).toEqual([200, undefined]);
	});

	it('loses the board with the next link, which the instructor alone creates', async () => {
		const server = new ClassServer();
		const opened = await server.open();
		const first = await readerOf(server, opened);
		const second = await readerOf(server, opened);
		const status = async (key: string) => (await server.call(key, 'GET', `/control/classes/${opened.code}`)).status;
		expect([await status(first), await status(second)]).toEqual([403, 200]);
	});

	it('is counted on the board while a stream is open', async () => {
		const server = new ClassServer();
		const opened = await server.open();
		const reader = await readerOf(server, opened);
		const stream = `/control/classes/${opened.code}/stream`;
		expect((await boardOf(server, opened.key, opened.code)).boards).toEqual({
			...{ instructors: 0, co_instructors: 0, walls: 0 }
		});
		const follow = (key: string, target = stream) =>
			server.tested.transport.stream({ target, headers: ['X-Tollgate-Key', key] });
		const wall = await follow(reader, `${stream}?page=wall`);
		const streams = [await follow(opened.key), await follow(reader), wall];
		for (const one of streams) await one.next();
		const { boards } = await boardOf(server, opened.key, opened.code);
		expect(boards).toEqual({ instructors: 1, co_instructors: 1, walls: 1 });
		wall.close();
		await vi.waitFor(async () => expect((await boardOf(server, opened.key, opened.code)).boards.walls).toBe(0));
		for (const one of streams) one.close();
	});
});

describe('what the instructor says of seats', () => {
	it('keeps a note and a mark, which the student does not see', async () => {
		const server = new ClassServer();
		const opened = await server.open();
		const seat = await server.join(opened.code);
		const change = (key: string, body: object) => server.change(key, opened.code, seat.seat, body);
		expect((await change(seat.key, { note: 'mine' })).status).toBe(403);
		expect((await change(seat.key, { helped: true })).status).toBe(403);
		expect((await change(opened.key, { note: 'x'.repeat(maxNote + 1) })).status).toBe(400);
		await change(opened.key, { note: '  <b>Slow</b>\u202e network ', helped: true });
		const [row] = await rowsOf(server, opened);
		expect(row).toMatchObject({ note: '<b>Slow</b>\ufffd network', helped: server.tested.clock - 2000 });
		expect(JSON.stringify(await server.statusOf(seat))).not.toContain('network');
		await change(opened.key, { note: '', helped: false });
		expect((await rowsOf(server, opened))[0]).toMatchObject({ note: '', helped: null });
	});

	it('deals the seats into groups, and keeps the choice of the instructor', async () => {
		const server = new ClassServer();
		const opened = await server.open();
		const seats = [await server.join(opened.code), await server.join(opened.code), await server.join(opened.code)];
		const groups = async () => (await rowsOf(server, opened)).map(({ group }) => group);
		expect(await groups()).toEqual([null, null, null]);
		await server.call(opened.key, 'PATCH', `/control/classes/${opened.code}`, { groups: 2 });
		expect(await groups()).toEqual([1, 2, 1]);
		await server.change(opened.key, opened.code, 3, { group: 2 });
		await server.join(opened.code);
		expect(await groups()).toEqual([1, 2, 2, 2]);
		expect((await server.statusOf(seats[2] ?? (await server.join(opened.code)))).group).toBe(2);
		expect((await server.change(seats[0]?.key ?? '', opened.code, 1, { group: 2 })).status).toBe(403);
	});
});

describe('the timer of an exercise', () => {
	it('runs in real time, is extended, and ends', async () => {
		const server = new ClassServer();
		const { key, code } = await server.open();
		const change = async (timer: number) =>
			(await server.call(key, 'PATCH', `/control/classes/${code}`, { timer })).as(classView).timer;
		const start = server.tested.clock;
		expect(await change(600)).toEqual({ from: start, until: start + 600_000 });
		server.tested.clock += 60_000;
		expect(await change(900)).toEqual({ from: start, until: start + 960_000 });
		server.tested.clock += 1_000_000;
		const { timer } = await boardOf(server, key, code);
		expect(v.parse(v.object({ until: v.number() }), timer).until).toBeLessThan(server.tested.clock);
		expect(await change(0)).toBeNull();
		expect((await server.call(key, 'PATCH', `/control/classes/${code}`, { timer: 20_000 })).status).toBe(400);
	});
});
