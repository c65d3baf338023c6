import { noResponse, type WireResponse, type WireResult } from '#api/message.ts';
import type { Fault } from '#api/control/faults.ts';
import type { Context } from '../core/context.ts';
import { encodeUtf8 } from '../core/encoding.ts';
import { type ErrorCode, ProtocolError } from '../core/errors.ts';
import { respondFormError } from '../pages/error-page.ts';
import { html } from '#lib/html.ts';
import { scopeOf } from '#api/world/record-values.ts';
import { respondPage } from '../pages/page.ts';
import { readingPermissions } from '../sandbox/permissions.ts';
import { findKind, isWrite } from '../core/kind-of-request.ts';
import { missingPermission, unauthorized } from '../core/resource-errors.ts';
import { respondData, respondError, respondText } from '../core/responses.ts';

/**
 * The response of a fault; undefined for a delay, once it is over.
 * @param handled the true response, if the request was handled
 * @throws ProtocolError for an error of the endpoint
 */
export async function faultResponse(
	context: Context,
	fault: Fault,
	handled?: WireResponse
): Promise<WireResult | undefined> {
	switch (fault.kind) {
		case 'delay':
			return delay(context, fault.delay_ms ?? 0);
		case 'status':
			return respondStatus(context, faultError(context, fault));
		case 'drop':
			return noResponse;
		case 'garbage':
			return respondGarbage(context, fault);
		case 'truncated':
			return truncate(handled ?? respondFiller(context, fault));
		default:
			throw faultError(context, fault);
	}
}

/** What a fault does, for the trace. */
export function describeFault({ id, kind, delay_ms, status, error }: Fault): string {
	const what = {
		delay: `delay of ${delay_ms ?? 0} ms`,
		status: `status ${status ?? 0}`,
		oauth_error: `error ${error ?? ''}`,
		unauthorized: '401 response',
		forbidden: '403 response',
		rate_limited: 'rate limit response',
		garbage: 'body that cannot be parsed',
		truncated: 'truncated body',
		drop: 'dropped connection',
		extra_parameters: 'unknown parameters',
		hard_code: 'code that needs encoding',
		error_text: 'description with HTML',
		extra_fields: 'unknown fields',
		id_token_signature: 'ID token with a wrong signature',
		id_token_audience: 'ID token for another client',
		id_token_nonce: 'ID token with another nonce',
		id_token_expired: 'expired ID token',
		id_token_key: 'ID token of an unknown key',
		id_token_unsigned: 'ID token without a signature'
	}[kind];
	return `Injected by fault ${id}: ${what}`;
}

/** The error of a fault, as the endpoint of the request reports it. */
export function faultError(context: Context, { id, kind, status = 503, error = 'server_error' }: Fault): ProtocolError {
	const text = `Simulated error. Fault ${id} caused it. See ${context.sandbox.base_url}/controls/faults.`;
	const { name } = context.route;
	const isResource = name === 'character' || name === 'ratelimits' || name === 'records';
	if (kind === 'status') return new ProtocolError(codeOf(status), text, { status });
	if (kind === 'forbidden') return missingPermission(context, readingScope(context), text);
	if (kind === 'rate_limited') return new ProtocolError('rate_limit_exceeded', text);
	if (kind === 'unauthorized')
		return isResource ? unauthorized(context, 'invalid_token', text, 401) : new ProtocolError('invalid_client', text);
	if (isResource && error === 'invalid_request') return unauthorized(context, error, text, 400);
	return new ProtocolError(error, text, name === 'revoke' && !isServerError(error) ? { status: 400 } : {});
}

/** The scope that a request for a resource usually lacks. */
function readingScope(context: Context): string {
	const { permissions } = context.sandbox.seed.world;
	const kind = findKind(context);
	if (kind !== undefined) return scopeOf(kind.name, isWrite(context) ? 'write' : 'read');
	return (readingPermissions(permissions)[0] ?? permissions[0])?.scope ?? '';
}

async function delay(context: Context, milliseconds: number): Promise<WireResponse | undefined> {
	try {
		await delayResponse(context, milliseconds);
		return undefined;
	} catch (thrown) {
		if (!(thrown instanceof ProtocolError)) throw thrown;
		return respondStatus(context, thrown);
	}
}

function respondStatus(context: Context, error: ProtocolError): WireResponse {
	return context.route.isPage ? respondFormError(context, error) : respondError(context, error);
}

function respondGarbage(context: Context, { id }: Fault): WireResponse {
	const [type, body] =
		context.format === 'xml'
			? ['application/xml', `<OAuth><fault>${id}</OAuth`]
			: ['application/json', `{"fault":"${id}",]`];
	return respondText(context, 200, `${type}; charset=utf-8`, body);
}

/** A successful response that says nothing: the one that is truncated if the request is not handled. */
function respondFiller(context: Context, { id }: Fault): WireResponse {
	const fault = `Fault ${id} truncates this body.`;
	if (!context.route.isPage) return respondData(context, 200, 'OAuth', { fault });
	return respondPage(context, 200, {
		title: 'Truncated page',
		content: html`<h1>Truncated page</h1>`,
		isFlowStep: true
	});
}

/** The first half of a body. Without a body there is no response: a connection cannot end in the middle of nothing. */
function truncate(response: WireResponse): WireResult {
	const { body } = response;
	if (body === '') return noResponse;
	const headers = [...response.headers, 'Content-Length', String(encodeUtf8(body).length)];
	return { ...response, headers, body: body.slice(0, Math.floor(body.length / 2)), isTruncated: true };
}

function codeOf(status: number): ErrorCode {
	if (status >= 500) return 'temporarily_unavailable';
	return status === 429 ? 'too_many_attempts' : 'invalid_request';
}

function isServerError(code: ErrorCode): boolean {
	return code === 'server_error' || code === 'temporarily_unavailable';
}

/**
 * Delays the response of a request.
 * @throws ProtocolError `temporarily_unavailable` at once where the sandbox delays too many already
 */
export async function delayResponse(context: Context, milliseconds: number): Promise<void> {
	const { options, networkAddress } = context;
	const { delays } = context.sandbox;
	if (!delays.take(networkAddress)) {
		context.isSimulated = true;
		const description = `This sandbox already delays ${delays.maxPerAddress} responses or more. Try again later, or delete the fault.`;
		throw new ProtocolError('temporarily_unavailable', description, { cause: 'too_many_delayed' });
	}
	const timer = options.timer ?? options.now;
	const begin = timer();
	await options.sleep(milliseconds).finally(() => delays.release(networkAddress));
	context.delayed += timer() - begin;
	context.store = await context.sandbox.store.begin(() => []);
}
