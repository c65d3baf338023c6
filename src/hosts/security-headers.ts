import { isOpenPolicy } from './embedding.ts';

type Header = readonly [name: string, value: string];

/**
 * The default headers of every response: `[lower-case name, value]`. Strict-Transport-Security is only set on a public host
 * name: it applies to all ports, so on localhost or an IP address it would break other servers.
 * @param origin `https://host[:port]`
 */
export function securityHeaders(origin: string): [name: string, value: string][] {
	const headers: [string, string][] = [
		['x-content-type-options', 'nosniff'],
		['referrer-policy', 'same-origin'],
		['x-frame-options', 'DENY'],
		// Must not forbid what the stricter <meta> policy of a prerendered page allows.
		['content-security-policy', "object-src 'none'; base-uri 'none'; frame-ancestors 'none'"]
	];
	if (isPublicName(new URL(origin).hostname)) headers.push(['strict-transport-security', 'max-age=31536000']);
	return headers;
}

/**
 * The headers that a response lacks. Where its policy lets other origins frame it, `X-Frame-Options` would contradict that.
 * @param valueOf the value that the response has, by lower-case name
 */
export function missingHeaders(
	security: readonly Header[],
	valueOf: (name: string) => string | undefined
): readonly Header[] {
	const isOpen = isOpenPolicy(valueOf('content-security-policy') ?? '');
	return security.filter(([name]) => valueOf(name) === undefined && !(isOpen && name === 'x-frame-options'));
}

/**
 * Whether a host name is this machine's own.
 * @param host a name or an address, IPv6 with or without brackets
 */
export function isLoopback(host: string): boolean {
	const name = host.toLowerCase().replace(/^\[|\]$/g, '');
	return name === 'localhost' || name.endsWith('.localhost') || name === '::1' || /^127(\.\d{1,3}){3}$/.test(name);
}

function isPublicName(host: string): boolean {
	const isAddress = host.startsWith('[') || /^[\d.]+$/.test(host);
	return !isAddress && host.includes('.') && !/\.(localhost|local|test|internal|home\.arpa)$/.test(host);
}
