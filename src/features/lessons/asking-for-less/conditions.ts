import type { TrafficEntry } from '#api/control/traffic.ts';
import { learner } from '../evaluation/common-conditions.ts';
import type { Condition } from '../evaluation/condition.ts';
import { authorizationRequestOf, exchangedCode, issued, issuedCode, parameter, passed } from '#evidence/exchanges.ts';

const scopesOf = (entry: TrafficEntry) => issued(entry, 'code')?.scopes ?? [];
const isDecided = (entry: TrafficEntry) => passed(entry, 'interaction.decided_by_prompted_user');

/** Whether the first list lacks something of the second. */
const isLess = (scopes: readonly string[], than: readonly string[]) => than.some((scope) => !scopes.includes(scope));

/** The codes that were issued before under the grant of this one. */
function codesBefore(entry: TrafficEntry, before: readonly TrafficEntry[]): TrafficEntry[] {
	const grant = issued(entry, 'code')?.grant;
	return before.filter((one) => one.seq < entry.seq && issuedCode(one) && issued(one, 'code')?.grant === grant);
}

/** A code that covers less than was granted before. */
const isSmaller = (entry: TrafficEntry, before: readonly TrafficEntry[]) =>
	issuedCode(entry) && isLess(scopesOf(entry), codesBefore(entry, before).flatMap(scopesOf));

/** A code that covers more than its request names. */
function isRenewal(entry: TrafficEntry, before: readonly TrafficEntry[]): boolean {
	if (!issuedCode(entry)) return false;
	const request = authorizationRequestOf([...before, entry], entry);
	return request !== undefined && isLess((parameter(request, 'scope') ?? '').split(' '), scopesOf(entry));
}

/** The code that an exchange sent. */
const codeOf = (exchange: TrafficEntry, before: readonly TrafficEntry[]) =>
	exchangedCode(exchange)
		? before.find((one) => issued(one, 'code')?.id === issued(exchange, 'access_token')?.from)
		: undefined;

export const conditions: readonly Condition[] = [
	{
		id: 'user_asked',
		label: 'The user was asked and allowed access',
		unmet: 'No user has decided on the consent page yet. Sign in with one permission and allow it.',
		user: learner,
		shows: (entry) => issuedCode(entry) && isDecided(entry)
	},
	{
		id: 'not_asked_again',
		label: 'The same request later got a code without a question',
		unmet: 'The user was asked once. Send the same request again for the same user, who is still signed in.',
		shows: (entry, { before }) => issuedCode(entry) && !isDecided(entry) && codesBefore(entry, before).some(isDecided)
	},
	{
		id: 'other_scope_allowed',
		label: 'A code was issued for less than the user has granted',
		unmet: 'The same request got a code without a question. Now request another permission without the first one.',
		shows: (entry, { before }) => isSmaller(entry, before)
	},
	{
		id: 'smaller_token',
		label: 'A token covers less than the user has granted',
		unmet: 'No token covers less than the grant. Exchange the code of the request for the other permission.',
		shows: (entry, { before }) => {
			const code = codeOf(entry, before);
			return code !== undefined && isSmaller(code, before) && [code];
		}
	},
	{
		id: 'renewal_asked',
		label: 'A code was issued for all that was granted',
		unmet: 'One token is smaller than the grant. Request one permission with renew_previously_granted=yes.',
		shows: (entry, { before }) => isRenewal(entry, before) && codesBefore(entry, before).length > 0
	},
	{
		id: 'renewed',
		label: 'A token covers permissions that its request does not name',
		unmet: 'A code covers the whole grant. Exchange it.',
		shows: (entry, { before }) => {
			const code = codeOf(entry, before);
			return code !== undefined && isRenewal(code, before) && [code];
		}
	}
];
