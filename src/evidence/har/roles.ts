import type { ForeignRole } from './har-reading.ts';
import { fieldOf, listOf, parseObject, textOf } from './json-fields.ts';
import { splitUrl, valueIn, type Pair, type RawExchange } from './raw-exchange.ts';

/** A role of a request, and by what it was found. */
export type FoundRole = { readonly role: ForeignRole; readonly reason: string };

/** What the requests of a file say about the others. */
type Known = {
	/** Origin and path of redirect URIs. */
	readonly callbacks: Set<string>;
	readonly applications: Set<string>;
	readonly providers: Set<string>;
	/** Endpoints that a metadata document names. */
	readonly endpoints: Map<string, ForeignRole>;
	/** URLs that a page asked to send a token to (CORS). */
	readonly preflights: Set<string>;
	/** Codes and states that came back to the application. */
	readonly responses: Set<string>;
};

/** Shorter codes and states occur in other requests by chance. */
const shortestCode = 8;
const relay: FoundRole = { role: 'application', reason: 'Has the code or the state of the callback' };
const other: FoundRole = { role: 'foreign', reason: 'Left out' };
const metadataPath =
	/\/\.well-known\/(?:openid-configuration|oauth-authorization-server|oauth-protected-resource|openid-federation)/;
const keysPath = /\/(?:jwks|jwks\.json|certs|keys|jwk|jwkset)\/?$/i;
const signOutPath = /\/(?:logout|log-?out|sign-?out|end-?session|endsession|logoff)(?:\/|$|\.)/i;
const endpointNames: Readonly<Record<string, ForeignRole>> = {
	authorization_endpoint: 'authorization',
	token_endpoint: 'token',
	jwks_uri: 'keys',
	userinfo_endpoint: 'userinfo',
	introspection_endpoint: 'introspection',
	revocation_endpoint: 'revocation',
	end_session_endpoint: 'sign_out',
	device_authorization_endpoint: 'device',
	pushed_authorization_request_endpoint: 'par'
};

/** The key of an endpoint, by which a user can change its role. Parts of a path that may be a secret or an id are `*`. */
export function endpointKey({ method, host, path }: Pick<RawExchange, 'method' | 'host' | 'path'>): string {
	const isName = (part: string) => /^(?:[\w.~-]{0,15}|[a-z_-]{1,40}(?:\.[a-z]{1,8})?)$/i.test(part);
	const parts = path.split('/', 20).map((part) => (isName(part) ? part : '*'));
	return `${method} ${host}${parts.join('/')}`;
}

/** All parameters of a request. */
export function parametersOf({ query, form, fragment }: RawExchange): readonly Pair[] {
	return query.length + form.length + fragment.length === query.length ? query : [...query, ...form, ...fragment];
}

/** The roles of the requests of a file, in their order. */
export function findRoles(
	exchanges: readonly RawExchange[],
	chosen: ReadonlyMap<string, ForeignRole> = new Map()
): FoundRole[] {
	const known = learn(exchanges);
	const roles = exchanges.map((one): FoundRole => {
		const choice = chosen.get(endpointKey(one));
		return choice === undefined ? roleByShape(one, known) : { role: choice, reason: 'Chosen by you' };
	});
	addPages(exchanges, roles, known, chosen);
	return roles;
}

function learn(exchanges: readonly RawExchange[]): Known {
	const known: Known = {
		callbacks: new Set(),
		applications: new Set(),
		providers: new Set(),
		endpoints: new Map(),
		preflights: new Set(),
		responses: new Set()
	};
	for (const one of exchanges) {
		if (isMetadata(one)) {
			const document = parseObject(one.responseBody);
			for (const [name, role] of Object.entries(endpointNames)) {
				const url = splitUrl(textOf(document, name));
				if (url !== undefined) known.endpoints.set(url.origin + url.path, role);
			}
		}
		if (asksForAuthorization(one)) known.providers.add(one.origin);
		const target = splitUrl(valueIn(parametersOf(one), 'redirect_uri') ?? '');
		if (target !== undefined && (asksForAuthorization(one) || isTokenRequest(one))) {
			known.callbacks.add(target.origin + target.path);
			known.applications.add(target.origin);
		}
		const returned = splitUrl(one.location);
		for (const pairs of [one.query, one.fragment, returned?.query ?? [], returned?.fragment ?? []])
			if (isResponse(pairs))
				for (const [name, value] of pairs)
					if ((name === 'code' || name === 'state') && value.length >= shortestCode) known.responses.add(value);
		if (isPreflight(one)) known.preflights.add(one.origin + one.path);
	}
	return known;
}

/** Whether a browser asks before it sends a token. */
const isPreflight = ({ method, requestHeaders }: RawExchange): boolean =>
	method === 'OPTIONS' && /\bauthorization\b/i.test(valueIn(requestHeaders, 'access-control-request-headers') ?? '');

function isMetadata({ path, responseBody }: RawExchange): boolean {
	return metadataPath.test(path) || /"authorization_endpoint"\s{0,5}:/.test(responseBody.slice(0, 20_000));
}

/** An authorization request has a client and what it wants: most providers need response_type, GitHub and Slack do not. */
function asksForAuthorization(one: RawExchange): boolean {
	if (one.method !== 'GET' && one.method !== 'POST') return false;
	const all = parametersOf(one);
	const has = (name: string) => valueIn(all, name) !== undefined;
	if (!has('client_id') || has('grant_type') || has('client_secret') || has('code')) return false;
	if (/"request_uri"/.test(one.responseBody)) return false;
	const wants = has('response_type') || has('request_uri') || has('request');
	return wants || (has('redirect_uri') && (has('scope') || has('state') || has('user_scope')));
}

function isTokenRequest(one: RawExchange): boolean {
	const all = parametersOf(one);
	const has = (name: string) => valueIn(all, name) !== undefined;
	if (one.method === 'OPTIONS') return false;
	if (has('grant_type')) return true;
	const hasClient = has('client_secret') || has('code_verifier') || /^basic /i.test(authorizationOf(one));
	return (
		(has('code') || has('refresh_token') || has('device_code')) && (hasClient || (has('client_id') && issuesToken(one)))
	);
}

const issuesToken = ({ responseBody }: RawExchange) =>
	/["']?access_token["']?\s{0,5}[:=]/.test(responseBody.slice(0, 20_000));
const authorizationOf = ({ requestHeaders }: RawExchange) => valueIn(requestHeaders, 'authorization') ?? '';

/** Whether a request has an access token, in a header of any provider, or as a parameter. */
export function hasToken(one: RawExchange): boolean {
	const header = authorizationOf(one);
	return (
		/^(?:bearer|dpop|token) \S/i.test(header) ||
		one.requestHeaders.some(([name]) => /access-token$/i.test(name)) ||
		valueIn(one.query, 'access_token') !== undefined
	);
}

function roleByShape(one: RawExchange, known: Known): FoundRole {
	const all = parametersOf(one);
	const has = (name: string) => valueIn(all, name) !== undefined;
	const names = (...wanted: readonly string[]) => `By ${wanted.filter(has).join(', ')}`;
	const place = one.origin + one.path;
	if (isPreflight(one) && one.status >= 400)
		return { role: 'resource', reason: 'By its headers: a rejected preflight' };
	if (one.method === 'OPTIONS' || one.isAsset) return other;
	const named = known.endpoints.get(place);
	if (isMetadata(one)) return { role: 'metadata', reason: 'By its path or its body' };
	const body = parseObject(one.responseBody.length < 100_000 ? one.responseBody : '');
	if (listOf(body, 'keys').some((key) => textOf(key, 'kty') !== ''))
		return { role: 'keys', reason: 'By its body: a JWK set' };
	if (
		named === 'keys' ||
		(one.method === 'GET' && keysPath.test(one.path) && body === undefined && /json/.test(one.responseType))
	)
		return { role: 'keys', reason: named === undefined ? 'By its path' : 'By the metadata' };
	if (isTokenRequest(one))
		return { role: 'token', reason: names('grant_type', 'code', 'refresh_token', 'client_secret') };
	if (named === 'par' || (one.method === 'POST' && has('client_id') && textOf(body, 'request_uri') !== ''))
		return { role: 'par', reason: 'By its body: a request_uri' };
	if (named === 'device' || (one.method === 'POST' && textOf(body, 'device_code') !== ''))
		return { role: 'device', reason: 'By its body: a device_code' };
	if (known.callbacks.has(place) && (isResponse(all) || one.method === 'GET'))
		return { role: 'callback', reason: 'By redirect_uri of the first request' };
	if (asksForAuthorization(one))
		return { role: 'authorization', reason: names('response_type', 'request_uri', 'client_id', 'redirect_uri') };
	if (
		named === 'introspection' ||
		(one.method === 'POST' && has('token') && typeof fieldOf(body, 'active') === 'boolean')
	)
		return { role: 'introspection', reason: 'By token, and active in its body' };
	if (named === 'revocation' || (has('token') && /revo(?:ke|cation)/i.test(one.path)))
		return { role: 'revocation', reason: 'By token and its path' };
	if (named === 'sign_out' || has('post_logout_redirect_uri') || has('id_token_hint'))
		return { role: 'sign_out', reason: names('post_logout_redirect_uri', 'id_token_hint') };
	if (signOutPath.test(one.path) && (known.applications.has(one.origin) || known.providers.has(one.origin)))
		return { role: 'sign_out', reason: 'By its path' };
	// A refresh that a page of the application wraps has no shape of OAuth.
	if (hasToken(one) || (known.preflights.has(place) && !known.applications.has(one.origin)) || asksForToken(one))
		return named === 'userinfo' || isUserInfo(one, body)
			? { role: 'userinfo', reason: 'By a token, and sub in its body' }
			: { role: 'resource', reason: hasToken(one) ? 'By its access token' : 'By its headers' };
	if (one.method === 'GET' && has('client_id') && (has('error') || has('autherror')))
		return { role: 'sign_in', reason: names('client_id', 'error') };
	if (one.method === 'GET' && isResponse(all) && !known.providers.has(one.origin))
		return { role: 'callback', reason: names('code', 'error', 'state') };
	return other;
}

/** Whether a response says that a token is missing. Some recorders leave out the header that has it. */
const asksForToken = ({ responseHeaders }: RawExchange) =>
	/^(?:bearer|dpop)\b/i.test(valueIn(responseHeaders, 'www-authenticate') ?? '');

const isUserInfo = ({ path }: RawExchange, body: object | undefined) =>
	/\/user-?info\/?$/i.test(path) || (textOf(body, 'sub') !== '' && /\/(?:me|oidc|openid|profile)/i.test(path));

/** Whether parameters are those of an authorization response (RFC 6749, section 4.1.2). */
function isResponse(all: readonly Pair[]): boolean {
	const has = (name: string) => valueIn(all, name) !== undefined;
	return (
		(has('state') && (has('code') || has('error') || has('access_token') || has('id_token'))) ||
		(has('code') && has('iss'))
	);
}

/** Adds the pages of the application and the sign-in pages, which have a role by the requests around them. */
function addPages(
	exchanges: readonly RawExchange[],
	roles: FoundRole[],
	known: Known,
	chosen: ReadonlyMap<string, ForeignRole>
): void {
	const callbackOrigins = new Set(
		exchanges.filter((_, at) => roles[at]?.role === 'callback').map(({ origin }) => origin)
	);
	let isSignIn = false;
	const starts = new Map<string, string>();
	/** Where each code came back first. */
	const codes = new Map<string, string>();
	/** Those of the authorization server, and those that it leads to: a sign-in by another provider. */
	const origins = new Set(known.providers);
	exchanges.forEach((one, at) => {
		const { role } = roles[at] ?? other;
		if (role === 'authorization') {
			const key = `${valueIn(one.query, 'client_id') ?? ''} ${valueIn(one.query, 'state') ?? ''}`;
			const first = starts.get(key) ?? one.origin + one.path;
			starts.set(key, first);
			// Google and Entra repeat all parameters in the addresses of their pages.
			if (isSignIn && first !== one.origin + one.path && !chosen.has(endpointKey(one)))
				roles[at] = { role: 'sign_in', reason: 'Between authorization and callback' };
			isSignIn = true;
		}
		if (role === 'callback') {
			isSignIn = false;
			// A page that sends the code to its own server in a URL.
			const code = valueIn(parametersOf(one), 'code') ?? '';
			const first = codes.get(code) ?? one.origin + one.path;
			if (code !== '') codes.set(code, first);
			if (first !== one.origin + one.path && !chosen.has(endpointKey(one))) roles[at] = relay;
		}
		const target = splitUrl(one.location);
		if (isSignIn && target !== undefined && origins.has(one.origin)) origins.add(target.origin);
		if (role !== 'foreign' || one.isAsset || chosen.has(endpointKey(one)) || one.method === 'OPTIONS') return;
		const isApplication = known.applications.has(one.origin) || callbackOrigins.has(one.origin);
		const isRelay =
			!known.providers.has(one.origin) && parametersOf(one).some(([, value]) => known.responses.has(value));
		const leadsTo = target === undefined ? undefined : { ...one, ...target, form: [], responseBody: '', method: 'GET' };
		const isProvider = isSignIn && known.providers.has(one.origin);
		if (leadsTo !== undefined && !isProvider && asksForAuthorization(leadsTo))
			roles[at] = { role: 'application', reason: 'Redirects to the authorization request' };
		else if (isRelay) roles[at] = relay;
		else if (isSignIn && !isApplication && isPage(one) && isLinked(one, origins)) {
			roles[at] = { role: 'sign_in', reason: 'Between authorization and callback' };
			origins.add(one.origin);
		} else if (isApplication && one.status >= 400 && isPage(one))
			roles[at] = { role: 'application', reason: 'An error page of the application' };
	});
}

/** Whether a page of some origins led to a request. */
const isLinked = ({ origin, requestHeaders }: RawExchange, origins: ReadonlySet<string>) =>
	origins.has(origin) || origins.has(splitUrl(valueIn(requestHeaders, 'referer') ?? '')?.origin ?? '');

/** Whether the browser shows the response, or goes on from it. */
const isPage = ({ responseType, status, method, requestHeaders }: RawExchange) =>
	(status >= 300 && status < 400 && status !== 304) ||
	responseType === 'text/html' ||
	(method === 'POST' && valueIn(requestHeaders, 'sec-fetch-dest') !== 'empty');

/** Protocols that a sign-in without OAuth 2 may have, by a parameter or a header of theirs. */
const protocols: readonly (readonly [name: string, pair: RegExp])[] = [
	['SAML', /^saml(?:request|response|art)=/i],
	['WS-Federation', /^w(?:result|trealm)=/i],
	['OAuth 1.0', /^oauth_(?:consumer_key|token|verifier)=|^authorization=oauth .*oauth_/i],
	['OpenID 2.0', /^openid\.mode=/i],
	['CAS', /^ticket=[sp]t-\d/i]
];

/** The protocol of a sign-in without OAuth 2. Undefined if none is known. */
export function protocolOf(raws: readonly RawExchange[]): string | undefined {
	const pairs = raws.flatMap((one) => [...parametersOf(one), ...one.requestHeaders]).map((pair) => pair.join('='));
	return protocols.find(([, shows]) => pairs.some((pair) => shows.test(pair)))?.[0];
}
