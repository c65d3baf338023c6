import { requireSameOrigin } from './same-origin.ts';
import { Context } from '../core/context.ts';
import { timingSafeEqual } from '../core/encoding.ts';
import { ProtocolError } from '../core/errors.ts';
import type { FormFields } from '../core/form-fields.ts';
import { readForm } from '../pages/read-form.ts';
import { check, type Check } from '../core/check.ts';
import { findBrowser, csrfTokenFor, type Browser } from './cookies.ts';

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
