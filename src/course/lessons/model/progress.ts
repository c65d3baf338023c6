import * as v from 'valibot';
import { texts, time } from '#client/storage/schema.ts';
import { choice } from '../../frame/question.ts';
import type { Shown } from '../evaluation/condition.ts';

// Loose: what a later version has added survives a change by this one.
const lessonProgress = v.looseObject({
	/** When it was opened first. All times are in milliseconds since 1970. */
	started: v.exactOptional(time),
	/** `X-Request-Id` of the exchanges that show each condition. Only what the learner did. */
	shown: v.optional(v.record(v.string(), texts), {}),
	/** Of one that an instructor wrote: its class may have ended. */
	title: v.exactOptional(v.string()),
	/** When the learner had shown all conditions. */
	done: v.exactOptional(time),
	/** When Tollgate did it for the learner. */
	revealed: v.exactOptional(time),
	/** `declined`: the learner went on without one. */
	prediction: v.exactOptional(v.union([choice, v.literal('declined')]))
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
 * @param isDone it meets all conditions
 * @param now in milliseconds since 1970
 */
export function withShown(progress: Progress, id: string, shown: Shown, isDone: boolean, now: number): Progress {
	const known = lessonIn(progress, id);
	if (known.done !== undefined || Object.keys(shown).length <= Object.keys(known.shown).length) return progress;
	const copy = Object.fromEntries(Object.entries(shown).map(([condition, ids]) => [condition, [...ids]]));
	return withLesson(progress, id, { shown: copy, ...(isDone && { done: now }) });
}

/** `shown` by evidence, done by Tollgate (`revealed`), begun or not opened yet. */
export type LessonState = 'shown' | 'revealed' | 'started' | 'open';

/** What the pages call the states. */
export const stateLabels: Readonly<Record<LessonState, string>> = {
	shown: 'Completed',
	revealed: 'Done by Tollgate',
	started: 'Started',
	open: 'Not started'
};

/** The state that the list of lessons shows. */
export function stateOf({ done, revealed, started }: LessonProgress): LessonState {
	if (done !== undefined) return 'shown';
	if (revealed !== undefined) return 'revealed';
	return started === undefined ? 'open' : 'started';
}
