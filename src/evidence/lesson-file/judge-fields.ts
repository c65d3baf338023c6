import type { TrafficEntry } from '#api/control/traffic.ts';
import {
	authorizationRequestOf,
	checkOf,
	exchangedCode,
	failedAt,
	issued,
	issuedCode,
	parameter,
	passed
} from '../exchanges.ts';
import { rateLimitOf } from '../rate-limit-headers.ts';
import type { Observation } from './observations.ts';

type Entries = readonly TrafficEntry[];

/** Whether an exchange has what a field of an observation asks for. An absent field asks for nothing. */
export const fits = <Value>(wanted: Value | undefined, found: Value) => wanted === undefined || wanted === found;

/** Whether an exchange passed all of these checks. */
export const passesAll = (checks: readonly string[] = [], entry: TrafficEntry) =>
	checks.every((id) => passed(entry, id));

/** Whether one of these checks rejected a request. */
export function isRejectedBy(
	{ checks, causes, endpoint, sends = [] }: Extract<Observation, { kind: 'check_failed' }>,
	entry: TrafficEntry
): boolean {
	const check = checks.find((id) => failedAt(entry, id));
	if (check === undefined || !fits(endpoint, entry.endpoint)) return false;
	const cause = checkOf(entry, check)?.cause;
	return (
		(causes === undefined || cause === undefined || causes.includes(cause)) &&
		sends.every((name) => parameter(entry, name) !== undefined)
	);
}

/** Whether a redirect URI is of an installed application, on a port of localhost or without an address. */
export function hasRedirect(wanted: 'localhost' | 'out_of_band' | undefined, request: TrafficEntry): boolean {
	const uri = parameter(request, 'redirect_uri') ?? '';
	return (
		wanted === undefined ||
		(wanted === 'localhost' ? /^http:\/\/localhost:\d+/.test(uri) : uri === 'urn:ietf:wg:oauth:2.0:oob')
	);
}

/** What a sign-in asked for. An installed application says it in its token request. */
export function accessOf(exchange: TrafficEntry, before: Entries): 'online' | 'offline' {
	const asked = [exchange, authorizationRequestOf(before, exchange)];
	return asked.some((entry) => entry !== undefined && parameter(entry, 'access_type') === 'offline')
		? 'offline'
		: 'online';
}

export const hasScopes = (
	{ min_scopes = 0, max_scopes = Infinity }: { readonly min_scopes?: number; readonly max_scopes?: number },
	scopes: readonly string[] = []
) => scopes.length >= min_scopes && scopes.length <= max_scopes;

const scopesOf = (entry: TrafficEntry) => issued(entry, 'code')?.scopes ?? [];

/** Whether the first list lacks something of the second. */
const isLess = (scopes: readonly string[], than: readonly string[]) => than.some((scope) => !scopes.includes(scope));

/** Whether a code covers less than those that were issued under its grant before, or more than its request names. */
export function coversThat(
	wanted: 'less_than_granted' | 'more_than_requested' | undefined,
	code: TrafficEntry,
	before: Entries
): boolean {
	if (wanted === undefined) return true;
	if (wanted === 'more_than_requested') {
		const request = authorizationRequestOf([...before, code], code);
		return request !== undefined && isLess((parameter(request, 'scope') ?? '').split(' '), scopesOf(code));
	}
	const grant = issued(code, 'code')?.grant;
	const earlier = before.filter((one) => one.seq < code.seq && issuedCode(one) && issued(one, 'code')?.grant === grant);
	return isLess(scopesOf(code), earlier.flatMap(scopesOf));
}

/** The exchange that issued the code which an exchange sent. */
export function codeOf(exchange: TrafficEntry, before: Entries): TrafficEntry | undefined {
	if (!exchangedCode(exchange)) return undefined;
	return before.find((one) => issued(one, 'code')?.id === issued(exchange, 'access_token')?.from);
}

/** Whether a token has fewer permissions than the one that it was exchanged for. */
export function isNarrower(exchange: TrafficEntry, before: Entries): boolean {
	const token = issued(exchange, 'access_token');
	const subject = before.map((one) => issued(one, 'access_token')).find((one) => one && one.id === token?.from);
	return token !== undefined && subject !== undefined && token.scopes.length < subject.scopes.length;
}

/** Whether the rate limit of a response is the wanted one, and the request took so much from it. */
export function countsAs(
	{ limit, takes }: { readonly limit?: number; readonly takes?: number },
	entry: TrafficEntry,
	before: Entries
): boolean {
	const own = rateLimitOf(entry);
	if (limit !== undefined && own?.limit !== limit) return false;
	return (
		takes === undefined || (own !== undefined && (leftBefore(entry, before) ?? own.limit) - own.remaining === takes)
	);
}

/** How many requests were left before this one, by the last response of the same window. */
export function leftBefore(entry: TrafficEntry, before: Entries): number | undefined {
	const own = rateLimitOf(entry);
	return before
		.filter(({ endpoint, address }) => endpoint === entry.endpoint && address === entry.address)
		.map(rateLimitOf)
		.findLast((one) => one?.limit === own?.limit && one?.reset === own?.reset)?.remaining;
}
