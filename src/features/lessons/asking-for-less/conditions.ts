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
} from '../evaluation/exchanges.ts';

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
	const asked = codes.find(isDecided);
	const notAsked = codes.find((code) => asked !== undefined && code.seq > asked.seq && !isDecided(code));
	const smaller = withToken((code, index) => isLess(scopesOf(code), codes.slice(0, index).flatMap(scopesOf)));
	const renewed = withToken((code) => {
		const request = authorizationRequestOf(entries, code);
		return request !== undefined && isLess((parameter(request, 'scope') ?? '').split(' '), scopesOf(code));
	});
	return [asked && [asked], notAsked && [notAsked], smaller, renewed];
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
		id: 'smaller_token',
		label: 'A token covers less than the user has granted',
		unmet:
			'No token covers less than the grant. Request another permission without the first one, and exchange its code.',
		shownBy: step(2)
	},
	{
		id: 'renewed',
		label: 'A token covers permissions that its request does not name',
		unmet:
			'One token is smaller than the grant. Request one permission with renew_previously_granted=yes, and exchange its code.',
		shownBy: step(3)
	}
];
