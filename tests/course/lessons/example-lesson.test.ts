import { expect, it } from 'vitest';
import { checkLessonFile, lessonWarning } from '#evidence/lesson-file/check-lesson-file.ts';
import example from '#course/lessons/file/example-lesson.json' with { type: 'json' };

it('the exercise that the studio begins with has no mistakes', () => {
	expect(checkLessonFile(JSON.stringify(example, undefined, '\t'))).toHaveProperty('file');
});

it('warns of steps that only a program can do, and the exercise that the studio begins with has none', () => {
	const read = (content: object) => {
		const checked = checkLessonFile(JSON.stringify(content));
		if (!('file' in checked)) throw new Error('It has mistakes.');
		return lessonWarning(checked.file);
	};
	expect(read(example)).toBeUndefined();
	const without = (...places: number[]) => ({
		...example,
		steps: example.steps.map(({ tools, ...step }, at) => (places.includes(at) ? step : { ...step, tools }))
	});
	expect(read(without(1))).toMatch(/^Step 2 needs a program .* it cannot be done/);
	expect(read(without(0, 1))).toMatch(/^Steps 1 and 2 need a program .* they cannot be done/);
});
