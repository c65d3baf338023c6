import { grantOf, type GrantKind } from '#api/protocol/grant-types.ts';
import type { TrafficEntry, TrafficValue } from '#api/control/traffic.ts';
import { onceFor } from './entry-memo.ts';
import { grantTypeOf, isAuthorization, isResourceRequest, queryOf, succeeded } from './exchanges.ts';

/** What the rules read of one exchange. */
export type Facts = {
	readonly entry: TrafficEntry;
	readonly kind: 'authorization' | GrantKind | 'other_token_request' | 'call' | 'revocation' | 'other';
	/** When the request arrived. `entry.at` is the end of the response. Both in milliseconds by the clock of the sandbox. */
	readonly begin: number;
	/** Undefined where there was no response. */
	readonly status: number | undefined;
	/** Whether there was a response, and it was no error. A redirect with an error is one. */
	readonly ok: boolean;
	/** The code, refresh token or access token that the request sent. */
	readonly credential: TrafficValue | undefined;
};

const factsOnce = onceFor(readFacts);

/** The facts of an entry. */
export function factsOf(entry: TrafficEntry): Facts {
	const { kind, begin, status, ok, credential } = factsOnce(entry);
	return { entry, kind, begin, status, ok, credential };
}

function readFacts(entry: TrafficEntry): Omit<Facts, 'entry'> {
	const kind = kindOf(entry);
	const status = entry.response?.status;
	return {
		kind,
		begin: entry.at - entry.duration,
		status,
		ok: succeeded(entry),
		credential: credentialOf(entry, kind)
	};
}

/** What an exchange is about. */
export function kindOf(entry: TrafficEntry): Facts['kind'] {
	const { endpoint, request } = entry;
	// A browser asks before the request itself.
	if (request.method === 'OPTIONS') return 'other';
	switch (endpoint) {
		case 'auth':
			return request.method === 'GET' && queryParameter(entry, 'client_id') !== undefined && isAuthorization(entry)
				? 'authorization'
				: 'other';
		case 'par':
			return 'authorization';
		case 'token':
			return grantOf(grantTypeOf(entry))?.kind ?? 'other_token_request';
		case 'character':
		case 'ratelimits':
			return 'call';
		case 'userinfo':
			return isResourceRequest(entry) ? 'call' : 'other';
		case 'revoke':
			return 'revocation';
		default:
			return 'other';
	}
}

function credentialOf(entry: TrafficEntry, kind: Facts['kind']): TrafficValue | undefined {
	if (kind === 'exchange') return valueOf(entry, 'code');
	if (kind === 'refresh') return valueOf(entry, 'refresh_token');
	if (kind === 'device_poll') return valueOf(entry, 'device_code');
	if (kind !== 'call') return undefined;
	const at = entry.request.headers.findIndex(([name]) => name.toLowerCase() === 'authorization');
	return valueAt(entry, `/request/headers/${at}/1`, () => true) ?? valueOf(entry, 'access_token');
}

/** The secret or one-time value in a parameter of the form or the query: a state, a code, a token. */
export function valueOf(entry: TrafficEntry, name: string): TrafficValue | undefined {
	const isNamed = (before: string) =>
		before.slice(Math.max(before.lastIndexOf('&'), before.indexOf('?')) + 1) === `${name}=`;
	return valueAt(entry, '/request/body', isNamed) ?? valueAt(entry, '/request/target', isNamed);
}

/** The first value in a text of an entry. @param fits whether the text before the value does */
function valueAt(entry: TrafficEntry, pointer: string, fits: (before: string) => boolean): TrafficValue | undefined {
	const reference = entry.references.find(
		(one) => one.pointer === pointer && fits(textAt(entry, pointer).slice(0, one.start))
	);
	return reference && entry.values[reference.value];
}

function textAt({ request }: TrafficEntry, pointer: string): string {
	if (pointer === '/request/target') return request.target;
	return pointer === '/request/body' ? request.body : '';
}

/** A header of the request. What browsers alone say of themselves (`sec-…`) is undefined for requests of servers. @param name in lower case */
export function requestHeader(entry: TrafficEntry, name: string): string | undefined {
	return name.startsWith('sec-') && !isOfBrowser(entry) ? undefined : sentHeader(entry, name);
}

function sentHeader({ request }: TrafficEntry, name: string): string | undefined {
	return request.headers.find(([sent]) => sent.toLowerCase() === name)?.[1];
}

/** A browser names the site and the destination of a request. Node's `fetch` sends the mode `cors` alone, and no user opens a pushed request. */
function isOfBrowser(entry: TrafficEntry): boolean {
	if (entry.endpoint === 'par') return false;
	const isNamed = (name: string) => sentHeader(entry, name) !== undefined;
	return browserHeaders.some(isNamed) || sentHeader(entry, 'sec-fetch-mode') === 'navigate';
}

const browserHeaders = ['sec-fetch-dest', 'sec-fetch-site', 'sec-purpose'];

/** Whether a browser, or what acts as one, opened the sign-in page: with the parameters of the sign-in, or with those that were pushed. */
export function isOpened(entry: TrafficEntry): boolean {
	const { endpoint, request } = entry;
	const isServer = sentHeader(entry, 'sec-fetch-mode') !== undefined && !isOfBrowser(entry);
	return (
		endpoint === 'auth' && request.method === 'GET' && queryParameter(entry, 'client_id') !== undefined && !isServer
	);
}

/** A parameter of the query, with secrets redacted. Undefined where it is missing. */
export function queryParameter(entry: TrafficEntry, name: string): string | undefined {
	return queryOf(entry).get(name) ?? undefined;
}

/** The names of parameters whose values the log hides although they are no secret of a client. */
const hiddenNames =
	/^(?:state|nonce|code_challenge|request_uri|login_hint|id_token_hint|dpop_jkt|interaction|client_assertion|code|token|user_code)$/;

/** Whether the query has a hidden value under another name. It may be the secret of the client. */
export function hasHiddenParameter(entry: TrafficEntry): boolean {
	return [...queryOf(entry)].some(([name, value]) => /^••••$|…$/.test(value) && !hiddenNames.test(name));
}

/**
 * Whether a request is the reaction to a rejected call. A refresh that is nearer to the next call, of another resource, belongs to
 * that one.
 * @param calls all calls, in the order of the log
 */
export function isReaction({ begin, entry: { seq, at } }: Facts, { entry }: Facts, calls: readonly Facts[]): boolean {
	if (seq < entry.seq || begin < entry.at) return false;
	const next = calls.find((call) => call.entry.seq > seq);
	return next?.entry.request.target === entry.request.target || begin - entry.at <= (next?.begin ?? Infinity) - at;
}

/** How soon the HTTP library of a client repeats a request that got no response, in milliseconds. */
const repeatTime = 100;

/**
 * Requests without those that an HTTP library repeated: once, at once, and without the client knowing. Java's
 * HttpURLConnection does so after a connection that was closed without a response. A client that goes on repeating does it itself.
 * @param facts oldest first
 */
export function withoutRepeats(facts: readonly Facts[]): readonly Facts[] {
	const known = tries.get(facts) ?? findTries(facts);
	tries.set(facts, known);
	return known;
}

/** Several rules read the same list, so it is searched once. */
const tries = new WeakMap<readonly Facts[], readonly Facts[]>();

function findTries(facts: readonly Facts[]): readonly Facts[] {
	/** The series of equal requests of which the latest got no response, by the request. */
	const open = new Map<string, Facts[]>();
	const repeats = new Set<Facts>();
	for (const one of facts) {
		if (open.size === 0 && one.status !== undefined) continue;
		const { method, target, body } = one.entry.request;
		const key = `${method} ${target} ${body}`;
		const same = open.get(key) ?? [];
		const delay = one.begin - (same.at(-1)?.entry.at ?? -Infinity);
		const series = delay >= 0 && delay < repeatTime ? [...same, one] : [one];
		if (series.length === 2) repeats.add(one);
		else for (const earlier of series) repeats.delete(earlier);
		if (one.status === undefined) open.set(key, series);
		else open.delete(key);
	}
	return repeats.size === 0 ? facts : facts.filter((one) => !repeats.has(one));
}
