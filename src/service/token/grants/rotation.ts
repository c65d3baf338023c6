import type { Context } from '../../core/context.ts';
import { grantKey, type RefreshToken } from '../../sandbox/records.ts';
import { maxRefreshTokens, randomToken } from '../tokens.ts';

/**
 * Replaces a refresh token. Of several requests with the same token one succeeds. The others count as reuse, which ends its family
 * (RFC 9700, section 4.14.2).
 * @param digest of the token that was sent
 * @returns the new token; undefined if the old one was used before
 */
export async function rotateRefreshToken(
	context: Context,
	digest: string,
	old: RefreshToken
): Promise<string | undefined> {
	const { store } = context;
	const { client_id, username, flow, grant, family, scopes } = old;
	const token = randomToken(context, 'refresh_token');
	const next = context.digestOf(token);
	// Before the old one is used up: a full sandbox must not end the access.
	await store.update('refresh_token', next, () => ({ flow, client_id, username, grant, family, scopes }));
	let dropped: readonly string[] = [];
	const updated = await store.update('grant', grantKey(username, client_id), (now) => {
		if (now?.id !== grant || !now.refresh.includes(digest)) return now;
		const { replaced = [] } = now;
		dropped = replaced.slice(0, 1 - maxRefreshTokens);
		const refresh = now.refresh.map((id) => (id === digest ? next : id));
		return { ...now, refresh, replaced: [...replaced.slice(1 - maxRefreshTokens), digest] };
	});
	// Of several requests with one token, the first replaces it.
	if (updated?.refresh.includes(next) !== true) {
		await store.delete('refresh_token', next);
		return undefined;
	}
	for (const id of dropped) await store.delete('refresh_token', id);
	context.credentialEvents.push(
		{ type: 'ended', kind: 'refresh_token', id: digest, reason: 'exchanged' },
		{ type: 'issued', kind: 'refresh_token', id: next, from: digest, grant, family, scopes: [...scopes] }
	);
	return token;
}
