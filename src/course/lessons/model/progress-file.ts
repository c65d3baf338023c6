import * as v from 'valibot';
import { parseProgress, type LessonProgress, type Progress } from './progress.ts';

/** Both records together. Nothing that one of them has shown is lost. */
export function mergeProgress(mine: Progress, other: Progress): Progress {
	const lessons = { ...mine.lessons };
	for (const [id, theirs] of Object.entries(other.lessons)) {
		const known = lessons[id];
		lessons[id] = known === undefined ? theirs : mergeLesson(known, theirs);
	}
	return { ...other, ...mine, lessons, choices: { ...other.choices, ...mine.choices } };
}

function mergeLesson(mine: LessonProgress, theirs: LessonProgress): LessonProgress {
	const rank = ({ done, shown }: LessonProgress) => (done === undefined ? 0 : 1000) + Object.keys(shown).length;
	return rank(theirs) > rank(mine) ? { ...mine, ...theirs } : { ...theirs, ...mine };
}

const exported = v.looseObject({ format: v.literal('tollgate-progress'), version: v.number() });

/** The longest file that is read, in bytes. */
export const maxProgressFile = 1024 * 1024;

/** Why a file is no progress, for users. */
export class ProgressFileError extends Error {
	override name = 'ProgressFileError';
}

/**
 * The content of a file with this progress.
 * @param practice what was done besides lessons: `write` and `labs`
 */
export function writeProgressFile(progress: Progress, practice: object = {}): string {
	return JSON.stringify({ ...progress, ...practice, format: 'tollgate-progress' }, null, '\t');
}

/**
 * Reads the content of a file of `writeProgressFile`.
 * @returns with what the file has of exercises and labs, not validated
 * @throws ProgressFileError
 */
export function readProgressFile(text: string): {
	readonly progress: Progress;
	readonly write: unknown;
	readonly labs: unknown;
} {
	let content: unknown;
	try {
		content = JSON.parse(text);
	} catch {
		throw new ProgressFileError('The file is not JSON. Choose a file that this page saved.');
	}
	if (!v.safeParse(exported, content).success)
		throw new ProgressFileError('The file does not contain progress of Tollgate. Choose a file that this page saved.');
	const { format: _, write, labs, ...found } = parseProgress(content);
	return { progress: parseProgress(found), write, labs };
}
