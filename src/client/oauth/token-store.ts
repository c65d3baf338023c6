import type { AccessType } from './client-registration.ts';
import type { PendingAuthorization } from './pending-authorizations.ts';
import type { AtomicStore } from './atomic-store.ts';
import type { IdentityClaims } from './id-token.ts';
import type { Scheme, TokenResponse } from './token-response.ts';

/** Why a token set no longer works. */
export type EndReason = 'session_expired' | 'access_revoked' | 'rejected_after_refresh';

/** The tokens of one signed-in user. Times are milliseconds since 1970. */
export type TokenSet = {
	/** Chosen by the client. The service does not tell who signed in. */
	readonly id: string;
	readonly client_id: string;
	readonly scope: readonly string[];
	readonly access_type: AccessType;
	/** Empty once the token set has ended. */
	readonly access_token: string;
	readonly refresh_token: string | null;
	/** The scheme that the access token is sent with. Absent in what earlier versions stored: `OAuth`. */
	readonly scheme?: Scheme;
	/** Who signed in, by the verified ID token. Absent where none was asked for. */
	readonly claims?: IdentityClaims;
	/** When the access token expires; null: unknown. */
	readonly expiresAt: number | null;
	/** Lifetime of the access token when it was issued, in milliseconds; null: unknown. */
	readonly lifetime: number | null;
	readonly createdAt: number;
	readonly refreshCount: number;
	/** Refreshes that failed in a row, and when the next attempt is allowed. */
	readonly refreshFailures: number;
	readonly retryAt: number;
	readonly ended: EndReason | null;
};

/** Stores token sets by id. `MemoryStore` is one. */
export type TokenStore = AtomicStore<TokenSet>;

/**
 * Creates a token set from a token response.
 * @param now milliseconds since 1970
 * @example
 * const tokenSet = createTokenSet(client.client_id, request, response, Date.now());
 * await store.update(tokenSet.id, () => tokenSet);
 */
export function createTokenSet(
	client_id: string,
	pending: PendingAuthorization,
	response: TokenResponse,
	now: number
): TokenSet {
	return {
		id: pending.tokenSetId ?? crypto.randomUUID(),
		client_id,
		scope: response.scope ?? pending.scope,
		access_type: pending.access_type,
		...accessTokenFields(response, now),
		...(response.claims === undefined ? {} : { claims: response.claims }),
		refresh_token: response.refresh_token,
		createdAt: now,
		refreshCount: 0,
		refreshFailures: 0,
		retryAt: 0,
		ended: null
	};
}

/**
 * The token set after a refresh. The refresh token stays if the response has none (section 3.1).
 * @example
 * applyRefresh(tokenSet, response, Date.now()).refreshCount; // one more than tokenSet.refreshCount
 */
export function applyRefresh(current: TokenSet, response: TokenResponse, now: number): TokenSet {
	return {
		...current,
		...accessTokenFields(response, now),
		scope: response.scope ?? current.scope,
		refresh_token: response.refresh_token ?? current.refresh_token,
		refreshCount: current.refreshCount + 1,
		refreshFailures: 0,
		retryAt: 0
	};
}

/**
 * The token set without its tokens, once they no longer work. Who signed in with which permissions stays.
 * @example
 * markEnded(tokenSet, 'access_revoked').access_token; // ''
 */
export function markEnded(current: TokenSet, ended: EndReason): TokenSet {
	return { ...current, ended, access_token: '', refresh_token: null, expiresAt: null };
}

function accessTokenFields({ access_token, lifetime, scheme }: TokenResponse, now: number) {
	return { access_token, lifetime, scheme, expiresAt: lifetime === null ? null : now + lifetime };
}
