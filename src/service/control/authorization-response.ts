import type { WireResult } from '#api/message.ts';
import { ProtocolError } from '../core/errors.ts';
import { FormFields } from '../core/form-fields.ts';
import { appendQuery, isOutOfBand, matchesRegistered } from '../sandbox/redirect-uris.ts';
import { redirect } from '../core/responses.ts';
import type { ControlContext } from './control-endpoint.ts';

/**
 * `GET authorization-response`: redirects a browser to a client with a code that was issued to another browser, as the link of an
 * attacker does (RFC 6749, section 10.12). Needs no key, since the browser is that of the victim. It is in the traffic log, which
 * shows that the link was opened. The code is not checked. The redirect URI must be registered, as for every authorization response.
 */
export async function openAuthorizationResponse(context: ControlContext): Promise<WireResult> {
	const fields = new FormFields(context.query);
	const required = (field: string) => {
		const value = fields.get(field);
		if (value !== undefined) return value;
		throw new ProtocolError('invalid_request', `${field}: This parameter is required.`, { field });
	};
	const code = context.redact(required('code'), 'code');
	const application = await context.sandbox.store.get('application', required('client_id'));
	if (application === undefined)
		throw new ProtocolError('invalid_request', 'client_id: No application has this client_id.', { field: 'client_id' });
	const uri = required('redirect_uri');
	if (isOutOfBand(uri) || !matchesRegistered(application, uri)) {
		const description = 'redirect_uri: The application did not register this redirect URI.';
		throw new ProtocolError('invalid_request', description, { field: 'redirect_uri' });
	}
	context.client_id = application.client_id;
	const state = fields.get('state');
	const pairs = [['code', code], ...(state === undefined ? [] : [['state', context.redact(state, 'state')]])];
	return redirect(
		context,
		appendQuery(
			uri,
			pairs.map(([name = '', value = '']) => `${name}=${encodeURIComponent(value)}`)
		)
	);
}
