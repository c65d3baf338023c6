import { outOfBandUri } from '#client/oauth/client-registration.ts';
import type { TrafficEntry } from '#api/control/traffic.ts';
import { learner } from '../evaluation/common-conditions.ts';
import type { Condition } from '../evaluation/condition.ts';
import { resultOf } from '../evaluation/result-text.ts';
import type { Comparison } from '../lesson.ts';
import {
	authorizationRequestOf,
	checkOf,
	ended,
	exchangedCode,
	isTokenRequest,
	issuedCode,
	parameter,
	passed
} from '#evidence/exchanges.ts';

const verifier = 'token.code_verifier_matches';
/** Why the exchange of a code with a challenge fails. */
const thiefCauses = ['missing_verifier', 'wrong_verifier', 'verifier_is_challenge', 'verifier_too_short'];

const outOfBand = (entry: TrafficEntry) => exchangedCode(entry) && parameter(entry, 'redirect_uri') === outOfBandUri;

const isOnPort = (entry: TrafficEntry) => /^http:\/\/localhost:\d+/.test(parameter(entry, 'redirect_uri') ?? '');
const hasVerifier = (entry: TrafficEntry) => (parameter(entry, 'code_verifier') ?? '') !== '';

const withVerifier = (entry: TrafficEntry) =>
	exchangedCode(entry) && isOnPort(entry) && passed(entry, verifier) && hasVerifier(entry);

/** A code of a localhost port was sent without a verifier: all that a thief has. */
export const isThief = (entry: TrafficEntry) =>
	isTokenRequest(entry, 'authorization_code') && isOnPort(entry) && !hasVerifier(entry);

const isRejected = (entry: TrafficEntry) =>
	thiefCauses.includes(checkOf(entry, verifier)?.cause ?? '') && ended(entry, 'failed_exchange');

/** A code that came to a localhost port, after a request with a challenge or without one. */
function cameToPort(entry: TrafficEntry, before: readonly TrafficEntry[], isChallenged: boolean): boolean {
	if (!issuedCode(entry)) return false;
	const request = authorizationRequestOf(before, entry) ?? entry;
	return isOnPort(request) && (parameter(request, 'code_challenge') !== undefined) === isChallenged;
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
		id: 'plain_code_sent',
		label: 'A code without a challenge came to a localhost port',
		unmet: 'No code without a challenge has come to a localhost port. Send an authorization request without PKCE.',
		shows: (entry, { before }) => cameToPort(entry, before, false)
	},
	{
		id: 'code_stolen',
		label: 'A code without a challenge was exchanged with the secret alone',
		unmet: 'The thief has no tokens yet. Send the code of the request without PKCE, with the client secret.',
		shows: (entry) => isThief(entry) && exchangedCode(entry)
	},
	{
		id: 'challenge_sent',
		label: 'A code with a challenge came to a localhost port',
		unmet:
			'No code with a challenge has come to a localhost port. Send a code challenge with the authorization request.',
		shows: (entry, { before }) => cameToPort(entry, before, true)
	},
	{
		id: 'thief_rejected',
		label: 'A code with the secret, but without its verifier, was rejected',
		unmet:
			'The thief has not tried the code with the challenge yet. Send it with the client secret but without its verifier.',
		shows: isRejected
	},
	{
		id: 'second_challenge_sent',
		label: 'A second code with a challenge came to a localhost port',
		unmet: 'The failed exchange ended the code. Send another authorization request with a code challenge.',
		shows: (entry, { before }) => cameToPort(entry, before, true)
	},
	{
		id: 'verifier_sent',
		label: 'A code came to a localhost port and was exchanged with its verifier',
		unmet: 'The code with the challenge has not been exchanged with its verifier. Send both to the token endpoint.',
		shows: withVerifier
	}
];

/** The same theft without PKCE and with it. */
export const comparison: Comparison = {
	columns: ['Without PKCE', 'With PKCE'],
	rows: ({ entries, shown }) => {
		const thefts = [shown('code_stolen').at(-1), shown('thief_rejected').at(-1)] as const;
		const challengeOf = (theft: TrafficEntry | undefined) => {
			const request = theft && authorizationRequestOf(entries, theft);
			return request && (parameter(request, 'code_challenge') === undefined ? 'none' : 'sent');
		};
		const sentBy = (theft: TrafficEntry | undefined) =>
			theft && (hasVerifier(theft) ? 'code, secret, verifier' : 'code, secret');
		return [
			['code_challenge', challengeOf(thefts[0]), challengeOf(thefts[1])],
			['The thief sent', sentBy(thefts[0]), sentBy(thefts[1])],
			['The thief got', resultOf(thefts[0]), resultOf(thefts[1])]
		];
	}
};
