import type { Call } from '../context.ts';
import { decodeUtf8 } from '../encoding.ts';
import { ProtocolError } from '../errors.ts';
import { Fields } from '../form-fields.ts';

/**
 * The fields of a form that one of the service's pages sent.
 * @throws ProtocolError `payload_too_large`, `invalid_request`
 */
export function readForm(call: Call): Fields {
	if (call.request.oversized)
		throw new ProtocolError('payload_too_large', 'This form is too long. Shorten it and send it again.');
	const type = (call.header('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase();
	const body = decodeUtf8(call.request.body);
	if (type !== 'application/x-www-form-urlencoded' || body === undefined) {
		throw new ProtocolError('invalid_request', 'This is not a form. Send it from the page itself.');
	}
	const fields = new Fields(body);
	const wrong = fields.repeated() ?? fields.broken();
	if (wrong !== undefined || fields.tooMany) {
		throw new ProtocolError(
			'invalid_request',
			'A field of this form was sent twice or is badly encoded. Send it from the page itself.'
		);
	}
	return fields;
}
