import { expect, it } from 'vitest';
import { allLessons } from '#course/lessons/all-lessons.ts';
import { noProgress } from '#course/lessons/model/progress.ts';
import { reviewFor, withChoice } from '#course/lessons/model/review.ts';

it('a lesson begins with at most two questions, each asked in it under its own key', () => {
	const asked = allLessons.map(({ id }) => ({ id, questions: reviewFor(id) }));
	const keys = asked.flatMap(({ questions }) => questions.map(({ key }) => key));
	expect(keys.length).toBeGreaterThan(0);
	expect(new Set(keys).size).toBe(keys.length);
	for (const { id, questions } of asked) {
		expect(questions.length).toBeLessThanOrEqual(2);
		for (const { askedIn } of questions) expect(askedIn).toContain(id);
	}
});

it('the first choice of an option stays', () => {
	const chosen = withChoice(withChoice(withChoice(noProgress, 'a/b/c', 1), 'a/b/c', 2), 'a/b/d', 'unknown');
	expect(chosen.choices).toEqual({ 'a/b/c': 1, 'a/b/d': 'unknown' });
});
