import { expect, test } from 'vitest';
import { certify, checkValue } from '#course/lessons/certificate/certified.ts';
import { noProgress } from '#course/lessons/model/progress.ts';

test('the check value depends on every request id, and not on their order', async () => {
	const value = await checkValue(['b', 'a']);
	expect(value).toMatch(/^[0-9A-F]{4}-[0-9A-F]{4}-[0-9A-F]{4}$/);
	expect(await checkValue(['a', 'b'])).toBe(value);
	expect(await checkValue(['a', 'c'])).not.toBe(value);
});

const shownLesson = (done: number, ids: string[], title?: string) => ({
	shown: { first: ids },
	done,
	...(title === undefined ? {} : { title })
});
const own = {
	...{ id: 'own-ten', kind: 'lesson' as const, path: 'learn/own-ten', title: 'Read ten characters', done: 200 }
};
const lab = { id: 'labs/login-csrf', kind: 'lab' as const, path: 'labs/login-csrf', title: 'Login CSRF', done: 300 };

test('a certificate without lessons has the date, the requests and the titles of what was done', () => {
	const progress = { ...noProgress, lessons: { 'own-ten': shownLesson(200, ['req-1', 'req-2'], own.title) } };
	const certified = certify(progress, [own, lab]);
	expect(certified).toMatchObject({ date: 300, ids: ['req-1', 'req-2'], what: '1 exercise and 1 lab' });
	expect(certified.checked).toEqual(['req-1', 'req-2', 'labs/login-csrf 300']);
	expect(certified.topics).toEqual([
		{ title: 'Exercises', done: [own.title], more: 0 },
		{ title: 'Labs', done: [lab.title], more: 0 }
	]);
});

test('the list of a certificate has completed lessons only', () => {
	const progress = { ...noProgress, lessons: { 'whole-trip': shownLesson(500, ['req-3']) } };
	const { topics, what, date, isComplete } = certify(progress, [lab]);
	expect(topics.map(({ title, done }) => [title, done.length])).toEqual([['Sign-in', 1]]);
	expect([what, date, isComplete]).toEqual(['1 of 23 lessons, with 1 lab', 500, false]);
});

test('in a class, a certificate counts the items of the class', () => {
	const progress = { ...noProgress, lessons: { 'whole-trip': shownLesson(500, ['req-3']) } };
	const plan = ['own-ten', 'whole-trip', 'labs/pkce-downgrade'];
	expect(certify(progress, [own, lab], plan)).toMatchObject({
		what: '2 of the 3 items of a class',
		isComplete: false
	});
	expect(certify(progress, [own, lab], plan.slice(0, 2)).isComplete).toBe(true);
});

test('nothing done is no certificate, and many exercises fit on page 1', () => {
	expect(certify(noProgress, [])).toMatchObject({ date: undefined, checked: [], topics: [] });
	const labs = Array.from({ length: 16 }, (_, index) => ({ ...lab, id: `labs/${index}`, title: `${index}` }));
	const [group] = certify(noProgress, labs).topics;
	expect([group?.done.length, group?.more]).toEqual([6, 10]);
});
