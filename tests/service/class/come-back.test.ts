import { hash } from 'node:crypto';
import { expect, it } from 'vitest';
import { courseTitles } from '#api/control/course-ids.ts';
import { classBoard } from '#api/control/board.ts';
import { readReturnCode, returnCode } from '#service/class/seats.ts';
import { ClassServer } from './class-server.ts';

const ids = [...courseTitles.keys()];
const digest = (text: string) => hash('sha256', text, 'base64url');

it('opens a seat of another class with what was done in the first one', async () => {
	const server = new ClassServer();
	const first = await server.open();
	const seat = await server.join(first.code);
	const progress = { lesson: 'whole-trip', step: 4, shown: {}, of: 4, is_done: true, revealed: true };
	await server.change(seat.key, first.code, 1, { progress });
	await server.change(seat.key, first.code, 1, {
		progress: { ...progress, lesson: 'one-letter-off', revealed: false }
	});
	const { return_code: code, done } = await server.statusOf(seat);
	expect(done).toEqual(['whole-trip', 'one-letter-off']);
	expect(code.length).toBeLessThan(60);
	for (const secret of [seat.key, seat.id, first.key, seat.label]) expect(code).not.toContain(secret);
	await server.call(first.key, 'DELETE', `/control/classes/${first.code}`);

	const later = await server.open();
	const join = (return_code: string) => server.send('POST', `/control/classes/${later.code}/seats`, { return_code });
	const spaced = `${code.slice(0, 9)} \n${code.slice(9)}`;
	expect((await join(spaced)).status).toBe(201);
	const board = (await server.call(later.key, 'GET', `/control/classes/${later.code}`)).as(classBoard);
	expect(board.rows[0]?.done).toBe(2);
});

it('says that a code is wrong, and takes no seat', async () => {
	const server = new ClassServer();
	const { code, key } = await server.open();
	const join = (return_code: unknown) => server.send('POST', `/control/classes/${code}/seats`, { return_code });
	const right = returnCode({ done: ['whole-trip'], revealed: [] }, digest);
	const wrong = [right.slice(0, -1), right.replace('TG1', 'TG2'), `${right}x`, 'TG1...', 'x', right.toUpperCase()];
	for (const one of wrong) {
		const response = await join(one);
		expect([response.status, response.text.includes('not the code of an earlier class')], one).toEqual([400, true]);
	}
	expect((await join('x'.repeat(1001))).status).toBe(400);
	expect((await join(7)).status).toBe(400);
	expect((await server.call(key, 'GET', `/control/classes/${code}`)).as(classBoard).rows).toEqual([]);
});

it('keeps every lesson apart, and leaves out those that it does not know', () => {
	const work = { done: ids, revealed: [ids[0] ?? ''] };
	expect(readReturnCode(returnCode(work, digest), ids, digest)).toEqual(work);
	const earlier = returnCode({ done: ['of-another-version', 'whole-trip'], revealed: [] }, digest);
	expect(readReturnCode(earlier, ids, digest).done).toEqual(['whole-trip']);
});
