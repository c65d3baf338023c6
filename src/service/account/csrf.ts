import { requireSameOrigin } from '../checks/same-origin.ts';
import { Call } from '../context.ts';
import { sameDigest } from '../encoding.ts';
import { ProtocolError } from '../errors.ts';
import type { Fields } from '../form-fields.ts';
import { readForm } from '../pages/read-form.ts';
import { step, type Step } from '../runner.ts';
import { findBrowser, proofFor, recogniseLater, type Browser } from '../authorization/session-cookie.ts';

/** A page with forms of its own, while it is being answered. */
export class FormCall extends Call {
	/** Set by the step that looks at the browser's cookie. */
	browser!: Browser;
	/** What the forms of the page carry, so that no other site can send them. */
	proof!: string;
	/** Set by the step that reads the form; empty for a GET. */
	fields!: Fields;
}

/** Recognises the browser, and gives its forms their proof. */
export function recogniseBrowser<C extends FormCall>(): Step<C> {
	return step<C>('who is signed in in this browser', '5', async (call) => {
		call.browser = await findBrowser(call);
		call.proof = proofFor(call, recogniseLater(call, call.browser));
		call.saw(call.browser.session?.username ?? 'nobody');
	});
}

/** Reads a form and refuses one that our own page did not send in this very browser (RFC 6749, section 10.12). */
export function readProvenForm<C extends FormCall>(): Step<C> {
	return step<C>('the form was sent from our own page, in this browser', 'RFC 6749 §10.12', (call) => {
		requireSameOrigin(call);
		call.fields = readForm(call);
		const proof = call.fields.get('proof') ?? '';
		if (call.browser.id === undefined || !sameDigest(proof, call.proof)) {
			throw new ProtocolError(
				'forbidden',
				'This form is of another session, or cookies are off. Reload the page and send it again.'
			);
		}
	});
}
