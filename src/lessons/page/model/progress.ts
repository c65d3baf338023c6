import * as v from 'valibot';
import { count, texts, time } from '#client/storage/schema.ts';
import type { Shown } from '../../engine/evaluate.ts';

/** The index of the chosen option, or that the learner does not know. */
const choice = v.union([count, v.literal('unknown')]);
export type Choice = v.InferOutput<typeof choice>;

// Loose: what a later version has added survives a change by this one.
const lessonProgress = v.looseObject({
	/** When it was opened first. All times are in milliseconds since 1970. */
	started: v.exactOptional(time),
	/** `X-Request-Id` of the exchanges that show each condition. Only what the learner did. */
	shown: v.optional(v.record(v.string(), texts), {}),
	/** When the learner had shown all conditions. */
	done: v.exactOptional(time),
	/** When Tollgate did it for the learner. */
	revealed: v.exactOptional(time),
	skipped: v.exactOptional(time),
	prediction: v.exactOptional(choice)
});

/** What is recorded about one lesson. */
export type LessonProgress = Readonly<v.InferOutput<typeof lessonProgress>>;

/** An object without its invalid values; empty if it is no object. */
function recordOf<T>(value: v.GenericSchema<unknown, T>) {
	const record = v.pipe(
		v.record(v.string(), v.unknown()),
		v.transform((found) =>
			Object.fromEntries(
				Object.entries(found).flatMap(([key, one]) => {
					const parsed = v.safeParse(value, one);
					return parsed.success ? [[key, parsed.output] as const] : [];
				})
			)
		)
	);
	return v.fallback(record, {});
}

const progress = v.looseObject({
	version: v.fallback(v.number(), 1),
	lessons: recordOf(lessonProgress),
	/** The options chosen in review questions, by lesson, question and the lesson that asked: `whole-trip/who_sees_the_token/url-token`. */
	choices: recordOf(v.union([choice, v.literal('skipped')]))
});

/** What a browser has recorded about all lessons. */
export type Progress = Readonly<v.InferOutput<typeof progress>>;

/** Nothing is recorded. */
export const noProgress: Progress = { version: 1, lessons: {}, choices: {} };

/** Validates stored progress. Invalid parts are left out, unknown ones are kept. */
export function parseProgress(found: unknown): Progress {
	const parsed = v.safeParse(progress, found);
	return parsed.success ? parsed.output : noProgress;
}

/** What is recorded about a lesson. */
export function lessonIn({ lessons }: Progress, id: string): LessonProgress {
	return lessons[id] ?? { shown: {} };
}

/** Changes what is recorded about a lesson. */
export function withLesson(progress: Progress, id: string, part: Partial<LessonProgress>): Progress {
	return { ...progress, lessons: { ...progress.lessons, [id]: { ...lessonIn(progress, id), ...part } } };
}

/**
 * Records what the learner has shown. What was shown before stays, where it is more.
 * @param isDone whether it meets all conditions
 * @param now in milliseconds since 1970
 */
export function withShown(progress: Progress, id: string, shown: Shown, isDone: boolean, now: number): Progress {
	const known = lessonIn(progress, id);
	if (known.done !== undefined || Object.keys(shown).length <= Object.keys(known.shown).length) return progress;
	const copy = Object.fromEntries(Object.entries(shown).map(([condition, ids]) => [condition, [...ids]]));
	return withLesson(progress, id, { shown: copy, ...(isDone ? { done: now } : {}) });
}

/** `shown` by evidence, done by Tollgate (`revealed`), `skipped`, begun or not opened yet. */
export type LessonState = 'shown' | 'revealed' | 'skipped' | 'started' | 'open';

/** What the pages call the states. */
export const stateLabels: Readonly<Record<LessonState, string>> = {
	shown: 'Shown by evidence',
	revealed: 'Done by Tollgate',
	skipped: 'Skipped',
	started: 'Started',
	open: 'Not started'
};

/** The state that the list of lessons shows. */
export function stateOf({ done, revealed, skipped, started }: LessonProgress): LessonState {
	if (done !== undefined) return 'shown';
	if (revealed !== undefined) return 'revealed';
	if (skipped !== undefined) return 'skipped';
	return started === undefined ? 'open' : 'started';
}

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
const maxSize = 1024 * 1024;

/** Why a file is no progress, for users. */
export class ProgressFileError extends Error {
	override name = 'ProgressFileError';
}

/** The content of a file with this progress. */
export function writeProgressFile(progress: Progress): string {
	return JSON.stringify({ ...progress, format: 'tollgate-progress' }, null, '\t');
}

/**
 * Reads the content of a file that `writeProgressFile` made.
 * @throws ProgressFileError
 */
export function readProgressFile(text: string): Progress {
	if (text.length > maxSize)
		throw new ProgressFileError('The file is larger than 1 MiB. Choose a file that this page saved.');
	let content: unknown;
	try {
		content = JSON.parse(text);
	} catch {
		throw new ProgressFileError('The file is not JSON. Choose a file that this page saved.');
	}
	if (!v.is(exported, content))
		throw new ProgressFileError('The file does not contain progress of Tollgate. Choose a file that this page saved.');
	const { format: _, ...found } = parseProgress(content);
	return parseProgress(found);
}
