import * as v from 'valibot';
import { time } from '#client/storage/schema.ts';
import { openerOf, parseItems, type ProgressStore } from '../../frame/progress-store.svelte.ts';

export const labProgress = v.looseObject({
	/** When the log first showed the goal, in milliseconds since 1970. */
	attacked: v.exactOptional(time),
	/** When the defense rejected the same attack, and let the good user in. */
	defended: v.exactOptional(time),
	/** The goal was reached while the page showed no steps. */
	withoutSteps: v.exactOptional(v.boolean())
});

/** What a browser has recorded about one lab. */
export type LabProgress = Readonly<v.InferOutput<typeof labProgress>>;
export type LabStore = ProgressStore<LabProgress>;

export const openLabStore = openerOf('labs', (found) => parseItems(labProgress, found));
