import { maxRedirectUris } from '#api/control/applications.ts';
import type { Dialect } from '#api/dialect.ts';
import { decodePercent } from '#lib/percent.ts';
import { responseNames } from '#api/protocol/authorization.ts';
import { ProtocolError } from '../core/errors.ts';
import type { ApplicationKind } from './records.ts';
import { installedRedirects, isFixedRedirect } from './redirect-uris.ts';

/** Where the service sends the browser of a user, of an application. */
type ApplicationUris = { readonly redirect_uris: string[]; readonly post_logout_redirect_uris?: string[] };

/** What a URI is for: how errors call it, and the parameters that the service adds to it. */
type UriUse = { readonly name: string; readonly reserved: readonly string[] };

/** A redirect URI that has such a parameter already would have it twice (RFC 6749, section 3.1). */
const redirectUri: UriUse = { name: 'redirect URI', reserved: responseNames };
/** `state` is the only parameter after a sign-out (RP-Initiated Logout 1.0, section 3). */
const logoutUri: UriUse = { name: 'post_logout_redirect_uri', reserved: ['state'] };

/**
 * Schemes that browsers and systems handle themselves. All others are private-use schemes (RFC 8252, section 7.1), with the rest of this
 * pattern: those of Windows and of extensions begin in the same way.
 */
const knownSchemes =
	/^(?:about|blob|chrome|data|file|filesystem|ftps?|geo|git|https?|imaps?|intent|irc|jar|javascript|ldaps?|magnet|mailto|market|mms|news|nntp|resource|rtsp|search|shell|sips?|sms|smsto|ssh|telnet|tel|urn|vbscript|view-source|webcal|wss?|xmpp|ms-.*|search-.*|.*-extension):/i;

/**
 * The URIs of an application. An installed application gets its two fixed redirect URIs. It can have others only in a dialect with all
 * loopback addresses.
 * @throws ProtocolError `invalid_request` that names the field
 */
export function validateUris(
	kind: ApplicationKind,
	{
		redirect_uris,
		post_logout_redirect_uris = []
	}: { readonly redirect_uris: readonly string[]; readonly post_logout_redirect_uris?: readonly string[] | undefined },
	loopback: Dialect['loopback']
): ApplicationUris {
	const after = validateLogoutUris(kind, post_logout_redirect_uris);
	return {
		redirect_uris: validateRedirectUris(kind, redirect_uris, loopback),
		...(after.length > 0 && { post_logout_redirect_uris: after })
	};
}

/** The redirect URIs of an application. */
function validateRedirectUris(kind: ApplicationKind, uris: readonly string[], loopback: Dialect['loopback']): string[] {
	const place = placeIn('redirect_uris');
	if (uris.length > maxRedirectUris)
		throw invalidUri(place(), `An application can have at most ${maxRedirectUris} redirect URIs.`);
	if (kind === 'installed') {
		const own = uris.findIndex((uri) => !isFixedRedirect(uri));
		if (own === -1) return [...installedRedirects];
		if (loopback === 'any') return unique(uris, (uri, at) => validateInstalledUri(uri, place(at), redirectUri));
		throw invalidUri(
			place(own),
			'An installed application has fixed redirect URIs. Remove yours, or choose a web server application.'
		);
	}
	if (uris.length === 0) throw invalidUri(place(), 'At least one redirect URI is required. The code is sent there.');
	return unique(uris, (uri, at) => validateWebUri(uri, place(at), redirectUri));
}

/** Where a browser may go after a sign-out. */
function validateLogoutUris(kind: ApplicationKind, uris: readonly string[]): string[] {
	const place = placeIn('post_logout_redirect_uris');
	if (uris.length > maxRedirectUris)
		throw invalidUri(place(), `An application can have at most ${maxRedirectUris} of these URIs.`);
	const validate = kind === 'web' ? validateWebUri : validateInstalledUri;
	return unique(uris, (uri, at) => validate(uri, place(at), logoutUri));
}

/** A URI of an installed application in the dialect of today's standards (RFC 8252, section 7). */
function validateInstalledUri(uri: string, field: string, use: UriUse): string {
	if (isFixedRedirect(uri)) return uri;
	if (/^https?:/i.test(uri)) {
		const valid = validateWebUri(uri, field, use);
		if (/^https:|^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?=[:/?]|$)/i.test(uri)) return valid;
		throw invalidUri(field, 'HTTP is allowed for loopback addresses only: 127.0.0.1, [::1] and localhost.');
	}
	if (!/^[a-z][a-z0-9+.-]*:./i.test(uri) || knownSchemes.test(uri))
		throw invalidUri(
			field,
			'An installed application can have http://127.0.0.1, http://[::1], HTTPS and private-use URIs, such as com.example.app:/callback.'
		);
	return validateText(uri, field, use);
}

/** A URI with HTTP or HTTPS. */
function validateWebUri(uri: string, field: string, use: UriUse): string {
	const invalid = (description: string) => invalidUri(field, description);
	if (!/^https?:\/\//i.test(uri))
		throw invalid(`A ${use.name} of a web application must start with http:// or https://.`);
	validateText(uri, field, use);
	const [, authority = ''] = /^https?:\/\/([^/?#\\]*)/i.exec(uri) ?? [];
	if (authority.includes('@')) throw invalid(`A ${use.name} cannot contain a username or password.`);
	// The consent page allows the redirect in its Content-Security-Policy, which cannot name an IPv6 address.
	if (authority.startsWith('[') && !/^http:\/\/\[::1\](?::[0-9]+)?(?:[/?]|$)/.test(uri))
		throw invalid(
			`The host of a ${use.name} cannot be an IPv6 address other than http://[::1]. Use localhost or a name.`
		);
	if (!/^(?:\[::1\]|[A-Za-z0-9_](?:[A-Za-z0-9._-]*[A-Za-z0-9_])?)(?::[0-9]{1,5})?$/.test(authority)) {
		throw invalid(
			`The host of a ${use.name} must be a name or an IPv4 address, with an optional port and no wildcard.`
		);
	}
	if (Number(/:([0-9]+)$/.exec(authority)?.[1] ?? 1) > 65535) throw invalid('A port is a number up to 65535.');
	return uri;
}

/** What holds for the text of every URI. */
function validateText(uri: string, field: string, use: UriUse): string {
	const invalid = (description: string) => invalidUri(field, description);
	if (uri.length > 1000) throw invalid(`A ${use.name} can have at most 1,000 characters.`);
	if (!/^[\x21-\x7e]+$/.test(uri))
		throw invalid(`A ${use.name} cannot contain spaces or non-ASCII characters. Percent-encode them, or use punycode.`);
	const [before = '', ...fragment] = uri.split('#');
	if (fragment.length > 0) throw invalid(`A ${use.name} cannot have a fragment.`);
	// What is wrong in the host is said of the host.
	const path = before.replace(/^https?:\/\/[^/?\\]*/i, '');
	if (/[*\\"<>^`{|}]/.test(path) || /%(?![0-9A-Fa-f]{2})/.test(path)) {
		throw invalid(`The path or query of a ${use.name} contains an invalid character or a wildcard.`);
	}
	const names = (before.split('?').slice(1).join('?') || '').split('&').map((pair) => pair.split('=', 1)[0] ?? '');
	const name = names
		.map((encoded) => decodePercent(encoded, true) ?? encoded)
		.find((one) => use.reserved.includes(one));
	if (name !== undefined)
		throw invalid(`The query of a ${use.name} cannot have ${name}: the service adds this parameter itself.`);
	return uri;
}

function unique(uris: readonly string[], validate: (uri: string, at: number) => string): string[] {
	return [...new Set(uris.map(validate))];
}

/** The name of a list of URIs, and of one in it, in an error. */
function placeIn(list: string): (index?: number) => string {
	return (index) => (index === undefined ? list : `${list}.${index}`);
}

function invalidUri(field: string, description: string): ProtocolError {
	return new ProtocolError('invalid_request', description, { field });
}
