import type { ReplayResult } from '#wire/control/credentials.ts';
import { headerValue } from '#wire/headers.ts';
import type { WireRequest } from '#wire/message.ts';
import { base64url, encodeUtf8 } from '../encoding.ts';
import { ProtocolError } from '../errors.ts';
import { rootSandbox } from '../records.ts';
import type { Endpoint } from '../runner.ts';
import type { HandleRequest } from './authorizations.ts';
import { protectedEndpoint, type ControlContext } from './control-endpoint.ts';
import { forwardedHeaders } from './forwarded-headers.ts';

/**
 * `POST credentials/codes/<id>/replay`: sends the token request of a used code again. It passes the checks of any request, and the
 * traffic log has it. Random values are in place of the code and the client secret, of which the service has digests only.
 * @param handle of the service
 */
export function replayEndpoint(handle: HandleRequest): Endpoint {
	return protectedEndpoint(async (context): Promise<ReplayResult> => {
		const [, , id = ''] = context.segments;
		const { store } = context.sandbox;
		const code = await store.get('code', id);
		const application = code && (await store.get('application', code.client_id));
		if (code === undefined || application === undefined)
			throw new ProtocolError('not_found', 'There is no code with this id. It may have been deleted.');
		if (code.consumedBy === undefined && context.now() < code.validUntil)
			throw new ProtocolError('conflict', 'The code has not been used. Exchange it first.');
		const [sentCode, sentSecret] = [base64url(context.options.random(32)), base64url(context.options.random(32))];
		const form = {
			grant_type: 'authorization_code',
			code: sentCode,
			redirect_uri: code.redirect_uri,
			client_id: code.client_id,
			client_secret: sentSecret
		};
		const placeholders = new Map([
			[sentCode, id],
			[sentSecret, application.secret.digest]
		]);
		const result = await handle(tokenRequest(context, form), placeholders);
		if (result.kind === 'no_response') return { status: null };
		const request = headerValue(result.headers, 'x-request-id');
		return { status: result.status, ...(request === undefined ? {} : { request }) };
	});
}

function tokenRequest({ request, sandbox }: ControlContext, form: Readonly<Record<string, string>>): WireRequest {
	const fields = Object.entries(form).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
	const type = ['Content-Type', 'application/x-www-form-urlencoded'];
	return {
		method: 'POST',
		target: `${sandbox.id === rootSandbox ? '' : `/~${sandbox.id}`}/ws/oauth2/token/`,
		headers: [...forwardedHeaders(request), 'User-Agent', 'Tollgate (replay)', ...type],
		body: encodeUtf8(fields.join('&')),
		bodyTooLarge: false,
		peer: request.peer
	};
}
