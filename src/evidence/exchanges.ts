import type { GrantType } from '#api/protocol/grant-types.ts';
import { automaticHeader } from '#api/headers.ts';
import type { LimitAlgorithm } from '#api/limit-algorithm.ts';
import type { EndedEvent, IssuedEvent, TraceLine, TrafficEntry } from '#api/control/traffic.ts';
import { onceFor } from './entry-memo.ts';

type Kind = IssuedEvent['kind'];

/** Whether a page of ours sent the request without its user. */
export const isAutomatic = ({ request }: TrafficEntry) =>
	request.headers.some(([name]) => name.toLowerCase() === automaticName);

const automaticName = automaticHeader.toLowerCase();

/** The check of this id, where it ran. */
export function checkOf(entry: TrafficEntry, id: string): TraceLine | undefined {
	return entry.trace.find((line) => line.id === id);
}

/** Whether this check rejected the request. */
export function failedAt(entry: TrafficEntry, id: string): boolean {
	return checkOf(entry, id)?.outcome === 'failed';
}

/** Whether this check passed, or produced the response. */
export function passed(entry: TrafficEntry, id: string): boolean {
	const outcome = checkOf(entry, id)?.outcome;
	return outcome === 'passed' || outcome === 'responded';
}

/** Whether there was a response, and it was no error: neither by its status, nor one that a redirect brings (RFC 6749, section 4.1.2.1). */
export function succeeded({ response, trace }: TrafficEntry): boolean {
	return response !== null && response.status < 400 && !trace.some(({ outcome }) => outcome === 'failed');
}

/** What the exchange issued of a kind. */
export function issued(entry: TrafficEntry, kind: Kind): IssuedEvent | undefined {
	return entry.credentials.find((event): event is IssuedEvent => event.type === 'issued' && event.kind === kind);
}

/** The id of the credential of a kind that the request used. */
export function used(entry: TrafficEntry, kind: Kind): string | undefined {
	return entry.credentials.find((event) => event.type === 'used' && event.kind === kind)?.id;
}

/** Whether the service accepted a code or token of the request. */
export const isUsed = (entry: TrafficEntry) => entry.credentials.some(({ type }) => type === 'used');

/** Whether the messages contain the credential of this id: a code or a token, also one that the service no longer knows. */
export function contains(entry: TrafficEntry, id: string): boolean {
	return entry.values.some((value) => value.id === id);
}

/** The grants that an exchange ended. */
export function endedGrants(entry: TrafficEntry): string[] {
	return entry.credentials.flatMap((event) => (event.type === 'ended' && event.kind === 'grant' ? [event.id] : []));
}

/** Whether the exchange ended something for this reason. */
export function ended(entry: TrafficEntry, reason: EndedEvent['reason']): boolean {
	return entry.credentials.some((event) => event.type === 'ended' && event.reason === reason);
}

const noFields = new URLSearchParams();
const formOnce = onceFor(({ request }: TrafficEntry) => new URLSearchParams(request.body));
const queryOnce = onceFor(
	({ request: { target } }: TrafficEntry) => new URLSearchParams(target.slice(target.indexOf('?')))
);

/** The form of the request, with secrets redacted. */
export function formOf(entry: TrafficEntry): URLSearchParams {
	return entry.request.body === '' ? noFields : formOnce(entry);
}

/** The query of the request, with secrets redacted. A request that was pushed has its parameters in the form. */
export function queryOf(entry: TrafficEntry): URLSearchParams {
	if (entry.endpoint === 'par') return formOf(entry);
	return entry.request.target.includes('?') ? queryOnce(entry) : noFields;
}

/** A parameter of the request, of its form or its query, with secrets redacted. */
export function parameter(entry: TrafficEntry, name: string): string | undefined {
	return formOf(entry).get(name) ?? queryOf(entry).get(name) ?? undefined;
}

/** Whether a request has the parameters of a sign-in. One that was pushed has them, and the browser brings its `request_uri`. */
export const isAuthorization = (entry: TrafficEntry) =>
	entry.endpoint === 'par' ||
	(entry.endpoint === 'auth' && parameter(entry, 'request_uri')?.startsWith(pushedUri) !== true);

const pushedUri = 'urn:ietf:params:oauth:request_uri:';

/** An authorization request that led to a code. */
export const issuedCode = (entry: TrafficEntry) => entry.endpoint === 'auth' && issued(entry, 'code') !== undefined;

/** A successful exchange of a code. */
export const exchangedCode = (entry: TrafficEntry) =>
	isTokenRequest(entry, 'authorization_code') && issued(entry, 'access_token') !== undefined;

/** A successful refresh. */
export const refreshed = (entry: TrafficEntry) =>
	isTokenRequest(entry, 'refresh_token') && issued(entry, 'access_token') !== undefined;

/** A request to the token endpoint with this grant type. */
export function isTokenRequest(entry: TrafficEntry, grant_type: GrantType): boolean {
	return entry.endpoint === 'token' && grantTypeOf(entry) === grant_type;
}

/** The grant type of a token request. Where a provider does not require it, a request with a code exchanges that. */
export function grantTypeOf(entry: TrafficEntry): string | undefined {
	const sent = parameter(entry, 'grant_type');
	if (sent !== undefined || parameter(entry, 'code') === undefined) return sent;
	return entry.trace.some(({ id }) => id === 'provider.request_read') ? 'authorization_code' : undefined;
}

/** A character that was read. */
export const readCharacter = (entry: TrafficEntry) => entry.endpoint === 'character' && entry.response?.status === 200;

/** Whose access a request uses, also where the service rejected it before it read the token. @param before the exchanges before it */
export function userOf({ username, values }: TrafficEntry, before: readonly TrafficEntry[]): string | undefined {
	const isIssued = ({ credentials }: TrafficEntry) =>
		credentials.some((event) => event.type === 'issued' && values.some(({ id }) => id === event.id));
	return username ?? before.findLast((one) => one.username !== undefined && isIssued(one))?.username;
}

/** A request for a resource with an access token. The API of a simulated provider is one. */
export const isResourceRequest = ({ endpoint, request }: TrafficEntry) =>
	endpoint === 'character' || endpoint === 'ratelimits' || (endpoint === 'userinfo' && ofProvider.test(request.target));

const ofProvider = /^(?:\/~[^/]*)?\/as\/[a-z0-9-]+\//;

/** The authorization request that an exchange belongs to. It has the parameters; a submitted consent page has none. */
export function authorizationRequestOf(
	entries: readonly TrafficEntry[],
	{ flow }: TrafficEntry
): TrafficEntry | undefined {
	return entries.find(
		(entry) => isAuthorization(entry) && entry.flow === flow && parameter(entry, 'client_id') !== undefined
	);
}

/** The refreshes under a grant that came after all access tokens of the sign-ins before them had expired. */
export function refreshedAfterExpiry(entries: readonly TrafficEntry[], grant: string): TrafficEntry[] {
	const signIns = entries.filter((entry) => exchangedCode(entry) && issued(entry, 'access_token')?.grant === grant);
	return entries.filter(
		(entry) =>
			refreshed(entry) &&
			entry.grant === grant &&
			signIns.every((one) => one.seq > entry.seq || (issued(one, 'access_token')?.expires ?? 0) <= entry.at)
	);
}

/** The rate limit algorithm that decided about a request. */
export const algorithmOf = (entry: TrafficEntry): LimitAlgorithm =>
	checkOf(entry, 'rate_limit.not_exceeded')?.algorithm ?? 'fixed_window';
