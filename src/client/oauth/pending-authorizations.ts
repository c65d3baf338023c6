import type { AccessType } from './client-registration.ts';
import { ClientError } from './client-error.ts';
import type { AtomicStore } from './atomic-store.ts';

/** An authorization request whose response has not arrived yet. */
export type PendingAuthorization = {
	readonly state: string;
	/** The provider that the user was sent to: the only one that gets the code. */
	readonly issuer: string;
	/** Who started it: the cookie session on a server, the tab in a page. */
	readonly browserSession: string;
	readonly redirect_uri: string;
	readonly scope: readonly string[];
	readonly access_type: AccessType;
	/** PKCE (RFC 7636); null: no challenge was sent, or the request was used. */
	readonly code_verifier: string | null;
	/** What the ID token must contain. Absent: the request did not ask for one. */
	readonly nonce?: string;
	/** The ended token set that this sign-in replaces; null: a new one. */
	readonly tokenSetId: string | null;
	/** Milliseconds since 1970. */
	readonly started: number;
	/** A state works once. The record stays until it expires, so that a second use is recognized. */
	readonly used: boolean;
};

/** How long a request may take: the service waits 15 minutes for the user, then its code lives 10 minutes. */
const defaultLifetime = 25 * 60_000;

/** Options of `PendingAuthorizations`. */
export type PendingAuthorizationsOptions = {
	/** Identifies the user's browser; a request is only accepted from the browser that started it (RFC 6749, section 10.12). */
	readonly browserSession?: string;
	/** Milliseconds. */
	readonly lifetime?: number;
	/** Milliseconds since 1970. */
	readonly now?: () => number;
};

/**
 * The authorization requests under way. Each state is accepted once.
 * @example
 * const pending = new PendingAuthorizations(new MemoryStore(), { browserSession: sessionId });
 */
export class PendingAuthorizations {
	readonly #store: AtomicStore<PendingAuthorization>;
	readonly #options: Required<PendingAuthorizationsOptions>;

	/** @param store may delete records that are older than the lifetime */
	constructor(store: AtomicStore<PendingAuthorization>, options: PendingAuthorizationsOptions = {}) {
		this.#store = store;
		this.#options = { browserSession: '', lifetime: defaultLifetime, now: Date.now, ...options };
	}

	/** Saves a request before the user is sent to the service. */
	async add(request: Omit<PendingAuthorization, 'browserSession' | 'started' | 'used'>): Promise<void> {
		const { browserSession, now } = this.#options;
		const pending = { ...request, browserSession, started: now(), used: false };
		await this.#store.update(request.state, () => pending);
	}

	/**
	 * Finds the request that a response belongs to and uses it up, in one step.
	 * @param state of the response
	 * @param issuer of the provider whose redirect URI received the response (RFC 9700, section 4.4.2)
	 * @throws {ClientError} `state_unknown`, `state_used`, `issuer_mismatch`, `state_other_session`; nothing changes then
	 */
	async consume(state: string, issuer: string): Promise<PendingAuthorization> {
		let consumed: PendingAuthorization | undefined;
		await this.#store.update(state, (pending) => {
			const rejection = this.#rejectionOf(pending, issuer);
			if (pending === undefined || rejection !== undefined) throw new ClientError(rejection ?? 'state_unknown');
			consumed = pending;
			return { ...pending, code_verifier: null, used: true };
		});
		if (consumed === undefined) throw new ClientError('state_unknown');
		return consumed;
	}

	#rejectionOf(pending: PendingAuthorization | undefined, issuer: string): string | undefined {
		const { browserSession, lifetime, now } = this.#options;
		if (pending === undefined || Math.abs(now() - pending.started) >= lifetime) return 'state_unknown';
		if (pending.used) return 'state_used';
		if (pending.issuer !== issuer) return 'issuer_mismatch';
		return pending.browserSession === browserSession ? undefined : 'state_other_session';
	}
}
