import * as v from 'valibot';
import { time } from '#client/storage/schema.ts';
import { openerOf, parseItems, type ProgressStore } from '../../frame/progress-store.svelte.ts';

export const exerciseProgressSchema = v.looseObject({
	/** The text of the program, where it was changed. */
	source: v.exactOptional(v.pipe(v.string(), v.maxLength(100_000))),
	/** A program that another user shared, as it was changed here. */
	copy: v.exactOptional(v.pipe(v.string(), v.maxLength(100_000))),
	/** Another version of the program: of another tab, or from before it was replaced. */
	other: v.exactOptional(
		v.object({ text: v.pipe(v.string(), v.maxLength(100_000)), from: v.picklist(['tab', 'replaced']) })
	),
	/** When it was passed, in milliseconds since 1970. */
	done: v.exactOptional(time),
	/** When it ran last, in milliseconds since 1970. */
	ran: v.exactOptional(time),
	/** The title of the first condition that failed in the last run. */
	failed: v.exactOptional(v.string()),
	/** Its near miss, in the words of the board of a class. */
	miss: v.exactOptional(v.string())
});

/** What a browser has recorded about one exercise. */
export type ExerciseProgress = Readonly<v.InferOutput<typeof exerciseProgressSchema>>;

/** By the id of the exercise. */
export type WriteProgress = Readonly<Record<string, ExerciseProgress>>;

/** The progress and the programs of this browser. */
export type WriteStore = ProgressStore<ExerciseProgress>;

export const openWriteStore = openerOf('write', (found) => parseItems(exerciseProgressSchema, found));
