import * as oauth from 'oauth4webapi';
import { ClientError, sanitizeLine, toClientError } from './client-error.ts';
import type { OAuthEventListener } from './events.ts';
import type { PendingAuthorization, PendingAuthorizations } from './pending-authorizations.ts';
import type { TokenEndpoint } from './token-endpoint.ts';
import { createTokenSet, type TokenSet } from './token-store.ts';

/** Options of `handleCallback`. */
export type CallbackOptions = {
	/** `manual`: the user pasted the code, so only PKCE proves that it belongs to this sign-in. `redirect` by default. */
	readonly codeSource?: 'redirect' | 'manual';
	/** Milliseconds since 1970. */
	readonly now?: () => number;
	readonly onEvent?: OAuthEventListener;
};

/**
 * Handles the authorization response (section 2.2): uses up its state, then exchanges its code once. Never call it again for
 * a response, whatever it threw.
 * @param params query of the redirect URI; with a pasted code, `state` is that of the pending request
 * @param tokenEndpoint of the provider that the redirect URI belongs to
 * @returns new tokens, not yet saved
 * @throws {ClientError} nothing was exchanged, except with an error code of the token endpoint or `exchange_unknown` (the
 * code was sent and no response came, so it may be used up)
 * @example
 * const tokenSet = await handleCallback(new URL(location.href).searchParams, pending, tokenEndpoint);
 * await store.update(tokenSet.id, () => tokenSet);
 */
export async function handleCallback(
	params: URLSearchParams,
	pending: PendingAuthorizations,
	tokenEndpoint: TokenEndpoint,
	options: CallbackOptions = {}
): Promise<TokenSet> {
	const { codeSource = 'redirect', now = Date.now, onEvent } = options;
	const { issuer } = tokenEndpoint.provider;
	try {
		const request = await pending.consume(stateOf(params), issuer);
		onEvent?.({ type: codeSource === 'manual' ? 'manual_code_received' : 'state_verified', issuer });
		if (codeSource === 'manual' && request.code_verifier === null) throw new ClientError('pkce_required');
		const validated = validateResponse(params, request, tokenEndpoint);
		onEvent?.({ type: 'code_exchange_started', issuer });
		const response = await tokenEndpoint.exchangeCode(validated, request).catch((thrown: unknown) => {
			throw exchangeErrorOf(toClientError(thrown));
		});
		return createTokenSet(tokenEndpoint.client.client_id, request, response, now());
	} catch (thrown) {
		const error = toClientError(thrown);
		onEvent?.({ type: 'callback_rejected', error });
		throw error;
	}
}

function stateOf(params: URLSearchParams): string {
	const [state = '', ...others] = params.getAll('state');
	if (others.length > 0) throw new ClientError('ambiguous_response', 'state is present twice.');
	if (state === '') throw new ClientError('state_missing');
	return state;
}

/** Returns the parameters in the form that the exchange of oauth4webapi requires. */
function validateResponse(params: URLSearchParams, pending: PendingAuthorization, endpoint: TokenEndpoint) {
	for (const name of ['code', 'error', 'iss', 'error_description']) {
		if (params.getAll(name).length > 1) throw new ClientError('ambiguous_response', `${name} is present twice.`);
	}
	const code = params.get('code');
	const error = params.get('error');
	if (code !== null && error !== null) throw new ClientError('ambiguous_response', 'It has a code and an error.');
	if (error !== null) throw new ClientError(sanitizeLine(error), sanitizeLine(params.get('error_description') ?? ''));
	if (code === null || code === '') throw new ClientError('empty_response');
	try {
		return oauth.validateAuthResponse(endpoint.provider, endpoint.client, params, pending.state);
	} catch (thrown) {
		const reason = params.has('iss') ? 'issuer_mismatch' : 'ambiguous_response';
		throw new ClientError(reason, toClientError(thrown).message);
	}
}

/** After the code was sent, a missing response does not tell whether the code was used. */
function exchangeErrorOf(error: ClientError): ClientError {
	return error.code === 'no_response' ? new ClientError('exchange_unknown', '', { cause: error }) : error;
}
