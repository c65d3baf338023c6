import * as v from 'valibot';
import { declare } from '../declare.ts';

/** How many lesson files a class has at most, and a server with `LESSONS`. */
export const maxOwnLessons = 5;
/** The longest lesson file, in bytes. */
export const maxLessonFile = 48 * 1024;
/** What the ids of lessons of instructors begin with, in addresses and in classes. */
export const ownLessonPrefix = 'own-';

/** A lesson file, whose content the host checks: see /lesson.schema.json. */
const content = v.looseObject({ id: v.string(), title: v.string(), goal: v.string(), minutes: v.number() });

/** `POST classes`: the lesson files of the class. */
export const sentLessons = v.pipe(
	v.array(content, 'Use a list of lesson files.'),
	v.maxLength(maxOwnLessons, `A class can have at most ${maxOwnLessons} lesson files.`)
);

export const ownLessonsApi = declare({
	'GET /control/lessons': {
		id: 'listOwnLessons',
		tag: 'Classes',
		access: 'everybody',
		summary: 'Read the lesson files',
		description:
			'Returns the lesson files of this server (`LESSONS`), and with `?class_code=` those of a class. Those of a class come first. They contain `notes` only for callers with the key of the class. At the root only.',
		query: v.object({ class_code: v.optional(v.string()) }),
		responses: { 200: { description: 'The lessons.', json: v.object({ files: v.array(content) }) } },
		errors: { 404: 'No class has this code, or it has ended.', 429: 'Too many unknown codes.' }
	}
});
