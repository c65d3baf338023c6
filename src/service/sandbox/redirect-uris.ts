import type { Dialect } from '#api/dialect.ts';
import { noWeaknesses, type Weaknesses } from '../core/weaknesses.ts';
import type { Application, ApplicationKind } from './records.ts';
import type { RedirectUriResult } from '#api/control/applications.ts';
import { decodePercent } from '#lib/percent.ts';
import { sanitizeText } from '#lib/plain-text.ts';

/** The redirect URIs of every installed application (specification, section 3.2). */
export const installedRedirects = ['urn:ietf:wg:oauth:2.0:oob', 'http://localhost'] as const;

/** Whether it is one of them. */
export function isFixedRedirect(uri: string): boolean {
	return installedRedirects.some((fixed) => fixed === uri);
}

/** What redirect URIs of presets and worlds have in place of the base URL of the sandbox. */
export const baseUrlPlaceholder = '{base_url}';

const loopbackUri = /^http:\/\/(localhost|127\.0\.0\.1|\[::1\])(?::([1-9][0-9]{0,4}))?(\/.*)?$/s;
const outOfBand = installedRedirects[0];

/**
 * Whether an application registered a redirect URI. Decoded strings are compared (specification, section 2.1). An installed
 * application may use its loopback URIs with any port (section 3.2; RFC 8252, section 7.3).
 */
export function matchesRegistered(
	{ kind, redirect_uris }: Application,
	uri: string,
	{ loopback, redirectUri }: Pick<Dialect, 'loopback' | 'redirectUri'>,
	weaknesses: Weaknesses = noWeaknesses
): boolean {
	return redirect_uris.some(
		(registered) =>
			matchesOne(kind, registered, uri, loopback) ||
			(redirectUri?.match === 'deeper' && isDeeper(registered, uri)) ||
			(weaknesses.has('redirect_uri_prefix') && uri.startsWith(registered))
	);
}

/** Whether a URI has the origin of a registered one, and a path that continues its path. */
function isDeeper(registered: string, uri: string): boolean {
	if (!URL.canParse(registered) || !URL.canParse(uri)) return false;
	const [one, other] = [new URL(registered), new URL(uri)];
	const folder = one.pathname.replace(/\/$/, '');
	return one.origin === other.origin && other.pathname.startsWith(`${folder}/`);
}

/** Whether a URI matches a registered one: for loopback URIs all but the port (RFC 8252, section 7.3; RFC 9700, section 2.1). */
function matchesOne(kind: ApplicationKind, registered: string, uri: string, loopback: Dialect['loopback']): boolean {
	const expected = kind === 'web' ? null : loopbackUri.exec(registered);
	if (expected === null) return uri === registered;
	const [, host, port = '80', path = '/'] = loopbackUri.exec(uri) ?? [];
	// The fixed one is not the choice of the application, so it covers each loopback host of the dialect.
	const isHost = host !== undefined && (host === expected[1] || (loopback === 'any' && isFixedRedirect(registered)));
	return isHost && Number(port) <= 65535 && path === (expected[3] ?? '/');
}

/**
 * The source of a Content-Security-Policy that lets a form lead to a redirect URI: its origin, or the scheme of one without.
 * @returns undefined for the out-of-band URI
 */
export function formSourceOf(uri: string): string | undefined {
	if (isOutOfBand(uri)) return undefined;
	// A policy cannot name an IPv6 address.
	return uri.startsWith('http://[') ? 'http:' : (originOf(uri) ?? /^[a-z][a-z0-9+.-]*:/i.exec(uri)?.[0]);
}

/** Whether a URI leads to the machine of the user (RFC 8252, section 7.3). */
export function isLoopbackUri(uri: string): boolean {
	return loopbackUri.test(uri);
}

/** A redirect URI of a preset or world in a sandbox. */
export function resolveBaseUrl(uri: string, base_url: string): string {
	return uri.startsWith(`${baseUrlPlaceholder}/`) ? base_url + uri.slice(baseUrlPlaceholder.length) : uri;
}

/** Whether the code is shown on a page instead of sent (specification, section 3.2). */
export function isOutOfBand(uri: string): boolean {
	return uri === outOfBand;
}

/**
 * Appends fields to the query of a redirect URI, which stays the same byte for byte (RFC 6749, section 3.1.2).
 * @param fields encoded pairs
 */
export function appendQuery(uri: string, fields: readonly string[]): string {
	const joint = !uri.includes('?') ? '?' : /[?&]$/.test(uri) ? '' : '&';
	return `${uri}${joint}${fields.join('&')}`;
}

/**
 * The origin of a redirect URI as browsers write it: in lower case, without the default port. For Content-Security-Policy and CORS.
 * @returns undefined where it has none
 */
export function originOf(uri: string): string | undefined {
	const origin = /^https?:\/\/(?:\[::1\](?::\d+)?|[a-z0-9.:_-]+)/i.exec(uri)?.[0].toLowerCase();
	return origin?.replace(origin.startsWith('https:') ? /:443$/ : /:80$/, '');
}

/**
 * Whether codes for redirect URIs of one origin reach the pages of another: it is the same, or the registered one is a loopback address
 * without a port, which covers all ports of its host (RFC 8252, section 7.3).
 * @param registered the origin of a redirect URI
 */
export function receivesCodes(kind: ApplicationKind, registered: string, origin: string): boolean {
	if (registered === origin) return true;
	const [, host, port] = loopbackUri.exec(registered) ?? [];
	return kind === 'installed' && host !== undefined && port === undefined && loopbackUri.exec(origin)?.[1] === host;
}

type Difference = NonNullable<RedirectUriResult['compared'][number]['difference']>;
type Cause = Pick<Difference, 'part' | 'reason'>;

/**
 * Compares a URI with each redirect URI of an application, and finds the first difference. The most similar one is first.
 * @param uri decoded
 * @param loopback of the dialect
 */
export function compareRedirectUri(
	application: Application,
	uri: string,
	loopback: Dialect['loopback']
): RedirectUriResult {
	const compared = application.redirect_uris.map((registered) => {
		const matches = matchesOne(application.kind, registered, uri, loopback);
		const expected = expectedUri(application.kind, registered, uri);
		const difference = matches ? null : firstDifference(registered, expected, uri);
		return { result: { registered, matches, difference }, distance: matches ? -1 : distance(expected, uri) };
	});
	compared.sort((one, other) => one.distance - other.distance);
	return { matches: matchesRegistered(application, uri, { loopback }), compared: compared.map(({ result }) => result) };
}

/** The registered URI. Where any port is allowed, with the valid digits of the port of the tested URI, and its slash. */
function expectedUri(kind: ApplicationKind, registered: string, uri: string): string {
	if (kind === 'web' || isOutOfBand(registered) || !uri.startsWith(registered)) return registered;
	const rest = uri.slice(registered.length);
	const [digits = ''] = /^:(?:[1-9][0-9]{0,4})?/.exec(rest) ?? [];
	const port = Number(digits.slice(1)) > 65535 ? digits.slice(0, -1) : digits;
	return registered + port + (port !== ':' && rest[port.length] === '/' ? '/' : '');
}

function firstDifference(registered: string, expected: string, uri: string): Difference {
	const at = commonLength(uri, expected);
	return { ...causeOf(uri, expected, at), at, registered_at: Math.min(at, registered.length) };
}

function causeOf(uri: string, expected: string, at: number): Cause {
	const blank = blankName(uri.slice(at, at + 1));
	if (blank !== undefined) return { part: 'whitespace', reason: `The tested URI contains ${blank}.` };
	if (isEncodingOf(uri, expected, at) || isEncodingOf(expected, uri, at)) {
		const [is, was] = [atomAt(uri, at), atomAt(expected, at)].map(quoted);
		return { part: 'encoding', reason: `The encoding differs: ${is} instead of ${was}.` };
	}
	const [letter, other] = [uri.charAt(at), expected.charAt(at)];
	if (/^[a-z]$/i.test(letter) && /^[a-z]$/i.test(other) && letter.toLowerCase() === other.toLowerCase()) {
		return { part: 'case', reason: `The letter case differs: ${quoted(letter)} instead of ${quoted(other)}.` };
	}
	return partOf(partsOf(uri), partsOf(expected));
}

function partOf(tested: UriParts, expected: UriParts): Cause {
	const part = partNames.find((name) => tested[name] !== expected[name]) ?? 'port';
	const [is, was] = [tested[part], expected[part]];
	if (part === 'path' && is === `${was}/`)
		return { part: 'trailing_slash', reason: 'The tested URI has a trailing slash that is not registered.' };
	if (part === 'path' && was === `${is}/`)
		return { part: 'trailing_slash', reason: 'The trailing slash of the registered URI is missing.' };
	if (part === 'port' && (was === ':' || (was !== '' && is.startsWith(was))) && !isPort(is))
		return { part, reason: 'A port is a number from 1 to 65535 without leading zeros.' };
	if (was === '') return { part, reason: `The registered URI has no ${part}. Remove ${quoted(is)}.` };
	if (is === '') return { part, reason: `The ${part} ${quoted(was)} is missing.` };
	return { part, reason: `The ${part} is ${quoted(is)} instead of ${quoted(was)}.` };
}

const partNames = ['scheme', 'user', 'host', 'port', 'path', 'query', 'fragment'] as const;
type UriParts = Record<(typeof partNames)[number], string>;

const uriPattern =
	/^(?:([^:/?#]*:\/\/)([^@/?#]*@)?(\[[^\]/?#]*\]|[^:/?#]*)(:[^/?#]*)?|([^:/?#]*:))?([^?#]*)(\?[^#]*)?(#.*)?$/s;

/** The parts of a URI with their delimiters. Joined, they are the URI. */
function partsOf(uri: string): UriParts {
	const [, scheme, user = '', host = '', port = '', scheme2 = '', path = '', query = '', fragment = ''] =
		uriPattern.exec(uri) ?? [];
	return { scheme: scheme ?? scheme2, user, host, port, path, query, fragment };
}

function isPort(text: string): boolean {
	return /^:[1-9][0-9]{0,4}$/.test(text) && Number(text.slice(1)) <= 65535;
}

/** How many characters the differing middle of the longer one has. */
function distance(one: string, other: string): number {
	const shorter = Math.min(one.length, other.length);
	const begin = commonLength(one, other);
	let end = 0;
	while (end < shorter - begin && one.at(-1 - end) === other.at(-1 - end)) end++;
	return Math.max(one.length, other.length) - begin - end;
}

function commonLength(one: string, other: string): number {
	let at = 0;
	while (at < one.length && one[at] === other[at]) at++;
	return at;
}

/** Whether an escape at an index encodes the character that the other URI has there. */
function isEncodingOf(escaped: string, plain: string, at: number): boolean {
	const [run] = /^(?:%[0-9a-f]{2})+/i.exec(escaped.slice(at)) ?? [];
	const decoded = run === undefined ? undefined : decodePercent(run, false)?.codePointAt(0);
	return decoded !== undefined && decoded === plain.codePointAt(at);
}

/** The escape or the character at an index. */
function atomAt(text: string, at: number): string {
	return /^(?:%[0-9a-f]{2}|.)/isu.exec(text.slice(at))?.[0] ?? '';
}

function blankName(character: string): string | undefined {
	if (character === ' ') return 'a space';
	if (character === '\n' || character === '\r') return 'a line break';
	if (/^\s$/.test(character)) return 'whitespace';
	return character !== '' && sanitizeText(character) !== character && !/[\ud800-\udfff]/.test(character)
		? 'an invisible character'
		: undefined;
}

function quoted(text: string): string {
	return `“${sanitizeText(text, 60)}”`;
}
