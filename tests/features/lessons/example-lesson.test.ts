import { expect, it } from 'vitest';
import { checkLessonFile } from '#evidence/lesson-file/check-lesson-file.ts';
import example from '#features/lessons/file/example-lesson.json' with { type: 'json' };

it('the exercise that the studio begins with has no mistakes', () => {
	expect(checkLessonFile(JSON.stringify(example, undefined, '\t'))).toHaveProperty('file');
});
