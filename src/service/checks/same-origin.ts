import type { Context } from '../context.ts';
import { ProtocolError } from '../errors.ts';

/**
 * Refuses a request that a page of another site made (RFC 6749, section 10.12). Programs send neither header and pass;
 * what they may do is decided by the proof that they carry.
 */
export function requireSameOrigin(context: Context): void {
	const origin = context.header('origin');
	const site = context.header('sec-fetch-site');
	const ours = /^https?:\/\/[^/]+/.exec(context.options.origin)?.[0];
	const isOwnSite = site === undefined || site === 'same-origin' || site === 'none' || isLink(context);
	if ((origin === undefined || origin === ours) && isOwnSite) return;
	throw new ProtocolError(
		'forbidden',
		'This request was sent by a page of another site. Open the page on this service itself, and send it from there.'
	);
}

/** Whether somebody followed a link to a page: the site that the link is on sees nothing of the page, and changes nothing. */
function isLink(context: Context): boolean {
	const isDocument = context.header('sec-fetch-mode') === 'navigate' && context.header('sec-fetch-dest') === 'document';
	return context.request.method === 'GET' && isDocument && context.endpoint !== 'control';
}
