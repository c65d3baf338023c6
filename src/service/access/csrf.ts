import { Context } from '../core/context.ts';
import { timingSafeEqual } from '../core/encoding.ts';
import { ProtocolError } from '../core/errors.ts';
import { FormFields } from '../core/form-fields.ts';
import { check, type Check } from '../core/check.ts';
import { formUrlOf } from '../provider/provider-urls.ts';
import { type Browser, csrfTokenFor, findBrowser } from './cookies.ts';

export class FormContext extends Context {
	/** Set by the check that reads the session cookie. */
	browser!: Browser;
	/** Each form of the page contains it, so that no other site can send the form. Empty for a browser without a session cookie. */
	csrfToken!: string;
	/** Set by the check that reads the form. */
	fields!: FormFields;
}

/** Loads the session of the browser, and creates the CSRF token of its forms. */
export function loadSession<C extends FormContext>(): Check<C> {
	return check<C>('session.loaded', async (context) => {
		context.browser = await findBrowser(context);
		const { id } = context.browser;
		context.csrfToken = id === undefined ? '' : csrfTokenFor(context, id);
		context.note(context.browser.session?.username ?? 'No user is signed in');
	});
}

/** Reads a form. Rejects one that no page of the service sent in this browser (RFC 6749, section 10.12). */
export function readVerifiedForm<C extends FormContext>(): Check<C> {
	return check<C>('csrf.form_from_this_browser', (context) => {
		requireSameOrigin(context);
		context.fields = readForm(context);
		const csrfToken = context.fields.get('csrf_token') ?? '';
		if (!timingSafeEqual(csrfToken, context.csrfToken)) {
			throw new ProtocolError('forbidden', 'This form belongs to another session. Reload the page and send it again.', {
				cause: 'other_session'
			});
		}
	});
}

/**
 * The fields of a form that one of the service's pages sent.
 * @param isOwn false: another site may have sent it, whose fields are checked later
 * @throws ProtocolError `payload_too_large`, `invalid_request`
 */
export function readForm(context: Context, isOwn = true): FormFields {
	if (context.request.bodyTooLarge)
		throw new ProtocolError('payload_too_large', 'This form is too long. Shorten it and send it again.', {
			cause: 'body_too_large'
		});
	const type = (context.header('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase();
	const body = context.bodyText;
	if (type !== 'application/x-www-form-urlencoded' || body === undefined) {
		throw new ProtocolError('invalid_request', 'The body is not a form. Send it from the page of this service.', {
			cause: 'not_a_form',
			received: [type || '(no Content-Type)'],
			expected: ['application/x-www-form-urlencoded']
		});
	}
	const fields = new FormFields(body);
	const wrong = fields.duplicated() ?? fields.malformed();
	if ((isOwn && wrong !== undefined) || fields.exceedsLimit) {
		throw new ProtocolError(
			'invalid_request',
			'A field was sent twice or is not percent-encoded UTF-8. Send the form from the page of this service.',
			{ cause: 'broken_field' }
		);
	}
	return fields;
}

/**
 * Rejects a request from a page of another site (RFC 6749, section 10.12). Programs send neither header and pass; their key or
 * CSRF token decides what they may do.
 * @throws ProtocolError `forbidden`
 */
export function requireSameOrigin(context: Context): void {
	const origin = context.header('origin');
	const site = context.header('sec-fetch-site');
	const ownOrigin = /^https?:\/\/[^/]+/.exec(formUrlOf(context, '/'))?.[0];
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
