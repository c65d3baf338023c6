import type { Context } from '../core/context.ts';
import { ProtocolError } from '../core/errors.ts';

/**
 * Rejects a request from a page of another site (RFC 6749, section 10.12). Programs send neither header and pass; their key or
 * CSRF token decides what they may do.
 * @throws ProtocolError `forbidden`
 */
export function requireSameOrigin(context: Context): void {
	const origin = context.header('origin');
	const site = context.header('sec-fetch-site');
	const ownOrigin = /^https?:\/\/[^/]+/.exec(context.options.origin)?.[0];
	const isOwnSite = site === undefined || site === 'same-origin' || site === 'none' || isLink(context);
	if ((origin === undefined || origin === ownOrigin) && isOwnSite) return;
	throw new ProtocolError(
		'forbidden',
		'This request was sent from a page of another site. Open the page on this service and send it from there.',
		{ cause: 'other_site', received: [origin ?? `Sec-Fetch-Site: ${site}`], expected: [ownOrigin ?? 'same-origin'] }
	);
}

/** Whether a user followed a link to a page. The other site cannot read the page, and a GET changes nothing. */
function isLink(context: Context): boolean {
	const isDocument = context.header('sec-fetch-mode') === 'navigate' && context.header('sec-fetch-dest') === 'document';
	return context.request.method === 'GET' && isDocument && context.route.name !== 'control';
}
