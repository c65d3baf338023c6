import { ClientError, sanitizeLine } from './client-error.ts';
import type { OAuthEventListener } from './events.ts';
import type { Provider } from './provider.ts';
import { sendRequest, type Fetch } from './send-request.ts';
import type { TokenManager } from './token-manager.ts';
import type { TokenSet } from './token-store.ts';

/** Options of `revokeAndDelete`. */
export type RevocationOptions = {
	readonly fetch?: Fetch;
	readonly onEvent?: OAuthEventListener;
	/** For services that revoke by POST, which authenticate the client (RFC 7009). */
	readonly client_secret?: string;
};

/** `not_revocable`: there was no refresh token, so the access token works until it expires. */
export type RevocationResult = 'revoked' | 'already_revoked' | 'not_revocable';

/**
 * Signs a user out: revokes the refresh token (section 4), then deletes the tokens. The tokens stay if the service did not
 * confirm, so that it can be tried again.
 * @param id of the token set
 * @throws {ClientError} `no_response`, `unexpected_response`, or the service's error code
 * @example
 * const result = await revokeAndDelete(id, tokens, provider); // 'revoked'
 */
export async function revokeAndDelete(
	id: string,
	tokens: TokenManager,
	provider: Provider,
	options: RevocationOptions = {}
): Promise<RevocationResult> {
	const { onEvent } = options;
	return tokens.withLock(id, async () => {
		const tokenSet = await tokens.get(id);
		let result: RevocationResult = tokenSet?.ended === 'access_revoked' ? 'already_revoked' : 'not_revocable';
		if (tokenSet !== undefined && tokenSet.refresh_token !== null) {
			result = await revoke(provider, tokenSet, tokenSet.refresh_token, options);
		}
		if (result === 'not_revocable') onEvent?.({ type: 'revocation_skipped', tokenSetId: id });
		await tokens.delete(id);
		return result;
	});
}

/**
 * By GET (section 4) or by POST (RFC 7009). The scheme of the access token says which of them the service expects. It gets the other one
 * if it rejects the method, because it may have changed since.
 */
async function revoke(
	provider: Provider,
	{ client_id, scheme }: TokenSet,
	token: string,
	{ fetch = globalThis.fetch, client_secret = '' }: RevocationOptions
): Promise<RevocationResult> {
	const headers = { accept: 'application/json' };
	const url = provider.revocation_endpoint;
	const byGet = () => {
		const query = `token=${encodeURIComponent(token)}&client_id=${encodeURIComponent(client_id)}`;
		return sendRequest(fetch, `${url}?${query}`, { headers });
	};
	const byPost = () => {
		const body = new URLSearchParams({ token, client_id, client_secret });
		return sendRequest(fetch, url, { method: 'POST', headers, body });
	};
	const [first, second] = scheme === 'Bearer' ? [byPost, byGet] : [byGet, byPost];
	let response = await first();
	if (response.status === 405) response = await second();
	const { status, text } = response;
	if (status === 200) return 'revoked';
	const code = /"error"\s*:\s*"([a-z_]+)"/.exec(text)?.[1];
	if (status === 400 && code === 'invalid_token') return 'already_revoked';
	throw new ClientError(sanitizeLine(code ?? (status >= 500 ? 'server_error' : 'unexpected_response')), '', { status });
}
