import type { Problem } from './problems.ts';
import { wordsOfClient } from './words-of-client.ts';
import { wordsOfService } from './words-of-service.ts';

/** A problem in words. */
export type Explanation = {
	readonly title: string;
	readonly why: string;
	/** What to do about it. */
	readonly next: string;
	/** Section of the specification. */
	readonly section: string;
	/** What the page can offer: a button. */
	readonly offer: 'sign-in' | 'retry' | 'wait' | 'settings' | 'support' | 'none';
};

/** An explanation in one row. */
export type Row = readonly [title: string, why: string, next: string, section: string, offer: Explanation['offer']];

/**
 * What happened, why, and the next step, in words.
 * @param problem with the service's code or one of the client's own
 */
export function explain(problem: Problem): Explanation {
	const row = wordsOfClient.get(problem.code) ?? wordsOfService.get(problem.code);
	if (row === undefined) {
		return {
			title: 'The service refused',
			why: `It answered with an error this application does not know: ${problem.code}.`,
			next: 'Look at the exchange in the log, then try again.',
			section: '7',
			offer: 'retry'
		};
	}
	const [title, why, next, section, offer] = row;
	return { title, why, next, section, offer };
}
