import * as v from 'valibot';
import { comparison, contentOf, head, shown } from './lesson-file.ts';
import { about } from './texts.ts';
import { tool } from './tools.ts';

/** A lesson file: an exercise that an instructor wrote. */
export const lessonFile = v.strictObject({
	$schema: v.exactOptional(v.pipe(v.string(), v.maxLength(300))),
	format: v.literal('tollgate-lesson', 'Write "tollgate-lesson".'),
	version: v.literal(1, 'This server reads version 1.'),
	title: head.title,
	id: about(
		v.pipe(
			v.string(),
			v.regex(/^[a-z][a-z\d-]{0,29}$/, 'Use 1 to 30 of the characters a-z 0-9 -, beginning with a letter.')
		),
		'The address of the exercise is `/learn/own-` and this. Progress is kept under it.',
		'ID'
	),
	goal: head.goal,
	minutes: head.minutes,
	...contentOf(tool, shown, comparison)
});
export type LessonFile = v.InferOutput<typeof lessonFile>;

/** What learners get. */
export function withoutNotes({ notes: _, ...file }: LessonFile): LessonFile {
	return file;
}
