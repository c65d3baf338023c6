import { redactCredential } from '../core/damaged-value.ts';
import { ProtocolError } from '../core/errors.ts';
import type { ClientContext } from './client-checks.ts';

/**
 * The digest of the token in the form of a request.
 * @throws ProtocolError `invalid_request` if it has none
 */
export function readToken(context: ClientContext): string {
	const token = context.form.get('token');
	if (token !== undefined) return context.digestOf(redactCredential(context, token, 'token'));
	throw new ProtocolError('invalid_request', 'The field token is missing. Send the token in the form.', {
		cause: 'missing_parameter',
		expected: ['token']
	});
}
