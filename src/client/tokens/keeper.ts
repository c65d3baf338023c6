import type { Journal } from '../events.ts';
import type { Locks } from '../locks.ts';
import { mask } from '../mask.ts';
import { Problem, problemOf } from '../problems.ts';
import type { Session, Sessions } from './sessions.ts';
import type { TokenEndpoint } from './token-endpoint.ts';

/** What the keeper needs. */
export type KeeperTools = {
	readonly sessions: Sessions;
	readonly locks: Locks;
	readonly journal: Journal;
	/** The token endpoint for the application of a session. */
	readonly tokenEndpoint: (session: Session) => TokenEndpoint | Promise<TokenEndpoint>;
	/** The time at the service, in milliseconds since 1970. */
	readonly serviceNow: () => number;
	/** A number from 0 up to 1, so that many clients do not come back at once. */
	readonly jitter: () => number;
};

/**
 * How long before its expiry a token is renewed, in milliseconds: a tenth of its life, a minute at most. Smaller than any
 * lifetime, so that a token of 60 seconds is not renewed for ever.
 * @param lifetime of the token, in milliseconds
 */
export function marginOf(lifetime: number): number {
	return Math.min(60_000, lifetime / 10);
}

/** Whether a token should be renewed before it is used. */
export function isDue({ expires, lifetime }: Session, now: number): boolean {
	return expires !== null && now >= expires - marginOf(lifetime ?? 0);
}

/**
 * Hands out access tokens that are good, and renews them in time. Twenty calls in each of two tabs that find a token
 * expired lead to one refresh: calls of one tab share it, tabs take turns under a lock and read the shelf again inside.
 */
export class Keeper {
	readonly #tools: KeeperTools;
	readonly #renewing = new Map<string, Promise<Session>>();

	constructor(tools: KeeperTools) {
		this.#tools = tools;
	}

	/**
	 * The access token of a session, renewed first where that is due.
	 * @param id of the session
	 * @param refused a token that the service has just refused with 401
	 * @throws {Problem} `signed_out`, `session_expired`, `access_revoked`, `refused_again`, `renewal_later`, `invalid_client`
	 */
	async token(id: string, refused?: string): Promise<string> {
		const { sessions, serviceNow } = this.#tools;
		const session = await sessions.get(id);
		if (session === undefined) throw new Problem('signed_out');
		if (session.ended !== null) throw new Problem(session.ended);
		const now = serviceNow();
		const isRefused = session.access_token === refused;
		if (!isRefused && !isDue(session, now)) return session.access_token;
		const dead = isRefused || (session.expires !== null && now >= session.expires);
		if (session.refresh_token === null) {
			if (!dead) return session.access_token;
			await sessions.end(id, 'session_expired');
			throw new Problem('session_expired');
		}
		try {
			return (await this.renew(id, session.access_token)).access_token;
		} catch (thrown) {
			// While the old token lives, a refresh that could not be made is no reason to fail the call.
			if (!dead && problemOf(thrown).code === 'renewal_later') return session.access_token;
			throw thrown;
		}
	}

	/**
	 * Renews the access token of a session, unless somebody else has done so meanwhile.
	 * @param id of the session
	 * @param judged the access token that was found to be too old
	 * @throws {Problem} as `token`
	 */
	renew(id: string, judged: string): Promise<Session> {
		const under = this.#renewing.get(id);
		if (under !== undefined) return under;
		const turn = this.#tools.locks.request(lockOf(id), () => this.#refresh(id, judged));
		const shared = turn.finally(() => this.#renewing.delete(id));
		this.#renewing.set(id, shared);
		return shared;
	}

	/**
	 * Runs something that must not meet a refresh of the same session: signing out.
	 * @param id of the session
	 */
	alone<T>(id: string, action: () => Promise<T>): Promise<T> {
		return this.#tools.locks.request(lockOf(id), action);
	}

	async #refresh(id: string, judged: string): Promise<Session> {
		const { sessions, journal, serviceNow, tokenEndpoint } = this.#tools;
		const session = await sessions.get(id);
		if (session === undefined) throw new Problem('signed_out');
		if (session.ended !== null) throw new Problem(session.ended);
		if (session.access_token !== judged) {
			journal.tell({ kind: 'noticed', what: 'Another tab has already renewed the token', session: id });
			return session;
		}
		if (session.refresh_token === null) throw new Problem('session_expired');
		if (serviceNow() < session.retry) throw new Problem('renewal_later', '', { until: session.retry });
		const facts = [['refresh_token', mask(session.refresh_token)]] as const;
		journal.tell({ kind: 'made', what: 'Renewing the access token', facts, section: '3.1', session: id });
		try {
			const tokens = await (await tokenEndpoint(session)).refresh(session.refresh_token);
			const renewed = await sessions.renewed(id, tokens);
			if (renewed === undefined) throw new Problem('signed_out');
			return renewed;
		} catch (thrown) {
			throw await this.#failed(session, problemOf(thrown));
		}
	}

	/** A refusal ends the session; silence and faults only put the next try off, longer each time. */
	async #failed({ id, failures }: Session, problem: Problem): Promise<Problem> {
		const { sessions, serviceNow, jitter } = this.#tools;
		if (problem.code === 'signed_out') return problem;
		if (problem.code === 'invalid_grant') {
			await sessions.end(id, 'access_revoked');
			return new Problem('access_revoked', problem.message, { cause: problem });
		}
		const pause = Math.min(60_000, 1000 * 2 ** failures) * (1 + jitter() / 4);
		const retry = serviceNow() + pause;
		await sessions.change(id, (old) => ({ ...old, failures: old.failures + 1, retry }));
		if (problem.code === 'invalid_client') return problem;
		return new Problem('renewal_later', problem.message, { until: retry, cause: problem });
	}
}

function lockOf(id: string): string {
	return `tollgate:session:${id}`;
}
