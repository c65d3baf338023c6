import { problemOf, type Problem } from '../problems.ts';
import type { Call, Resources } from '../resources/resources.ts';

/** What hammering has come to so far. Once it has ended, every call sent is in one of the others. */
export type Tally = {
	readonly sent: number;
	readonly accepted: number;
	/** Refused since the budget is used up. */
	readonly overLimit: number;
	/** Refused for anything else: no such character, no permission, no good token, a fault of the service. */
	readonly refused: number;
	/** Without any answer. */
	readonly silent: number;
	/** Ended by the stop button before anybody knew. The service may have counted them. */
	readonly brokenOff: number;
	/** Why calls were refused for anything else, or could not be made at all: the last of the reasons. */
	readonly reason: Problem | undefined;
};

/** What became of a call. */
type Fate = Exclude<keyof Tally, 'sent' | 'reason'>;

const fates = new Map<string, Fate>([
	['rate_limit_exceeded', 'overLimit'],
	['silence', 'silent'],
	['stopped', 'brokenOff']
]);
/** Refusals that it goes on after. Any other ends it: nothing more comes of a bad token, or of a service with a fault. */
const harmless = new Set(['not_found', 'insufficient_scope', 'invalid_request']);
const abreast = 4;

/**
 * Calls again and again without any of the good manners, to show where that leads: over the limit, and after a hundred
 * refusals onto the blacklist. Ends with the silence, when stopped, without a good token, or after `most` calls.
 * @param resources to call
 * @param call that is repeated
 * @param most calls to make; one whose token is renewed under way is sent twice
 * @param signal stops it
 * @param told of each call as it goes out, and of what became of it
 */
export async function hammer(
	resources: Resources,
	call: Call,
	most: number,
	signal: AbortSignal,
	told: (tally: Tally) => void
): Promise<Tally> {
	let tally: Tally = { sent: 0, accepted: 0, overLimit: 0, refused: 0, silent: 0, brokenOff: 0, reason: undefined };
	const tell = (news: Partial<Tally>) => told((tally = { ...tally, ...news }));
	const count = (fate: Fate | 'sent', more: Partial<Tally> = {}) => tell({ [fate]: tally[fate] + 1, ...more });
	let begun = 0;
	let over = false;
	const strike = async () => {
		while (!over && !signal.aborted && begun < most) {
			begun += 1;
			let sends = 0;
			const sent = () => {
				if (sends > 0) count('refused'); // for its token, which was renewed
				sends += 1;
				count('sent');
			};
			try {
				await resources.call({ ...call, rude: true, signal, sent });
				count('accepted');
			} catch (thrown) {
				const reason = problemOf(thrown);
				const fate = fates.get(reason.code);
				if (sends === 0) {
					over = true;
					if (reason.code !== 'holding') tell({ reason });
				} else if (fate !== undefined) count(fate);
				else {
					over ||= !harmless.has(reason.code);
					count('refused', { reason });
				}
			}
		}
	};
	await Promise.all(Array.from({ length: abreast }, strike));
	return tally;
}
