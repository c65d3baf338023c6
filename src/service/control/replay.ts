import type { ReplayResult } from '#api/control/credentials.ts';
import { headerValue } from '#api/headers.ts';
import type { WireRequest } from '#api/message.ts';
import { base64url, encodeUtf8 } from '../core/encoding.ts';
import { ProtocolError } from '../core/errors.ts';
import { rootSandbox } from '../core/target.ts';
import type { HandleRequest } from './authorizations.ts';
import type { ControlContext } from './control-endpoint.ts';
import { forwardedHeaders } from './forwarded-headers.ts';

/**
 * Sends the token request of a used code again. It passes the checks of any request, and the traffic log has it. Random values are in
 * place of the code and the client secret, of which the service has digests only.
 * @param handle of the service
 * @param id digest of the code
 */
export async function replayCode(context: ControlContext, handle: HandleRequest, id: string): Promise<ReplayResult> {
	const code = await context.store.get('code', id);
	if (code === undefined)
		throw new ProtocolError('not_found', 'There is no code with this id. It may have been deleted.');
	if (code.consumedBy === undefined && context.now() < code.validUntil)
		throw new ProtocolError('conflict', 'The code has not been used. Exchange it first.');
	const { client_id, redirect_uri } = code;
	const form = { grant_type: 'authorization_code', redirect_uri };
	return send(context, handle, client_id, { form, field: 'code', id });
}

/**
 * Sends a refresh request with a refresh token again, also one that was revoked, whose record is gone.
 * @param handle of the service
 * @param replay digest of the token, and the client that sends it
 */
export function replayRefreshToken(
	context: ControlContext,
	handle: HandleRequest,
	{ id, client_id }: { readonly id: string; readonly client_id: string }
): Promise<ReplayResult> {
	return send(context, handle, client_id, { form: { grant_type: 'refresh_token' }, field: 'refresh_token', id });
}

/** A token request without its secrets: `id` is the digest of the value of `field`. */
type Replay = { readonly form: Readonly<Record<string, string>>; readonly field: string; readonly id: string };

async function send(
	context: ControlContext,
	handle: HandleRequest,
	client_id: string,
	{ form, field, id }: Replay
): Promise<ReplayResult> {
	const application = await context.store.get('application', client_id);
	if (application === undefined) throw new ProtocolError('not_found', 'There is no application with this client_id.');
	const [sent, sentSecret] = [base64url(context.options.random(32)), base64url(context.options.random(32))];
	const overrides = new Map([
		[sent, id],
		[sentSecret, application.secret.digest]
	]);
	const fields = { ...form, [field]: sent, client_id, client_secret: sentSecret };
	const result = await handle(tokenRequest(context, fields), overrides);
	if (result.kind === 'no_response') return { status: null };
	return { status: result.status, request: headerValue(result.headers, 'x-request-id') };
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
