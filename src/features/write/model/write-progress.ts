import * as v from 'valibot';
import { time } from '#client/storage/schema.ts';
import { parseItems } from '../../practice/parse-items.ts';

const exerciseProgress = v.looseObject({
	/** The text of the program, where it was changed. */
	source: v.exactOptional(v.pipe(v.string(), v.maxLength(100_000))),
	/** A program that another user shared, as it was changed here. */
	copy: v.exactOptional(v.pipe(v.string(), v.maxLength(100_000))),
	/** When it was passed, in milliseconds since 1970. */
	done: v.exactOptional(time),
	/** When it ran last, in milliseconds since 1970. */
	ran: v.exactOptional(time),
	/** The title of the first condition that failed in the last run. */
	failed: v.exactOptional(v.string())
});

/** What a browser has recorded about one exercise. */
export type ExerciseProgress = Readonly<v.InferOutput<typeof exerciseProgress>>;

/** By the id of the exercise. */
export type WriteProgress = Readonly<Record<string, ExerciseProgress>>;

/** Validates stored progress. What is invalid is left out. */
export const parseWriteProgress = (found: unknown): WriteProgress => parseItems(exerciseProgress, found);
