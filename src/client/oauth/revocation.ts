import { ClientError, sanitizeLine } from './client-error.ts';
import type { OAuthEventListener } from './events.ts';
import type { Provider } from './provider.ts';
import { sendRequest, type Fetch } from './send-request.ts';
import type { TokenManager } from './token-manager.ts';

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
	{ fetch = globalThis.fetch, onEvent }: { fetch?: Fetch; onEvent?: OAuthEventListener } = {}
): Promise<RevocationResult> {
	return tokens.withLock(id, async () => {
		const tokenSet = await tokens.get(id);
		let result: RevocationResult = tokenSet?.ended === 'access_revoked' ? 'already_revoked' : 'not_revocable';
		if (tokenSet !== undefined && tokenSet.refresh_token !== null) {
			result = await revoke(provider, tokenSet.client_id, tokenSet.refresh_token, fetch);
		}
		if (result === 'not_revocable') onEvent?.({ type: 'revocation_skipped', tokenSetId: id });
		await tokens.delete(id);
		return result;
	});
}

/** `GET …/revoke?token=…&client_id=…`: unlike RFC 7009 a plain GET request (section 4). */
async function revoke(provider: Provider, client_id: string, token: string, fetch: Fetch): Promise<RevocationResult> {
	const query = `token=${encodeURIComponent(token)}&client_id=${encodeURIComponent(client_id)}`;
	const url = `${provider.revocation_endpoint}?${query}`;
	const { status, text } = await sendRequest(fetch, url, { headers: { accept: 'application/json' } });
	if (status === 200) return 'revoked';
	const code = /"error"\s*:\s*"([a-z_]+)"/.exec(text)?.[1];
	if (status === 400 && code === 'invalid_token') return 'already_revoked';
	throw new ClientError(sanitizeLine(code ?? (status >= 500 ? 'server_error' : 'unexpected_response')), '', { status });
}
