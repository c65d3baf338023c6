import { outOfBandUri } from '#client/oauth/client-registration.ts';
import type { TrafficEntry } from '#api/control/traffic.ts';
import type { Condition } from '../evaluation/condition.ts';
import { checkOf, ended, exchangedCode, parameter, passed } from '../evaluation/exchanges.ts';

const verifier = 'token.code_verifier_matches';
/** Why the exchange of a code with a challenge fails. */
const thiefCauses = ['missing_verifier', 'wrong_verifier', 'verifier_is_challenge', 'verifier_too_short'];

const outOfBand = (entry: TrafficEntry) => exchangedCode(entry) && parameter(entry, 'redirect_uri') === outOfBandUri;

const withVerifier = (entry: TrafficEntry) =>
	exchangedCode(entry) &&
	/^http:\/\/localhost:\d+/.test(parameter(entry, 'redirect_uri') ?? '') &&
	passed(entry, verifier) &&
	(parameter(entry, 'code_verifier') ?? '') !== '';

const thief = (entry: TrafficEntry) =>
	thiefCauses.includes(checkOf(entry, verifier)?.cause ?? '') && ended(entry, 'failed_exchange');

const first = (test: (entry: TrafficEntry) => boolean): Condition['shownBy'] => {
	return ({ entries }) => {
		const found = entries.find(test);
		return found && [found];
	};
};

export const conditions: readonly Condition[] = [
	{
		id: 'code_copied',
		label: 'A code was copied from a page and exchanged',
		unmet: 'No code of an out-of-band request has been exchanged. Sign in with the companion and copy its code.',
		shownBy: first(outOfBand)
	},
	{
		id: 'verifier_sent',
		label: 'A code came to a localhost port and was exchanged with its verifier',
		unmet:
			'No code has come to a localhost port with PKCE. Send a code challenge first, then the verifier with the code.',
		shownBy: first(withVerifier)
	},
	{
		id: 'thief_rejected',
		label: 'A code with the secret, but without its verifier, was rejected',
		unmet:
			'The thief has not tried yet. Get a code with a challenge, and send it with the client secret but without its verifier.',
		shownBy: first(thief)
	}
];
