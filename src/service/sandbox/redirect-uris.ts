import type { Dialect } from '#api/dialect.ts';
import { noWeaknesses, type Weaknesses } from '../core/weaknesses.ts';
import type { Application, ApplicationKind } from './records.ts';

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
export function matchesOne(
	kind: ApplicationKind,
	registered: string,
	uri: string,
	loopback: Dialect['loopback']
): boolean {
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
