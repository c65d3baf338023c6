import { ClientError, toClientError } from './client-error.ts';
import type { OAuthEvent, OAuthEventListener, TokenSummary } from './events.ts';
import { createMemoryLock, type Lock } from './lock.ts';
import type { TokenEndpoint } from './token-endpoint.ts';
import { applyRefresh, markEnded, type EndReason, type TokenSet, type TokenStore } from './token-store.ts';

/** Options of `TokenManager`. */
export type TokenManagerOptions = {
	readonly store: TokenStore;
	readonly tokenEndpoint: Pick<TokenEndpoint, 'refresh'>;
	/** Shared by everything that uses the store: Web Locks for the tabs of a browser. One process by default. */
	readonly lock?: Lock;
	/** Milliseconds since 1970. */
	readonly now?: () => number;
	/** A number from 0 up to 1: spreads the retries of many clients. */
	readonly random?: () => number;
	readonly onEvent?: OAuthEventListener;
	/** Whether calls wait for a refresh that is under way; on by default. Off: each one refreshes on its own. For demonstrations. */
	readonly sharesRefreshes?: () => boolean;
};

/**
 * How long before its expiry an access token is refreshed, in milliseconds: a tenth of its lifetime, at most a minute. It is
 * always shorter than the lifetime, so short tokens are not refreshed in a loop.
 * @example
 * refreshMargin(3_600_000); // 60000
 * refreshMargin(10_000); // 1000
 */
export function refreshMargin(lifetime: number): number {
	return Math.min(60_000, lifetime / 10);
}

/**
 * Whether an access token should be refreshed before it is used.
 * @example
 * if (needsRefresh(tokenSet, Date.now())) showRefreshSoon();
 */
export function needsRefresh({ expiresAt, lifetime }: TokenSet, now: number): boolean {
	return expiresAt !== null && now >= expiresAt - refreshMargin(lifetime ?? 0);
}

/**
 * Returns valid access tokens and refreshes them in time (section 3.1). If 20 calls in each of two tabs find an expired token,
 * one refresh is sent: the calls of a tab share it, and tabs wait for the lock and read the store again.
 * @example
 * const tokens = new TokenManager({ store: new MemoryStore(), tokenEndpoint });
 * const accessToken = await tokens.getAccessToken(id);
 */
export class TokenManager {
	readonly #options: TokenManagerOptions;
	readonly #lock: Lock;
	readonly #now: () => number;
	readonly #refreshes = new Map<string, Promise<TokenSet>>();

	constructor(options: TokenManagerOptions) {
		this.#options = options;
		this.#lock = options.lock ?? createMemoryLock();
		this.#now = options.now ?? Date.now;
	}

	get(id: string): Promise<TokenSet | undefined> {
		return this.#options.store.get(id);
	}

	/**
	 * Saves what `handleCallback` returned. A token set that still works is only replaced by one with more permissions, which
	 * keeps the refresh token (the service issues it once). Any other new token set gets its own id then, so that the tokens of
	 * two users do not mix.
	 */
	async save(tokenSet: TokenSet): Promise<TokenSet> {
		const { store } = this.#options;
		const stored = await store.update(tokenSet.id, (current) => {
			if (current?.ended !== null) return tokenSet;
			const isExtension = isSupersetOf(tokenSet.scope, current.scope);
			return isExtension ? { ...tokenSet, refresh_token: tokenSet.refresh_token ?? current.refresh_token } : current;
		});
		const isSaved = stored?.access_token === tokenSet.access_token;
		const saved = isSaved ? stored : { ...tokenSet, id: crypto.randomUUID() };
		if (!isSaved) await store.update(saved.id, () => saved);
		this.#emit({ type: 'tokens_saved', ...summaryOf(saved) });
		return saved;
	}

	/**
	 * The access token of a token set, refreshed first if necessary.
	 * @param rejected an access token that the service has rejected with 401
	 * @throws {ClientError} `signed_out`, `session_expired`, `access_revoked`, `rejected_after_refresh`, `refresh_failed`,
	 * `invalid_client`
	 */
	async getAccessToken(id: string, rejected?: string): Promise<string> {
		const tokenSet = activeTokenSet(await this.get(id));
		const { access_token, refresh_token, expiresAt } = tokenSet;
		const now = this.#now();
		const isRejected = access_token === rejected || (rejected !== undefined && !this.#sharesRefreshes());
		if (!isRejected && !needsRefresh(tokenSet, now)) return access_token;
		const isUnusable = isRejected || (expiresAt !== null && now >= expiresAt);
		if (refresh_token === null) {
			if (!isUnusable) return access_token;
			throw await this.end(id, 'session_expired');
		}
		try {
			return (await this.refresh(id, access_token)).access_token;
		} catch (thrown) {
			// While the old token works, a refresh that failed does not fail the call.
			if (!isUnusable && toClientError(thrown).code === 'refresh_failed') return access_token;
			throw thrown;
		}
	}

	/**
	 * Refreshes an access token, unless it was refreshed since.
	 * @param staleToken the access token to replace
	 * @throws {ClientError} as `getAccessToken`
	 */
	refresh(id: string, staleToken: string): Promise<TokenSet> {
		if (!this.#sharesRefreshes()) return this.#refresh(id, staleToken);
		const running = this.#refreshes.get(id);
		if (running !== undefined) return running;
		const refresh = this.withLock(id, () => this.#refresh(id, staleToken));
		const shared = refresh.finally(() => this.#refreshes.delete(id));
		this.#refreshes.set(id, shared);
		return shared;
	}

	/** Marks a token set as ended and deletes its tokens. Returns the error to throw. */
	async end(id: string, reason: EndReason, description = ''): Promise<ClientError> {
		await this.#options.store.update(id, (current) => current && markEnded(current, reason));
		this.#emit({ type: 'token_set_ended', tokenSetId: id, reason });
		return new ClientError(reason, description);
	}

	/** Deletes a token set. */
	async delete(id: string): Promise<void> {
		await this.#options.store.update(id, () => undefined);
		this.#emit({ type: 'tokens_deleted', tokenSetId: id });
	}

	/** Runs an action while no refresh of this token set is under way. */
	withLock<T>(id: string, action: () => Promise<T>): Promise<T> {
		return this.#lock(`token-set:${id}`, action);
	}

	#sharesRefreshes(): boolean {
		return this.#options.sharesRefreshes?.() !== false;
	}

	async #refresh(id: string, staleToken: string): Promise<TokenSet> {
		const { store, tokenEndpoint } = this.#options;
		const tokenSet = activeTokenSet(await this.get(id));
		const { access_token, refresh_token, retryAt } = tokenSet;
		if (access_token !== staleToken) {
			this.#emit({ type: 'refresh_skipped', tokenSetId: id });
			return tokenSet;
		}
		if (refresh_token === null) throw new ClientError('session_expired');
		if (this.#now() < retryAt) throw new ClientError('refresh_failed', '', { retryAt });
		this.#emit({ type: 'refresh_started', tokenSetId: id });
		const response = await tokenEndpoint.refresh(refresh_token).catch(async (thrown: unknown) => {
			throw await this.#refreshError(tokenSet, toClientError(thrown));
		});
		const refreshed = await store.update(id, (now) => now && applyRefresh(now, response, this.#now()));
		if (refreshed === undefined) throw new ClientError('signed_out');
		this.#emit({ type: 'tokens_refreshed', ...summaryOf(refreshed) });
		return refreshed;
	}

	/** A rejected refresh token ends the token set. Other errors delay the next attempt, longer each time. */
	async #refreshError({ id, refreshFailures }: TokenSet, error: ClientError): Promise<ClientError> {
		if (error.code === 'invalid_grant') return this.end(id, 'access_revoked', error.message);
		const { store, random = Math.random } = this.#options;
		const retryAt = this.#now() + Math.min(60_000, 1000 * 2 ** refreshFailures) * (1 + random() / 4);
		await store.update(id, (now) => now && { ...now, refreshFailures: now.refreshFailures + 1, retryAt });
		if (error.code === 'invalid_client') return error;
		return new ClientError('refresh_failed', error.message, { retryAt, cause: error });
	}

	#emit(event: OAuthEvent): void {
		this.#options.onEvent?.(event);
	}
}

function activeTokenSet(tokenSet: TokenSet | undefined): TokenSet {
	if (tokenSet === undefined) throw new ClientError('signed_out');
	if (tokenSet.ended !== null) throw new ClientError(tokenSet.ended);
	return tokenSet;
}

/** Whether a scope contains another one and more. */
function isSupersetOf(scope: readonly string[], other: readonly string[]): boolean {
	return scope.length > other.length && other.every((name) => scope.includes(name));
}

function summaryOf({ id, scope, lifetime, refresh_token }: TokenSet): TokenSummary {
	return { tokenSetId: id, scope, lifetime, hasRefreshToken: refresh_token !== null };
}
