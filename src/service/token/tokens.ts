import type { Call } from '../context.ts';
import { base64url } from '../encoding.ts';
import { grantKey, type AccessToken, type Grant, type RefreshToken } from '../records.ts';

/** The most refresh tokens that one grant holds; an installed application gets one at every offline exchange. */
const mostRefreshTokens = 20;

/** What a code exchange or a refresh turns into tokens. */
export type Basis = Pick<AccessToken, 'client_id' | 'username' | 'grant' | 'family' | 'scopes'>;

/** 256 random bits in base64url: a code, a token, the id of a pending request. Kept out of every log. */
export function mint(call: Call): string {
	return call.secret(base64url(call.options.random(32)));
}

/** Issues an access token and returns it; the store sees its digest only. */
export async function issueAccessToken(call: Call, basis: Basis): Promise<string> {
	const token = mint(call);
	const { client_id, username, grant, family, scopes } = basis;
	const expires = call.now() + call.sandbox.world.settings.lifetimes.access_token * 1000;
	await call.sandbox.area.update('access', call.options.digest(token), () => ({
		client_id,
		username,
		grant,
		family,
		scopes,
		expires
	}));
	return token;
}

/**
 * Adds a refresh token to a live grant.
 * @param onlyFirst true: undefined is returned where the grant has one already (specification, section 3.1)
 */
export async function issueRefreshToken(call: Call, basis: Basis, onlyFirst: boolean): Promise<string | undefined> {
	const { area } = call.sandbox;
	const token = mint(call);
	const digest = call.options.digest(token);
	const { client_id, username, grant, family, scopes } = basis;
	await area.update('refresh', digest, () => ({ client_id, username, grant, family, scopes }));
	await area.update('family', family, (now) => now && {});
	let superseded: readonly string[] = [];
	const key = grantKey(username, client_id);
	const next = await area.update('grant', key, (now) => {
		superseded = [];
		if (now?.id !== grant || (onlyFirst && now.refresh.length > 0)) return now;
		const refresh = [...now.refresh, digest];
		superseded = refresh.slice(0, -mostRefreshTokens);
		return { ...now, offline: true, refresh: refresh.slice(-mostRefreshTokens) };
	});
	for (const old of superseded) await endRefreshToken(call, old);
	if (next?.refresh.includes(digest) === true) return token;
	await area.delete('refresh', digest);
	await limitFamily(call, family);
	return undefined;
}

/** Lets a family without a refresh token end with its last access token. */
async function limitFamily(call: Call, family: string): Promise<void> {
	const expires = call.now() + call.sandbox.world.settings.lifetimes.access_token * 1000;
	await call.sandbox.area.update('family', family, (now) => (now === undefined ? undefined : { expires }));
}

/** The live grant that a token or code was issued under, or undefined where it was revoked. */
export async function liveGrant(
	call: Call,
	of: Pick<Basis, 'client_id' | 'username' | 'grant'>
): Promise<Grant | undefined> {
	const grant = await call.sandbox.area.get('grant', grantKey(of.username, of.client_id));
	return grant?.id === of.grant ? grant : undefined;
}

/** Whether a token still stands: its grant not revoked, its exchange not undone by a replay. */
export async function isLive(call: Call, token: AccessToken | RefreshToken): Promise<boolean> {
	if ((await liveGrant(call, token)) === undefined) return false;
	return (await call.sandbox.area.get('family', token.family)) !== undefined;
}

/**
 * Ends a grant with everything issued under it, at once (specification, section 3.1).
 * @param id the grant's id; a later grant of the same person to the same application stays
 * @returns whether this call ended it
 */
export async function endGrant(call: Call, username: string, client_id: string, id: string): Promise<boolean> {
	let ended: Grant | undefined;
	await call.sandbox.area.update('grant', grantKey(username, client_id), (now) => {
		ended = now?.id === id ? now : undefined;
		return ended === undefined ? now : undefined;
	});
	for (const digest of ended?.refresh ?? []) await endRefreshToken(call, digest);
	return ended !== undefined;
}

/** Ends whatever one code exchange led to, and lets the next offline exchange be a first one again. */
export async function endFamily(
	call: Call,
	of: Pick<Basis, 'client_id' | 'username' | 'grant'>,
	family: string
): Promise<void> {
	const { area } = call.sandbox;
	await area.delete('family', family);
	const grant = await liveGrant(call, of);
	for (const digest of grant?.refresh ?? []) {
		if ((await area.get('refresh', digest))?.family === family) await forgetRefreshToken(call, of, digest);
	}
}

/** Takes a refresh token out of its grant, which stays. */
async function forgetRefreshToken(
	call: Call,
	of: Pick<Basis, 'client_id' | 'username' | 'grant'>,
	digest: string
): Promise<void> {
	await call.sandbox.area.update('grant', grantKey(of.username, of.client_id), (now) =>
		now?.id === of.grant ? { ...now, refresh: now.refresh.filter((one) => one !== digest) } : now
	);
	await endRefreshToken(call, digest);
}

async function endRefreshToken(call: Call, digest: string): Promise<void> {
	const refresh = await call.sandbox.area.delete('refresh', digest);
	if (refresh !== undefined) await call.sandbox.area.delete('family', refresh.family);
}
