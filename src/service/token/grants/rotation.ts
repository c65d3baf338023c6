import type { Context } from '../../core/context.ts';
import { base64url } from '../../core/encoding.ts';
import { grantKey, type RefreshToken } from '../../sandbox/records.ts';
import { boundTo } from '../resource-indicators.ts';
import type { TokenContext } from '../token-context.ts';
import { lifetimeOf, maxRefreshTokens, randomToken } from '../tokens.ts';

/**
 * Replaces a refresh token. Of several requests with the same token one succeeds. The others count as reuse, which ends its family
 * (RFC 9700, section 4.14.2), unless the setting `rotation_grace` lets them have the same new token.
 * @param digest of the token that was sent
 * @returns the new token; undefined if the old one was used before
 */
export async function rotateRefreshToken(
	context: TokenContext,
	digest: string,
	old: RefreshToken
): Promise<string | undefined> {
	const { store } = context;
	const { client_id, username, flow, grant, family, scopes } = old;
	const hasGrace = graceOf(context) > 0;
	const token = hasGrace ? await derivedToken(context, digest) : randomToken(context, 'refresh_token');
	const next = context.digestOf(token);
	// Before the old one is used up: a full sandbox must not end the access.
	await store.update(
		'refresh_token',
		next,
		(known) => known ?? { flow, client_id, username, grant, family, scopes, ...boundTo(old) }
	);
	let dropped: readonly string[] | undefined;
	const updated = await store.update('grant', grantKey(username, client_id), (now) => {
		dropped = undefined;
		if (now?.id !== grant || !now.refresh.includes(digest)) return now;
		const { replaced = [] } = now;
		dropped = replaced.slice(0, 1 - maxRefreshTokens);
		const refresh = now.refresh.map((id) => (id === digest ? next : id));
		return { ...now, refresh, replaced: [...replaced.slice(1 - maxRefreshTokens), digest] };
	});
	// Of several requests with one token, the first replaces it.
	if (updated?.refresh.includes(next) !== true) {
		if (updated?.replaced?.includes(next) !== true) await store.delete('refresh_token', next);
		return undefined;
	}
	if (dropped === undefined) return token;
	for (const id of dropped) await store.delete('refresh_token', id);
	context.credentialEvents.push(
		{ type: 'ended', kind: 'refresh_token', id: digest, reason: 'exchanged' },
		{ type: 'issued', kind: 'refresh_token', id: next, from: digest, grant, family, scopes: [...scopes] }
	);
	return token;
}

/** Whether a refresh token that was replaced returns the same new one again. */
export function isInGrace(context: Context, { rotation }: RefreshToken): boolean {
	const isRotated = context.dialect.refresh === 'rotated';
	return isRotated && rotation !== undefined && context.now() < rotation.at + graceOf(context);
}

/**
 * A refresh token that the same old one leads to each time. The store alone, which has the salt and the digest of the old token,
 * does not tell it.
 * @param digest of the old token
 */
async function derivedToken(context: TokenContext, digest: string): Promise<string> {
	const salt = base64url(context.options.random(32));
	const at = context.now();
	const old = await context.store.update(
		'refresh_token',
		digest,
		(known) => known && { ...known, rotation: known.rotation ?? { salt, at } }
	);
	const sent = context.form.get('refresh_token') ?? '';
	return context.redact(context.options.digest(`${old?.rotation?.salt ?? salt} ${sent}`), 'refresh_token');
}

/** In milliseconds. */
function graceOf(context: Context): number {
	return lifetimeOf(context, 'rotation_grace') * 1000;
}
