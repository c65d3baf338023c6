import * as v from 'valibot';
import { count } from '#client/storage/schema.ts';

/** The index of the chosen option, or that the learner does not know. */
export const choice = v.union([count, v.literal('unknown')]);
export type Choice = v.InferOutput<typeof choice>;

/** One of the options of a question. */
export type Option = {
	readonly text: string;
	/** Shown after the choice. Says why the option is right or wrong, in one sentence. */
	readonly feedback: string;
	readonly isRight?: true;
};
