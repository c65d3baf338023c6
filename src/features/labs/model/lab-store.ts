import * as v from 'valibot';
import { countText } from '#api/count-text.ts';
import { time } from '#client/storage/schema.ts';
import { openerOf, parseItems, type ProgressStore } from '../../practice/progress-store.svelte.ts';
import { openLabs } from '../all-labs.ts';

const labProgress = v.looseObject({
	/** When the log first showed the goal, in milliseconds since 1970. */
	attacked: v.exactOptional(time),
	/** When the defense rejected the same attack, and let the good user in. */
	defended: v.exactOptional(time)
});

/** What a browser has recorded about one lab. */
export type LabProgress = Readonly<v.InferOutput<typeof labProgress>>;
export type LabStore = ProgressStore<LabProgress>;

export const openLabStore = openerOf('labs', (found) => parseItems(labProgress, found));

/**
 * The labs that were attacked and defended in this browser, in words: `8 labs, attacked and defended`. Empty: none.
 * @param path that the app is served from, without a trailing slash
 */
export async function labsDone(path: string): Promise<string> {
	const { progress } = await openLabStore(path);
	const done = openLabs.filter(({ id }) => progress[id]?.attacked !== undefined && progress[id].defended !== undefined);
	return done.length === 0 ? '' : `${countText(done.length, 'lab')}, attacked and defended`;
}
