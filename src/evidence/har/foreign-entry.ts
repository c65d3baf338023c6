import type { TrafficEntry } from '#api/control/traffic.ts';
import { removed, type ForeignLabels } from './foreign-labels.ts';
import type { ForeignRole } from './har-reading.ts';
import { fieldOf, isObject, listOf, parseJson, textOf } from './json-fields.ts';
import { pageErrorOf, responseFields } from './page-error.ts';
import { formOf, pairsOf, type Pair, type RawExchange } from './raw-exchange.ts';
import { cleanText, redactJson, redactPairs, redactPath, redactUrl } from './redact-values.ts';

type Message = { readonly headers: [string, string][]; readonly body: string };

/** Headers whose values say something about a sign-in, and are no secret. Of all others, the names are kept. */
const openHeaders =
	/^(?:x-esi-error-limit-.*|accept|accept-language|allow|age|cache-control|clear-site-data|content-type|content-length|date|deprecation|expires|host|origin|pragma|retry-after|server|sunset|user-agent|vary|via|x-requested-with|x-frame-options|x-powered-by|access-control-.*|sec-fetch-.*|sec-purpose|(?:x-)?ratelimit.*|x-rate-limit.*|x-shopify-shop-api-call-limit|shopify-.*|x-github-media-type|x-oauth-scopes|x-accepted-oauth-scopes|x-oauth-client-id|dpop-nonce|x-app-rate-limit.*|cross-origin-.*)$/;
const urlHeaders = /^(?:location|referer|content-location)$/;
const leftOut = '[left out]';
const longestBody = 16_384;
const cookieAttribute =
	/^(?:(?:domain|path|max-age|samesite|priority)=[^,=]{0,199}|expires=[\w ,:-]{0,40}|secure|httponly|partitioned)$/i;
const publicKeyFields = ['kid', 'kty', 'alg', 'use', 'crv'];
const privateKeyFields = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'k'];

/** The endpoint of the service that a role has the shape of, so that the rules can read the entry, where it has another name. */
const endpoints: Partial<Record<ForeignRole, string>> = {
	authorization: 'auth',
	device: 'device_authorization',
	keys: 'jwks',
	introspection: 'introspect',
	revocation: 'revoke',
	sign_out: 'logout',
	resource: 'character',
	foreign: 'other'
};

/** An exchange in the form of the traffic log, with labels in place of its secrets. */
export function foreignEntry(
	raw: RawExchange,
	role: ForeignRole,
	seq: number,
	labels: ForeignLabels
): Omit<TrafficEntry, 'values' | 'references'> {
	const query = redactPairs([...raw.query, ...raw.fragment], labels);
	const request = {
		method: raw.method,
		target: redactPath(raw.path, labels) + (query === '' ? '' : `?${query}`),
		headers: headersOf(raw.requestHeaders, labels),
		body: requestBody(raw, role, labels)
	};
	const response: (Message & { status: number }) | null =
		raw.status === 0
			? null
			: {
					status: raw.status,
					headers: withLocation(raw, headersOf(raw.responseHeaders, labels), labels),
					body: responseBody(raw, role, labels)
				};
	return {
		seq,
		id: `file-${raw.position}`,
		at: Math.round(raw.begin + raw.duration),
		duration: Math.round(raw.duration * 1000) / 1000,
		endpoint: endpoints[role] ?? role,
		address: '',
		request,
		response,
		trace: [],
		credentials: []
	};
}

/** Some recorders have the target of a redirect beside the headers only. */
function withLocation(raw: RawExchange, headers: [string, string][], labels: ForeignLabels): [string, string][] {
	if (raw.location === '' || headers.some(([name]) => name.toLowerCase() === 'location')) return headers;
	return [...headers, ['location', redactUrl(raw.location, labels)]];
}

function headersOf(pairs: readonly Pair[], labels: ForeignLabels): [string, string][] {
	return pairs.map(([name, value]) => [cleanText(name, labels), headerValue(name.toLowerCase(), value, labels)]);
}

function headerValue(name: string, value: string, labels: ForeignLabels): string {
	if (value === '') return '';
	if (name === 'authorization' || name === 'proxy-authorization') return authorization(value, labels);
	if (name === 'cookie') return cookies(value, labels);
	if (name === 'set-cookie')
		return (
			value
				// Firefox and Chrome join several by a line break, Safari by a comma.
				.split(/\n|, *(?=[^\s;,=]+=)/)
				.map((one) => setCookie(one, labels))
				.join('\n')
		);
	if (/access-token$/.test(name)) return labels.show('access token', value, name);
	if (urlHeaders.test(name)) return redactUrl(value, labels);
	if (name === 'www-authenticate' || name === 'link' || name === 'dpop-nonce') return cleanText(value, labels);
	return openHeaders.test(name) ? labels.replaceIn(value.slice(0, 500)) : (labels.find(value) ?? leftOut);
}

function authorization(value: string, labels: ForeignLabels): string {
	const [, scheme = '', rest = ''] = /^([a-z]{1,12}) +(.+)$/is.exec(value) ?? [];
	if (/^(?:bearer|dpop|token)$/i.test(scheme))
		return `${scheme} ${labels.show('access token', rest.trim(), 'Authorization')}`;
	const isLabel = /^\[client secret \d+\]$/.test(rest);
	const secret = /^basic$/i.test(scheme) ? (isLabel ? rest : basicSecret(rest)) : undefined;
	if (secret !== undefined) return `Basic ${labels.show('client secret', secret, 'Authorization')}`;
	labels.count('Authorization', value);
	return scheme === '' ? removed : `${scheme} ${removed}`;
}

/** The client and its secret in HTTP Basic (RFC 6749, section 2.3.1). */
function basicParts(value: string): Pair | undefined {
	try {
		const text = atob(value.trim());
		const colon = text.indexOf(':');
		return colon < 0
			? undefined
			: [decodeURIComponent(text.slice(0, colon)), decodeURIComponent(text.slice(colon + 1))];
	} catch {
		return undefined;
	}
}

const basicSecret = (value: string) => basicParts(value)?.[1] || undefined;

/** The client that HTTP Basic names. */
export function basicClient(raw: RawExchange): string | undefined {
	const value = raw.requestHeaders.find(([name]) => name.toLowerCase() === 'authorization')?.[1] ?? '';
	const [, rest = ''] = /^basic +(.+)$/i.exec(value) ?? [];
	const client = basicParts(rest)?.[0];
	return client !== undefined && /^[\w.:/-]{1,200}$/.test(client) ? client : undefined;
}

function cookies(value: string, labels: ForeignLabels): string {
	const names = value.split(';').map((one) => one.split('=', 1)[0]?.trim() ?? '');
	for (const one of names) labels.count('Cookie, Set-Cookie', one, 'names only');
	return names
		.slice(0, 60)
		.map((name) => `${cleanText(name.slice(0, 100), labels)}=${removed}`)
		.join('; ');
}

function setCookie(value: string, labels: ForeignLabels): string {
	const [first = '', ...attributes] = value.split(';');
	labels.count('Cookie, Set-Cookie', first, 'names only');
	const kept = attributes.map((one) => one.trim()).filter((one) => cookieAttribute.test(one));
	const name = cleanText((first.split('=', 1)[0] ?? '').trim().slice(0, 100), labels);
	return [`${name}=${removed}`, ...kept.map((one) => labels.replaceIn(one))].join('; ');
}

function requestBody({ form, requestBody: body }: RawExchange, role: ForeignRole, labels: ForeignLabels): string {
	if (body === '') return '';
	// Safari writes the form of a sign-in page at the end of its redirects.
	const isSignIn = /^(?:sign_in|callback|application|foreign)$/.test(role);
	if (form.length > 0) return cut(redactPairs(form, labels, 0, isSignIn));
	labels.count('Bodies of requests', body);
	return leftOut;
}

function responseBody(raw: RawExchange, role: ForeignRole, labels: ForeignLabels): string {
	const { responseBody: body, responseType, status } = raw;
	if (responseType === 'text/html' || /^\s*<(?:!doctype|html)/i.test(body) || body === '') return pageBody(raw, labels);
	const content = /json/.test(responseType) || /^\s*[{[]/.test(body) ? parseJson(body) : undefined;
	if (content !== undefined) {
		if (role === 'keys') return cut(JSON.stringify({ keys: listOf(content, 'keys').slice(0, 20).map(publicKey) }));
		if (role === 'metadata') return cut(JSON.stringify(metadataOf(content, labels)));
		const isData = /^(?:resource|application|sign_in|callback|userinfo)$/.test(role);
		// Some providers respond to a failed call with 200 and `ok: false`.
		const isError = status >= 400 || (role === 'resource' && fieldOf(content, 'ok') === false);
		return cut(JSON.stringify(redactJson(content, labels, isError ? 'error' : isData ? 'data' : 'token')));
	}
	// GitHub and older services respond with a form.
	const isForm = role === 'token' && /^[\w.-]{1,100}=/.test(body);
	const form = isForm ? formOf(body, 'application/x-www-form-urlencoded') : [];
	if (form.length > 0) return cut(redactPairs(form, labels));
	if (status >= 400 && role !== 'sign_in' && body.length < 2000) return cut(cleanText(body, labels));
	return leftOut;
}

/** What a page contains: an authorization response that it posts, and the error that it shows. */
function pageBody(raw: RawExchange, labels: ForeignLabels): string {
	const form = responseFields(raw.responseBody);
	const error = form.length > 0 ? undefined : pageErrorOf(raw);
	if (raw.responseBody === '' && error === undefined) return '';
	const shown: Pair[] = Object.entries({ error: error?.name ?? '', error_description: error?.text ?? '' });
	const said = redactPairs(
		shown.filter(([, value]) => value !== ''),
		labels
	);
	const parts = [
		...(form.length > 0 ? [`form ${redactPairs(form, labels)}`] : []),
		...(said === '' ? [] : [`shows ${said}`])
	];
	return parts.length === 0 ? '[page]' : `[page] ${cut(parts.join('; '))}`;
}

function publicKey(key: unknown): Record<string, string> {
	const isShort = (text: string) => /^[\w.:+/=-]{1,100}$/.test(text);
	const kept = publicKeyFields.flatMap((name): Pair[] =>
		isShort(textOf(key, name)) ? [[name, textOf(key, name)]] : []
	);
	const secret = privateKeyFields.flatMap((name): Pair[] =>
		fieldOf(key, name) === undefined ? [] : [[name, removed]]
	);
	return Object.fromEntries([...kept, ...secret]);
}

/** A metadata document is public: its URLs and short values are kept. */
function metadataOf(content: unknown, labels: ForeignLabels): unknown {
	if (!isObject(content)) return removed;
	const isOpen = (value: unknown): value is string | boolean | number =>
		typeof value === 'boolean' ||
		typeof value === 'number' ||
		(typeof value === 'string' && /^[\w.:/{}~ -]{1,200}$/.test(value));
	const kept = Object.keys(content)
		.slice(0, 80)
		.flatMap((name): [string, unknown][] => {
			const value: unknown = fieldOf(content, name);
			if (isOpen(value)) return [[name.slice(0, 100), typeof value === 'string' ? labels.replaceIn(value) : value]];
			if (!Array.isArray(value)) return [];
			return [[name.slice(0, 100), listOf(content, name).slice(0, 40).filter(isOpen)]];
		});
	return Object.fromEntries(kept);
}

/** The text of a response with a form, as a list of its fields. */
export const fieldsOfBody = (body: string): Pair[] =>
	body.startsWith('{') ? formOf(body, 'application/json') : pairsOf(body);

function cut(text: string): string {
	return text.length > longestBody ? text.slice(0, longestBody) : text;
}
