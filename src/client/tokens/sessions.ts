import type { Bell } from '../bell.ts';
import type { Journal } from '../events.ts';
import { mask } from '../mask.ts';
import type { Shelf } from '../shelf.ts';
import type { TokenAnswer } from './token-answer.ts';

/** Why a session is over. */
export type Ending = 'session_expired' | 'access_revoked' | 'refused_again';

/** One signed-in person, as the application knows them: by what they allowed it. */
export type Session = {
	readonly id: string;
	/** Base URL of the service. */
	readonly service: string;
	readonly client_id: string;
	/** What the page calls them; the service does not tell who signed in. */
	readonly label: string;
	readonly scope: readonly string[];
	readonly access_type: 'online' | 'offline';
	readonly access_token: string;
	/** When the access token expires, in milliseconds by the service's clock; null: unknown. */
	readonly expires: number | null;
	/** How long it lived when it came, in milliseconds; null: unknown. */
	readonly lifetime: number | null;
	readonly refresh_token: string | null;
	/** Milliseconds by the service's clock. */
	readonly since: number;
	/** How often the access token was renewed. */
	readonly renewals: number;
	/** Refreshes that failed in a row, and when the next may be tried, in milliseconds by the service's clock. */
	readonly failures: number;
	readonly retry: number;
	readonly ended: Ending | null;
};

/** What the list of sessions needs of its host. */
export type SessionTools = {
	readonly shelf: Shelf;
	readonly journal: Journal;
	readonly bell: Bell;
	/** The time at the service, in milliseconds since 1970. */
	readonly serviceNow: () => number;
	/** A fresh, unguessable id. */
	readonly newId: () => string;
};

/** The people who are signed in at one service, in all tabs of this browser. Every change is atomic. */
export class Sessions {
	readonly service: string;
	readonly #tools: SessionTools;
	readonly #listeners = new Set<() => void>();

	/**
	 * @param service base URL; sessions of other services on the same shelf are not touched
	 * @param tools of the host
	 */
	constructor(service: string, tools: SessionTools) {
		this.service = service;
		this.#tools = tools;
		tools.bell.listen(() => this.#notify());
	}

	/** Everybody, in order of arrival. */
	async list(): Promise<readonly Session[]> {
		const all = (await this.#tools.shelf.read('sessions')) ?? [];
		return all.filter(({ service }) => service === this.service);
	}

	/** One of them. */
	async get(id: string): Promise<Session | undefined> {
		return (await this.list()).find((session) => session.id === id);
	}

	/**
	 * Adds the person that an exchange has brought, or renews the session that they had.
	 * @param tokens what the exchange brought
	 * @param asked what was asked for, and by whom
	 * @param id of the session to renew; it must have ended, so that no two people's tokens mix
	 */
	async welcome(
		tokens: TokenAnswer,
		asked: Pick<Session, 'client_id' | 'scope' | 'access_type'>,
		id: string | null
	): Promise<Session> {
		const now = this.#tools.serviceNow();
		const { newId } = this.#tools;
		const fresh = newId();
		let welcomed = fresh;
		const all = await this.#tools.shelf.update('sessions', (sessions = []) => {
			const old = sessions.find((session) => session.id === id && session.ended !== null);
			const mine = sessions.filter(({ service }) => service === this.service);
			welcomed = old?.id ?? fresh;
			const next: Session = {
				id: welcomed,
				service: this.service,
				client_id: asked.client_id,
				label: old?.label ?? nextLabel(mine),
				scope: tokens.scope ?? asked.scope,
				access_type: asked.access_type,
				...lifeOf(tokens, now),
				refresh_token: tokens.refresh_token,
				since: now,
				renewals: 0,
				failures: 0,
				retry: 0,
				ended: null
			};
			return old === undefined ? [...sessions, next] : sessions.map((session) => (session === old ? next : session));
		});
		const session = all.find((one) => one.id === welcomed);
		if (session === undefined) throw new Error('a session was stored and is not there');
		this.#announce('Stored the tokens in this browser', session);
		return session;
	}

	/**
	 * Takes in what a refresh brought. The refresh token is kept when the answer brings none (section 3.1).
	 */
	async renewed(id: string, tokens: TokenAnswer): Promise<Session | undefined> {
		const now = this.#tools.serviceNow();
		const session = await this.change(id, (old) => ({
			...old,
			...lifeOf(tokens, now),
			scope: tokens.scope ?? old.scope,
			refresh_token: tokens.refresh_token ?? old.refresh_token,
			renewals: old.renewals + 1,
			failures: 0,
			retry: 0
		}));
		if (session !== undefined) this.#announce('Stored the new access token; the refresh token stays', session);
		return session;
	}

	/** Marks a session as over and forgets its tokens. Its name and permissions stay, so that the person can come back. */
	async end(id: string, ended: Ending): Promise<void> {
		await this.change(id, (old) => ({ ...old, ended, access_token: '', refresh_token: null, expires: null }));
		this.#tools.journal.tell({
			kind: 'noticed',
			what: 'The session is over',
			facts: [['because', ended]],
			session: id
		});
	}

	/** Changes one session in one step. Returns it as it is now; undefined where it is gone. */
	async change(id: string, how: (old: Session) => Session): Promise<Session | undefined> {
		const all = await this.#tools.shelf.update('sessions', (sessions = []) =>
			sessions.map((session) => (session.id === id ? how(session) : session))
		);
		this.#changed();
		return all.find((session) => session.id === id);
	}

	/** Forgets a session, in all tabs. */
	async forget(id: string): Promise<void> {
		await this.#tools.shelf.update('sessions', (sessions = []) => sessions.filter((session) => session.id !== id));
		this.#tools.journal.tell({ kind: 'stored', what: 'Forgot the tokens, in every tab', session: id });
		this.#changed();
	}

	/** Listens to changes, made here or in another tab. Returns what ends it. */
	listen(changed: () => void): () => void {
		this.#listeners.add(changed);
		return () => this.#listeners.delete(changed);
	}

	#announce(what: string, session: Session): void {
		const { access_token, refresh_token, scope, lifetime } = session;
		this.#tools.journal.tell({
			kind: 'stored',
			what,
			facts: [
				['access_token', mask(access_token)],
				['refresh_token', refresh_token === null ? 'none' : mask(refresh_token)],
				['lives', lifetime === null ? 'until it is refused' : `${String(lifetime / 1000)} s`],
				['scope', scope.join(' ')]
			],
			section: '2.4',
			session: session.id
		});
		this.#changed();
	}

	#changed(): void {
		this.#tools.bell.ring();
		this.#notify();
	}

	#notify(): void {
		for (const listener of this.#listeners) listener();
	}
}

function lifeOf(tokens: TokenAnswer, now: number): Pick<Session, 'access_token' | 'lifetime' | 'expires'> {
	const { access_token, lifetime } = tokens;
	return { access_token, lifetime, expires: lifetime === null ? null : now + lifetime };
}

function nextLabel(sessions: readonly Session[]): string {
	const taken = new Set(sessions.map(({ label }) => label));
	let number = 1;
	while (taken.has(`Person ${String(number)}`)) number += 1;
	return `Person ${String(number)}`;
}
