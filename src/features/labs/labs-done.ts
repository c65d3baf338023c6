import { openLabs } from './all-labs.ts';
import { openLabStore } from './model/lab-store.ts';

/**
 * The labs that were attacked and defended in this browser, in words: `8 labs, attacked and defended`. Empty: none.
 * @param path that the app is served from, without a trailing slash
 */
export async function labsDone(path: string): Promise<string> {
	const { progress } = await openLabStore(path);
	const done = openLabs.filter(({ id }) => progress[id]?.attacked !== undefined && progress[id].defended !== undefined);
	return done.length === 0 ? '' : `${done.length === 1 ? '1 lab' : `${done.length} labs`}, attacked and defended`;
}
