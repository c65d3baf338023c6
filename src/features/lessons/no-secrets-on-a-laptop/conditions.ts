import { outOfBandUri } from '#client/oauth/client-registration.ts';
import type { TrafficEntry } from '#api/control/traffic.ts';
import { learner } from '../evaluation/common-conditions.ts';
import type { Condition } from '../evaluation/condition.ts';
import {
	authorizationRequestOf,
	checkOf,
	ended,
	exchangedCode,
	issuedCode,
	parameter,
	passed
} from '#evidence/exchanges.ts';

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

/** A code with a challenge that came to a localhost port. */
function isChallenged(entry: TrafficEntry, before: readonly TrafficEntry[]): boolean {
	if (!issuedCode(entry)) return false;
	const request = authorizationRequestOf(before, entry) ?? entry;
	return (
		/^http:\/\/localhost:\d+/.test(parameter(request, 'redirect_uri') ?? '') &&
		parameter(request, 'code_challenge') !== undefined
	);
}

export const conditions: readonly Condition[] = [
	{
		id: 'code_copied',
		label: 'A code was copied from a page and exchanged',
		unmet: 'No code of an out-of-band request has been exchanged. Sign in with the companion and copy its code.',
		user: learner,
		shows: outOfBand
	},
	{
		id: 'challenge_sent',
		label: 'A code with a challenge came to a localhost port',
		unmet:
			'No code with a challenge has come to a localhost port. Send a code challenge with the authorization request.',
		shows: (entry, { before }) => isChallenged(entry, before)
	},
	{
		id: 'verifier_sent',
		label: 'A code came to a localhost port and was exchanged with its verifier',
		unmet: 'The code with the challenge has not been exchanged with its verifier. Send both to the token endpoint.',
		shows: withVerifier
	},
	{
		id: 'second_challenge_sent',
		label: 'A second code with a challenge came to a localhost port',
		unmet: 'The thief needs a code too. Send another authorization request with a code challenge.',
		shows: (entry, { before }) => isChallenged(entry, before)
	},
	{
		id: 'thief_rejected',
		label: 'A code with the secret, but without its verifier, was rejected',
		unmet:
			'The thief has not tried yet. Get a code with a challenge, and send it with the client secret but without its verifier.',
		shows: thief
	}
];
