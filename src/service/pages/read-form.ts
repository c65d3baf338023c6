import type { Context } from '../core/context.ts';
import { ProtocolError } from '../core/errors.ts';
import { FormFields } from '../core/form-fields.ts';

/**
 * The fields of a form that one of the service's pages sent.
 * @throws ProtocolError `payload_too_large`, `invalid_request`
 */
export function readForm(context: Context): FormFields {
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
	if (wrong !== undefined || fields.exceedsLimit) {
		throw new ProtocolError(
			'invalid_request',
			'A field was sent twice or is not percent-encoded UTF-8. Send the form from the page of this service.',
			{ cause: 'broken_field' }
		);
	}
	return fields;
}
