import { problemOf } from '../problems.ts';
import type { Call, Resources } from '../resources/resources.ts';

/** What hammering has come to so far. Once it has ended, every call sent is in one of the others. */
export type Tally = {
	readonly sent: number;
	readonly answered: number;
	/** Refused over the limit. */
	readonly refused: number;
	/** Without any answer. */
	readonly silent: number;
	/** Ended before anybody knew: by the stop button, or without a good token. The service may have counted them. */
	readonly brokenOff: number;
};

const abreast = 4;

/**
 * Calls again and again without any of the good manners, to show where that leads: over the limit, and after a hundred
 * refusals onto the blacklist. Ends with the silence, when stopped, or after `most` calls.
 * @param resources to call
 * @param call that is repeated
 * @param most calls to send
 * @param signal stops it
 * @param told after each answer
 */
export async function hammer(
	resources: Resources,
	call: Call,
	most: number,
	signal: AbortSignal,
	told: (tally: Tally) => void
): Promise<Tally> {
	let tally: Tally = { sent: 0, answered: 0, refused: 0, silent: 0, brokenOff: 0 };
	const count = (key: keyof Tally, by = 1) => {
		tally = { ...tally, [key]: tally[key] + by };
		told(tally);
	};
	let over = false;
	const strike = async () => {
		while (!over && !signal.aborted && tally.sent < most) {
			count('sent');
			try {
				await resources.call({ ...call, rude: true, signal });
				count('answered');
			} catch (thrown) {
				const { code, status } = problemOf(thrown);
				if (code === 'rate_limit_exceeded') count('refused');
				else if (code === 'silence') count('silent');
				// Not found and not allowed are answers too. Anything else ends it: no token, the breaker, the stop button.
				else if (['not_found', 'insufficient_scope', 'invalid_request'].includes(code)) count('answered');
				else {
					over = true;
					if (code === 'holding') count('sent', -1);
					else count(status === undefined ? 'brokenOff' : 'answered');
				}
			}
		}
	};
	await Promise.all(Array.from({ length: abreast }, strike));
	return tally;
}
