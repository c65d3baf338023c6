import { defaultSettings } from '#api/control/settings.ts';
import type { Context } from '../core/context.ts';
import { base64url } from '../core/encoding.ts';
import { StoreFull } from '#store/errors.ts';
import { type AccessToken, type Grant, grantKey, type RefreshToken } from '../sandbox/records.ts';
import { findTestCard, shortLifetime } from '../sandbox/test-cards.ts';
import { boundTo } from './resource-indicators.ts';
import { requireSigningKeys, signClaims } from '../identity/signing-keys.ts';
import { issuerOfProvider } from '../provider/provider-urls.ts';
import { fillAll, userValues } from '../provider/templates.ts';

/** How many refresh tokens a grant holds. An installed application gets one at every offline exchange. */
export const maxRefreshTokens = 20;

/** How exact the time of the last use of a grant is, in seconds. */
const useInterval = 60;

/** What a token is issued for. Without a user: for the application itself. */
export type TokenClaims = Pick<
	AccessToken,
	'flow' | 'client_id' | 'username' | 'grant' | 'family' | 'scopes' | 'resources' | 'jkt' | 'delegation'
>;

/** What a token of a user is issued for. */
export type UserClaims = TokenClaims & Pick<RefreshToken, 'username'>;

/**
 * 256 random bits in base64url, for a code, a token or the id of a pending authorization. Redacted in every log.
 * @param name of the parameter that contains it
 */
export function randomToken(context: Context, name: string): string {
	const { prefix = '', length } = tokenForm(context, name);
	const random = base64url(context.options.random(Math.max(32, Math.ceil(((length ?? 0) * 3) / 4))));
	// A provider has letters and digits only, in a length that it chooses.
	const text =
		length === undefined ? random : random.replace(/[^A-Za-z0-9]/g, '0').slice(0, Math.max(16, length - prefix.length));
	return context.redact(prefix + text, name);
}

/** The form of a code or token at a provider. */
function tokenForm({ dialect: { tokens = {} } }: Context, name: string) {
	return (name === 'access_token' || name === 'refresh_token' || name === 'code' ? tokens[name] : undefined) ?? {};
}

/** How long codes, access tokens or replaced refresh tokens live, in seconds: as the sandbox is set, or where it is not, as the provider says. */
export function lifetimeOf({ sandbox, dialect }: Context, kind: 'code' | 'access_token' | 'rotation_grace'): number {
	const set = sandbox.state.settings.lifetimes[kind];
	const { code, accessToken, rotationGrace } = dialect.lifetimes ?? {};
	const own = { code, access_token: accessToken, rotation_grace: rotationGrace }[kind];
	return own !== undefined && set === defaultSettings.lifetimes[kind] ? own : set;
}

/** How long the access tokens of a user, or of the application itself, live, in seconds. */
export function accessTokenLifetime(context: Context, username: string | undefined): number {
	const card = findTestCard(context, 'account', username);
	return card?.outcome === 'short_token' ? shortLifetime : lifetimeOf(context, 'access_token');
}

/**
 * Issues an access token. The store contains only its digest.
 * @param from digest of the code or refresh token that it is issued for; undefined where the client has none
 * @param lifetime in seconds
 */
export async function issueAccessToken(
	context: Context,
	basis: TokenClaims,
	from?: string,
	lifetime = accessTokenLifetime(context, basis.username)
): Promise<string> {
	const { flow, client_id, username, grant, family, scopes } = basis;
	const expires = context.now() + lifetime * 1000;
	const isJwt = issuesJwt(context, basis.resources);
	const token = isJwt ? await createJwtAccessToken(context, basis, lifetime) : randomToken(context, 'access_token');
	const id = context.digestOf(token);
	await context.store.update('access_token', id, () => ({
		flow,
		client_id,
		...(username !== undefined && { username }),
		grant,
		family,
		scopes,
		...boundTo(basis),
		...(basis.delegation && { delegation: basis.delegation }),
		expires,
		createdBy: context.networkAddress
	}));
	context.credentialEvents.push({
		type: 'issued',
		kind: 'access_token',
		id,
		from,
		grant,
		family,
		scopes: [...scopes],
		...(basis.delegation && { actors: [...basis.delegation.actors] }),
		expires
	});
	return token;
}

/**
 * Adds a refresh token to an active grant.
 * @param from digest of the code that it is issued for
 * @param onlyFirst true: only the first refresh token of a grant is issued (specification, section 3.1)
 * @returns undefined where the grant was revoked, or where `onlyFirst` applies
 */
export async function issueRefreshToken(
	context: Context,
	basis: UserClaims,
	from: string,
	onlyFirst: boolean
): Promise<string | undefined> {
	const { store } = context;
	const token = randomToken(context, 'refresh_token');
	const digest = context.digestOf(token);
	const { flow, client_id, username, grant, family, scopes } = basis;
	await store.update('refresh_token', digest, () => ({
		flow,
		client_id,
		username,
		grant,
		family,
		scopes,
		...boundTo(basis)
	}));
	await store.update('token_family', family, (now) => now && {});
	let superseded: readonly string[] = [];
	const key = grantKey(username, client_id);
	const next = await store.update('grant', key, (now) => {
		superseded = [];
		if (now?.id !== grant || (onlyFirst && now.refresh.length > 0)) return now;
		const refresh = [...now.refresh, digest];
		superseded = refresh.slice(0, -maxRefreshTokens);
		return { ...now, offline: true, refresh: refresh.slice(-maxRefreshTokens) };
	});
	for (const old of superseded) await deleteRefreshToken(context, old);
	if (next?.refresh.includes(digest) === true) {
		context.credentialEvents.push({
			type: 'issued',
			kind: 'refresh_token',
			id: digest,
			from,
			grant,
			family,
			scopes: [...scopes]
		});
		return token;
	}
	await store.delete('refresh_token', digest);
	await expireFamily(context, family, username);
	return undefined;
}

/** Lets a family without a refresh token expire with its last access token. */
async function expireFamily(context: Context, family: string, username: string): Promise<void> {
	const expires = context.now() + accessTokenLifetime(context, username) * 1000;
	const createdBy = context.networkAddress;
	await context.store.update('token_family', family, (now) => now && { expires, createdBy });
}

/** The grant that a token or code was issued under; undefined where it was revoked. */
export async function activeGrant(
	context: Context,
	of: Pick<TokenClaims, 'client_id' | 'username' | 'grant' | 'delegation'>
): Promise<Grant | undefined> {
	const grant = await context.store.get('grant', grantKey(of.username, of.delegation?.granted_to ?? of.client_id));
	return grant?.id === of.grant ? grant : undefined;
}

/** The grant of an active token. Undefined if the grant was revoked, or the code of the token was used twice. */
export async function grantOfActive(context: Context, token: AccessToken | RefreshToken): Promise<Grant | undefined> {
	const [grant, family] = await Promise.all([
		activeGrant(context, token),
		context.store.get('token_family', token.family)
	]);
	return family === undefined ? undefined : grant;
}

/** Whether a refresh token was exchanged for another one. A second use is an attack (RFC 9700, section 4.14.2). */
export function isReplaced(grant: Grant | undefined, digest: string): boolean {
	return grant?.replaced?.includes(digest) === true;
}

/** Records that a grant is used now, unless it was recorded less than a minute ago. */
export async function recordUse(context: Context, { id, username, client_id, last_used }: Grant): Promise<void> {
	const now = context.sandbox.seconds();
	if (last_used !== undefined && now - last_used < useInterval) return;
	try {
		await context.store.update('grant', grantKey(username, client_id), (grant) =>
			grant?.id === id ? { ...grant, last_used: now } : grant
		);
	} catch (fault) {
		// In a full sandbox, tokens that exist keep working.
		if (!(fault instanceof StoreFull)) throw fault;
	}
}

/**
 * Revokes a grant and everything issued under it (specification, section 3.1).
 * @param id of the grant; a later grant of the same user to the same application is not revoked
 * @returns whether this call revoked it
 */
export async function revokeGrant(
	context: Context,
	username: string | undefined,
	client_id: string,
	id: string
): Promise<boolean> {
	let revoked: Grant | undefined;
	await context.store.update('grant', grantKey(username, client_id), (now) => {
		revoked = now?.id === id ? now : undefined;
		return revoked === undefined ? now : undefined;
	});
	for (const digest of revoked?.refresh ?? []) await deleteRefreshToken(context, digest);
	for (const digest of revoked?.replaced ?? []) await context.store.delete('refresh_token', digest);
	if (revoked !== undefined) context.credentialEvents.push({ type: 'ended', kind: 'grant', id, reason: 'revoked' });
	return revoked !== undefined;
}

/** Revokes the tokens of one code exchange. The next offline exchange gets a refresh token again. */
export async function revokeFamily(
	context: Context,
	of: Pick<TokenClaims, 'client_id' | 'username' | 'grant'>,
	family: string
): Promise<void> {
	const { store } = context;
	await store.delete('token_family', family);
	context.credentialEvents.push({ type: 'ended', kind: 'family', id: family, reason: 'replayed' });
	const grant = await activeGrant(context, of);
	for (const digest of [...(grant?.refresh ?? []), ...(grant?.replaced ?? [])]) {
		if ((await store.get('refresh_token', digest))?.family !== family) continue;
		await removeFromGrant(context, of, digest);
		await deleteRefreshToken(context, digest);
	}
}

/** Ends one refresh token. The access tokens that it issued expire later. */
export async function endRefreshToken(context: Context, digest: string): Promise<boolean> {
	const token = await context.store.delete('refresh_token', digest);
	if (token === undefined) return false;
	await removeFromGrant(context, token, digest);
	await expireFamily(context, token.family, token.username);
	return true;
}

/** Removes a refresh token from the list of its grant. */
async function removeFromGrant(
	context: Context,
	of: Pick<TokenClaims, 'client_id' | 'username' | 'grant'>,
	digest: string
): Promise<void> {
	await context.store.update('grant', grantKey(of.username, of.client_id), (now) =>
		now?.id === of.grant ? without(now, digest) : now
	);
}

function without(grant: Grant, digest: string): Grant {
	const others = (ids: readonly string[]) => ids.filter((id) => id !== digest);
	const { replaced } = grant;
	return { ...grant, refresh: others(grant.refresh), ...(replaced && { replaced: others(replaced) }) };
}

/** Deletes a refresh token with its family. */
async function deleteRefreshToken(context: Context, digest: string): Promise<void> {
	const refresh = await context.store.delete('refresh_token', digest);
	if (refresh !== undefined) await context.store.delete('token_family', refresh.family);
}

/** Whether access tokens for these resources are signed. The dialect of the specification has opaque ones only. */
export function issuesJwt({ dialect, sandbox }: Context, resources: readonly string[] | undefined): boolean {
	const { claims, jwt } = dialect.tokens?.access_token ?? {};
	const isDue = claims !== undefined && (jwt === undefined || resources !== undefined);
	return dialect.metadata && (sandbox.state.settings.jwt_access_tokens || isDue);
}

/**
 * An access token that a resource server can verify by the public keys (RFC 9068, section 2). Without a resource, it is for the base
 * URL, the place above all resources. Without a user, `sub` is the client, written so that no user has this name.
 * @param lifetime in seconds
 */
async function createJwtAccessToken(
	context: Context,
	{
		client_id,
		username,
		scopes,
		resources,
		jkt,
		delegation
	}: Pick<AccessToken, 'client_id' | 'username' | 'scopes' | 'resources' | 'jkt' | 'delegation'>,
	lifetime: number
): Promise<string> {
	const [key] = await requireSigningKeys(context);
	const { sandbox, options, dialect } = context;
	const issuer = issuerOfProvider(context) ?? sandbox.base_url;
	const [aud = issuer, ...others] = resources ?? [];
	const iat = sandbox.seconds();
	const token = await signClaims(context, key, 'at+jwt', {
		iss: issuer,
		aud: others.length === 0 ? aud : [aud, ...others],
		sub: username ?? `client:${client_id}`,
		client_id,
		scope: scopes.join(' '),
		exp: iat + lifetime,
		iat,
		jti: base64url(options.random(16)),
		...(jkt !== undefined && { cnf: { jkt } }),
		...actOf(delegation),
		...fillAll(dialect.tokens?.access_token?.claims, { ...userValues(context, username, client_id), scopes })
	});
	return context.redact(token, 'access_token');
}

/** Who acts for the user of a token, and in it who acted before (RFC 8693, section 4.1). */
type Act = { readonly sub: string; readonly act?: Act };

/** The claim `act` of a token; none where it names no actor. */
export function actOf(delegation: AccessToken['delegation']): { readonly act?: Act } {
	const act = (delegation?.actors ?? []).reduceRight<Act | undefined>(
		(inner, sub) => ({ sub, ...(inner && { act: inner }) }),
		undefined
	);
	return act === undefined ? {} : { act };
}
