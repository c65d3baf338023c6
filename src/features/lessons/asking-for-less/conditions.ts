import type { TrafficEntry } from '#api/control/traffic.ts';
import type { Condition, Evidence } from '../evaluation/condition.ts';
import {
	authorizationRequestOf,
	bestOf,
	exchangedCode,
	grantsIn,
	issued,
	issuedCode,
	parameter,
	passed,
	type Steps
} from '#evidence/exchanges.ts';

const scopesOf = (entry: TrafficEntry) => issued(entry, 'code')?.scopes ?? [];
const isDecided = (entry: TrafficEntry) => passed(entry, 'interaction.decided_by_prompted_user');

/** Whether the first list lacks something of the second. */
const isLess = (scopes: readonly string[], than: readonly string[]) => than.some((scope) => !scopes.includes(scope));

function stepsOf(entries: readonly TrafficEntry[], grant: string): Steps {
	const codes = entries.filter((entry) => issuedCode(entry) && issued(entry, 'code')?.grant === grant);
	const withToken = (isFound: (code: TrafficEntry, index: number) => boolean) =>
		codes.flatMap((code, index) => {
			const exchange = entries.find(
				(entry) => exchangedCode(entry) && issued(entry, 'access_token')?.from === issued(code, 'code')?.id
			);
			return exchange !== undefined && isFound(code, index) ? [[code, exchange]] : [];
		})[0];
	/** Its token covers more than the request names. */
	const isRenewal = (code: TrafficEntry) => {
		const request = authorizationRequestOf(entries, code);
		return request !== undefined && isLess((parameter(request, 'scope') ?? '').split(' '), scopesOf(code));
	};
	const asked = codes.find(isDecided);
	const notAsked = codes.find((code) => asked !== undefined && code.seq > asked.seq && !isDecided(code));
	const other = codes.find((code, index) => isLess(scopesOf(code), codes.slice(0, index).flatMap(scopesOf)));
	const renewal = codes.find(isRenewal);
	const smaller = withToken((code, index) => isLess(scopesOf(code), codes.slice(0, index).flatMap(scopesOf)));
	const renewed = withToken(isRenewal);
	return [asked && [asked], notAsked && [notAsked], other && [other], smaller, renewal && [renewal], renewed];
}

const step = (index: number) => (attempt: Evidence) =>
	bestOf(grantsIn(attempt.entries), (grant) => stepsOf(attempt.entries, grant))[index];

export const conditions: readonly Condition[] = [
	{
		id: 'user_asked',
		label: 'The user was asked and allowed access',
		unmet: 'No user has decided on the consent page yet. Sign in with one permission and allow it.',
		shownBy: step(0)
	},
	{
		id: 'not_asked_again',
		label: 'The same request later got a code without a question',
		unmet: 'The user was asked once. Send the same request again for the same user, who is still signed in.',
		shownBy: step(1)
	},
	{
		id: 'other_scope_allowed',
		label: 'A code was issued for less than the user has granted',
		unmet: 'The same request got a code without a question. Now request another permission without the first one.',
		shownBy: step(2)
	},
	{
		id: 'smaller_token',
		label: 'A token covers less than the user has granted',
		unmet: 'No token covers less than the grant. Exchange the code of the request for the other permission.',
		shownBy: step(3)
	},
	{
		id: 'renewal_asked',
		label: 'A code was issued for all that was granted',
		unmet: 'One token is smaller than the grant. Request one permission with renew_previously_granted=yes.',
		shownBy: step(4)
	},
	{
		id: 'renewed',
		label: 'A token covers permissions that its request does not name',
		unmet: 'A code covers the whole grant. Exchange it.',
		shownBy: step(5)
	}
];
