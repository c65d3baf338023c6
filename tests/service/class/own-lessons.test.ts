import { expect, it } from 'vitest';
import { allRules } from '#evidence/all-rules.ts';
import { createClassReports } from '#service/class/class-reports.ts';
import { withClasses } from '#service/control/classes.ts';
import { checkLessonFile } from '#evidence/lesson-file/check-lesson-file.ts';
import { text, valid } from '../../evidence/lesson-file/files.ts';
import { createTestService } from '../test-service.ts';
import { ClassServer } from './class-server.ts';

const own = 'own-call-our-api';
const progress = { lesson: own, step: 1, shown: { '0': ['a'] }, of: 2, is_done: false };

it('a class has the lessons that its instructor wrote, and the board and the export know them', async () => {
	const server = new ClassServer();
	const { code, key } = await server.open({ lessons: [own, 'whole-trip'], own_lessons: [valid] });
	const seat = await server.join(code);
	expect(await server.statusOf(seat)).toMatchObject({ lessons: [own, 'whole-trip'] });
	expect((await server.change(seat.key, code, seat.seat, { progress })).status).toBe(200);
	expect(
		(await server.change(seat.key, code, seat.seat, { progress: { ...progress, lesson: 'own-other' } })).status
	).toBe(400);
	const board = await server.call(key, 'GET', `/control/classes/${code}`);
	expect(JSON.parse(board.text)).toMatchObject({ rows: [{ lesson: own, step: 1, shown: 1, of: 2 }] });
	await server.change(seat.key, code, seat.seat, { progress: { ...progress, step: 2, is_done: true } });
	const exported = await server.call(key, 'GET', `/control/classes/${code}/export`);
	expect(exported.text).toContain(own);
	const statements = await server.call(key, 'GET', `/control/classes/${code}/export?format=xapi`);
	expect(statements.text).toContain(JSON.stringify({ 'en-US': valid.title }));
});

it('students get the lessons without the notes of the instructor', async () => {
	const server = new ClassServer();
	const { code, key } = await server.open({ own_lessons: [valid] });
	const { notes: _, ...withoutNotes } = valid;
	const ofStudent = await server.send('GET', `/control/lessons?class_code=${code}`);
	expect(JSON.parse(ofStudent.text)).toEqual({ files: [withoutNotes] });
	expect(JSON.parse((await server.call(key, 'GET', `/control/lessons?class_code=${code}`)).text)).toEqual({
		files: [valid]
	});
	expect(JSON.parse((await server.send('GET', '/control/lessons')).text)).toEqual({ files: [] });
	expect((await server.send('GET', '/control/lessons?class_code=ZZZZZZ')).status).toBe(404);
});

it.each([
	['a file with a mistake', [{ ...valid, title: '' }], 'Lesson file 1: title: This field is required.'],
	[
		'a file with code',
		[valid, { ...valid, id: 'b', text: ['<script>'] }],
		'Lesson file 2: text.0: Write Markdown without HTML.'
	],
	['an id twice', [valid, valid], 'Lesson file 2, id: Another file has the id'],
	['six files', Array.from({ length: 6 }, () => valid), 'A class can have at most 5 lesson files.']
])('rejects %s, and opens no class', async (_, own_lessons, sentence) => {
	const server = new ClassServer();
	const response = await server.send('POST', '/control/classes', { name: 'A', seats: 30, own_lessons });
	expect([response.status, response.text]).toEqual([
		400,
		expect.stringContaining(JSON.stringify(sentence).slice(1, -1))
	]);
	expect((await server.open({ seats: 30 })).code).toHaveLength(6);
});

it('takes five files of the largest size', async () => {
	const code = 'a'.repeat(980);
	const large = (id: string) => ({
		...valid,
		id,
		steps: Array.from({ length: 12 }, (_, at) => ({
			...valid.steps[0],
			conditions: [
				{
					...valid.steps[0]?.conditions[0],
					id: `c${at}`,
					near: Array.from({ length: 5 }, () => ({ shows: { kind: 'consent_denied' }, text: code.slice(0, 240) }))
				}
			]
		})),
		prediction: { ...valid.prediction, shownBy: 'c0' },
		learnt: { ...valid.learnt, code }
	});
	const server = new ClassServer();
	const own_lessons = ['a', 'b', 'c', 'd', 'e'].map(large);
	expect(JSON.stringify(own_lessons).length).toBeGreaterThan(60_000);
	expect((await server.open({ own_lessons })).code).toHaveLength(6);
});

it('the lessons end with their class, and last as long as it', async () => {
	const server = new ClassServer();
	const { code, key } = await server.open({ own_lessons: [valid] });
	server.tested.clock += 7 * 3_600_000;
	await server.call(key, 'PATCH', `/control/classes/${code}`, { hours: 8 });
	server.tested.clock += 7 * 3_600_000;
	expect((await server.send('GET', `/control/lessons?class_code=${code}`)).text).toContain('Call our API');
	await server.call(key, 'DELETE', `/control/classes/${code}`);
	expect((await server.send('GET', `/control/lessons?class_code=${code}`)).status).toBe(404);
});

it('a server lists its own lesson files, and classes can choose them', async () => {
	const checked = checkLessonFile(text(valid));
	const reports = createClassReports(allRules, 'file' in checked ? [checked.file] : []);
	const { transport } = createTestService({ classSeats: 30 }, withClasses(reports));
	const listed = await transport.send({ method: 'GET', target: '/control/lessons', headers: [] });
	expect(listed?.body).toContain('Call our API');
	expect(listed?.body).not.toContain('Groups start at once.');
	expect(reports.isKnown(own, [])).toBe(true);
	expect(reports.isKnown('own-other', [])).toBe(false);
});
