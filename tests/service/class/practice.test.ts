import { describe, expect, it } from 'vitest';
import { classBoard, classExport } from '#api/control/board.ts';
import { courseTitles } from '#api/control/course-ids.ts';
import { maxShownProgram, seatProgram } from '#api/control/seats.ts';
import { ClassServer } from './class-server.ts';

const progress = { lesson: 'write/exchange-the-code', step: 1, shown: { 0: [] }, of: 5, is_done: false };
const program = { lesson: 'write/exchange-the-code', text: 'export async function signIn() {\n\treturn 1;\n}' };

async function oneSeat() {
	const server = new ClassServer();
	const opened = await server.open();
	const { code, key } = opened;
	const seat = await server.join(code);
	const path = `/control/classes/${code}`;
	return {
		...{ server, code, key, seat, path },
		change: (body: object) => server.change(seat.key, code, 1, body),
		row: async () => (await server.call(key, 'GET', path)).as(classBoard).rows[0],
		read: () => server.call(key, 'GET', `${path}/seats/1/program`)
	};
}

describe('exercises and labs in a class', () => {
	it('are chosen and reported like lessons, and the board names the near miss at once, and a mistake after two minutes', async () => {
		const { server, change, row, path, key } = await oneSeat();
		const lessons = [...courseTitles.keys()];
		expect((await server.call(key, 'PATCH', path, { lessons })).json()).toMatchObject({ lessons });
		await change({ progress: { ...progress, miss: 'a_JSON_body' } });
		const text = 'Near miss: a JSON body.';
		expect(await row()).toMatchObject({
			lesson: progress.lesson,
			shown: 1,
			of: 5,
			signal: { id: 'new_near_miss', text }
		});
		server.tested.clock += 120_000;
		expect(await row()).toMatchObject({ signal: { id: 'near_miss', text } });
		await change({ progress: { ...progress, step: 5, shown: { 0: [], 4: [] }, is_done: true } });
		await change({ progress: { ...progress, lesson: 'labs/login-csrf', of: 6 } });
		expect(await row()).toMatchObject({ lesson: 'labs/login-csrf', done: 1, signal: null });
		const exported = (await server.call(key, 'GET', `${path}/export`)).as(classExport);
		expect(exported.seats[0]).toMatchObject({ lesson: 'labs/login-csrf', done: ['write/exchange-the-code'] });
	});

	it.each([
		{ progress: { ...progress, lesson: 'write/unknown' } },
		{ progress: { ...progress, lesson: 'labs/no-such-lab' } },
		{ progress: { ...progress, lesson: '../control' } },
		{ progress: { ...progress, miss: 'You are a fool' } },
		{ progress: { ...progress, miss: 'x'.repeat(61) } },
		{ progress: { ...progress, shown: Object.fromEntries(Array.from({ length: 31 }, (_, at) => [at, []])) } },
		{ program: { ...program, lesson: 'write/unknown' } },
		{ program: { ...program, text: '' } },
		{ program: { ...program, text: 'x'.repeat(maxShownProgram + 1) } }
	])('cannot be reported as %j', async (body) => {
		const { change, row } = await oneSeat();
		const { status, error } = await change(body);
		expect([status, error]).toEqual([400, 'invalid_request']);
		expect(await row()).toMatchObject({ lesson: null, program: null });
	});

	it('cannot be chosen where nothing has the id', async () => {
		const { server, path, key } = await oneSeat();
		const lessons = ['write/unknown'];
		const opened = await server.send('POST', '/control/classes', { name: 'Other', seats: 1, lessons });
		expect([opened.error, (await server.call(key, 'PATCH', path, { lessons })).error]).toEqual(
			Array.from({ length: 2 }, () => 'invalid_request')
		);
	});
});

describe('the program of a student', () => {
	it('is read by the instructor from the press on, is replaced, and is gone after another press', async () => {
		const { server, seat, change, row, read } = await oneSeat();
		expect([(await read()).status, (await row())?.program]).toEqual([404, null]);
		await change({ program });
		expect((await read()).as(seatProgram)).toEqual({ ...program, shown_at: server.tested.clock });
		expect((await row())?.program).toBe(server.tested.clock);
		expect((await server.statusOf(seat)).program).toBe(server.tested.clock);
		await change({ program: { ...program, text: 'later' } });
		expect((await read()).as(seatProgram).text).toBe('later');
		await change({ program: null });
		expect([(await read()).status, (await row())?.program]).toEqual([404, null]);
	});

	it('is not for the student, another seat or a visitor, is in no export, and is deleted with the seat', async () => {
		const { server, seat, code, key, path, change, read } = await oneSeat();
		await change({ program });
		const other = await server.join(code);
		for (const by of [seat.key, other.key, 'wrong'])
			expect((await server.call(by, 'GET', `${path}/seats/1/program`)).status).toBe(403);
		expect((await server.call(key, 'GET', `${path}/export`)).text).not.toContain('signIn');
		await server.call(key, 'DELETE', `${path}/seats/1`);
		expect((await server.join(code)).seat).toBe(1);
		expect((await read()).status).toBe(404);
	});
});

it('a seat can send 30 changes in 10 seconds, and others are not affected', async () => {
	const { server, seat, code, change } = await oneSeat();
	const other = await server.join(code);
	for (let count = 0; count < 30; count++) expect((await change({ presence: true })).status).toBe(200);
	const rejected = await change({ progress });
	expect([rejected.status, rejected.header('retry-after')]).toEqual([429, '10']);
	expect((await server.change(other.key, code, 2, { presence: true })).status).toBe(200);
	server.tested.clock += 10_000;
	expect((await server.change(seat.key, code, 1, { progress })).status).toBe(200);
});
