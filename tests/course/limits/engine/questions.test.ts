import { expect, it } from 'vitest';
import { isChanged, queryOf, questions, readQuestion } from '#course/limits/engine/questions.ts';

const read = (query: string) => readQuestion(new URLSearchParams(query));

it('opens each question by its id, and the first one without', () => {
	for (const question of questions) expect(readQuestion(new URLSearchParams(queryOf(question)))).toEqual(question);
	expect(read('')).toEqual(questions[0]);
	expect(read('question=none')).toEqual(questions[0]);
});

it('keeps the changed fields in the link, and nothing else', () => {
	const changed = read('question=edge-of-a-window&limit=7&limiters=gcra,fixed_window&window=60');
	expect(changed.setup).toMatchObject({ limit: 7, limiters: ['gcra', 'fixed_window'] });
	expect(isChanged(changed)).toBe(true);
	expect(queryOf(changed)).toBe('question=edge-of-a-window&limit=7&limiters=gcra%2Cfixed_window');
	expect(questions.some(isChanged)).toBe(false);
});

it.each([
	'limit=0',
	'limit=1e9',
	'limit=-3',
	'window=9999999',
	'limiters=',
	'limiters=none',
	'stream=x',
	'dialect=__proto__'
])('keeps the field of the question where a link says %s', (field) => expect(read(field)).toEqual(questions[0]));

it('has each id once', () => {
	expect(new Set(questions.map(({ id }) => id)).size).toBe(questions.length);
});
