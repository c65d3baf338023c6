import type { TrafficEntry } from '#api/control/traffic.ts';
import { exchangedCode, issuedCode, parameter } from '#evidence/exchanges.ts';
import type { Evidence } from './condition.ts';
import type { Result } from './evaluate.ts';

/** Why the open step is not done, after the learner tried it. */
export type Reason = {
	readonly text: string;
	/** The user who signed in instead of the one that the step needs. */
	readonly otherUser?: string;
	/** A mistake that an exchange shows. Absent: the text says what is missing. */
	readonly isNearMiss?: true;
};

const isDenied = ({ endpoint, request }: TrafficEntry) =>
	endpoint === 'auth' && /(?:^|&)decision=deny(?:&|$)/.test(request.body);

/**
 * Why what the learner did does not show the open step; undefined before the learner did anything for it.
 * @param result of `evaluate` with this evidence
 */
export function reasonFor({ missing, tried }: Result, { entries }: Pick<Evidence, 'entries'>): Reason | undefined {
	// A wrong value has its reason at its field.
	if (missing === undefined || 'field' in missing) return undefined;
	const last = tried.at(-1);
	if (last === undefined) return undefined;
	const signIn = tried.findLast((entry) => isDenied(entry) || issuedCode(entry) || exchangedCode(entry));
	if (signIn !== undefined && isDenied(signIn))
		return { text: 'You denied access, so the application got no code. Sign in again, and allow it.' };
	const { user } = missing;
	const who = signIn?.username;
	if (user !== undefined && who !== undefined && who !== user)
		return { text: `You signed in as ${who}. This step needs ${user}.`, otherUser: who };
	// Pages on the way to a decision are no attempt.
	if (last.endpoint === 'auth' && !issuedCode(last) && parameter(last, 'interaction') !== undefined) return undefined;
	// Programs send more after a mistake, for example requests for the rate limits.
	for (let place = tried.length - 1; place >= 0; place--) {
		const entry = tried[place];
		if (entry === undefined) continue;
		const at = entries.findIndex(({ id }) => id === entry.id);
		const context = { before: entries.slice(0, at), since: tried.slice(0, place), shown: () => [] };
		const text = missing.why?.(entry, context);
		if (text !== undefined) return { text, isNearMiss: true };
	}
	return { text: missing.unmet };
}
