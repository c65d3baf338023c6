import { maxRedirectUris } from '#api/control/applications.ts';
import type { Dialect } from '#api/dialect.ts';
import { ProtocolError } from '../core/errors.ts';
import type { Application, ApplicationKind } from './records.ts';

/** The redirect URIs of every installed application (specification, section 3.2). */
export const installedRedirects = ['urn:ietf:wg:oauth:2.0:oob', 'http://localhost'] as const;

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
	loopback: Dialect['loopback']
): boolean {
	return redirect_uris.some((registered) => matchesOne(kind, registered, uri, loopback));
}

/** Whether a URI matches one of the redirect URIs that an application of a kind registered. */
export function matchesOne(
	kind: ApplicationKind,
	registered: string,
	uri: string,
	loopback: Dialect['loopback']
): boolean {
	const expected = kind === 'web' ? null : loopbackUri.exec(registered);
	if (expected === null) return uri === registered;
	const [, host, port = '80', path = '/'] = loopbackUri.exec(uri) ?? [];
	const isHost = host !== undefined && (loopback === 'any' || host === expected[1]);
	return isHost && Number(port) <= 65535 && path === (expected[3] ?? '/');
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

/**
 * The redirect URIs of an application. An installed application gets its two fixed ones. It can have others only in a dialect with
 * all loopback addresses.
 * @throws ProtocolError `invalid_request` that names the field
 */
export function validateRedirectUris(
	kind: ApplicationKind,
	uris: readonly string[],
	loopback: Dialect['loopback'] = 'localhost'
): string[] {
	if (kind === 'installed') {
		const isFixed = uris.every((uri) => installedRedirects.some((fixed) => fixed === uri));
		if (uris.length > maxRedirectUris)
			throw invalidUri(`An application can have at most ${maxRedirectUris} redirect URIs.`);
		if (loopback === 'any' && !isFixed) return [...new Set(uris.map(validateInstalledUri))];
		const own = uris.findIndex((uri) => !installedRedirects.some((fixed) => fixed === uri));
		if (own === -1) return [...installedRedirects];
		throw invalidUri(
			'An installed application has fixed redirect URIs. Remove yours, or choose a web server application.',
			own
		);
	}
	if (uris.length === 0) throw invalidUri('At least one redirect URI is required. The code is sent there.');
	if (uris.length > maxRedirectUris)
		throw invalidUri(`An application can have at most ${maxRedirectUris} redirect URIs.`);
	return [...new Set(uris.map(validateRedirectUri))];
}

/** A redirect URI of an installed application in the dialect of today's standards (RFC 8252, section 7). */
function validateInstalledUri(uri: string, index: number): string {
	if (installedRedirects.some((fixed) => fixed === uri)) return uri;
	if (isLoopbackUri(uri)) {
		// The rules for paths are those of every redirect URI. They know no IPv6 address.
		validateRedirectUri(uri.replace('[::1]', 'localhost'), index);
		return uri;
	}
	if (/^https:/i.test(uri)) return validateRedirectUri(uri, index);
	throw invalidUri('An installed application can have http://127.0.0.1, http://[::1] and HTTPS redirect URIs.', index);
}

function validateRedirectUri(uri: string, index: number): string {
	const invalid = (description: string) => invalidUri(description, index);
	if (uri.length > 1000) throw invalid('A redirect URI can have at most 1,000 characters.');
	if (!/^https?:\/\//i.test(uri))
		throw invalid('A redirect URI of a web application must start with http:// or https://.');
	if (!/^[\x21-\x7e]+$/.test(uri))
		throw invalid(
			'A redirect URI cannot contain spaces or non-ASCII characters. Percent-encode them, or use punycode.'
		);
	const parts = /^(https?):\/\/([^/?#\\]*)([^#]*)(#.*)?$/i.exec(uri);
	if (parts === null) throw invalid('A redirect URI must have a host.');
	const [, , authority = '', path = '', fragment] = parts;
	if (fragment !== undefined) throw invalid('A redirect URI cannot have a fragment (RFC 6749, section 3.1.2).');
	if (authority.includes('@')) throw invalid('A redirect URI cannot contain a username or password.');
	// The consent page allows the redirect in its Content Security Policy, which cannot name an IPv6 address.
	if (authority.startsWith('['))
		throw invalid('The host of a redirect URI cannot be an IPv6 address. Use localhost or a name.');
	if (!/^[A-Za-z0-9_](?:[A-Za-z0-9._-]*[A-Za-z0-9_])?(?::[0-9]{1,5})?$/.test(authority)) {
		throw invalid(
			'The host of a redirect URI must be a name or an IPv4 address, with an optional port and no wildcard.'
		);
	}
	if (/[*\\"<>^`{|}]/.test(path) || /%(?![0-9A-Fa-f]{2})/.test(path)) {
		throw invalid('The path or query of a redirect URI contains an invalid character or a wildcard.');
	}
	return uri;
}

/** @param index of the URI that is wrong; undefined if the list is */
function invalidUri(description: string, index?: number): ProtocolError {
	const field = index === undefined ? 'redirect_uris' : `redirect_uris.${index}`;
	return new ProtocolError('invalid_request', description, { field });
}
