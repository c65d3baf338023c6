import type { Client } from '../client.ts';
import { characterAddress, patterns } from '../endpoints.ts';
import { Cache } from '../manners/cache.ts';
import { Problem, problemOf } from '../problems.ts';
import type { KeptAnswer, Look } from '../desk.ts';
import { treeIn, type Answer, type Format } from '../resources/answer.ts';
import { characterOf, type Character } from '../resources/character.ts';
import type { Session } from '../tokens/sessions.ts';

/** A character sheet, and where it is from. */
export type Sheet = {
	readonly character: Character;
	readonly answer: Answer;
	/** What the person had allowed. */
	readonly scope: readonly string[];
};

/** What the character panel shows. */
export type View =
	| { readonly kind: 'nothing' }
	| { readonly kind: 'shown'; readonly sheet: Sheet; readonly at: number; readonly cached: boolean }
	| { readonly kind: 'failed'; readonly name: string; readonly problem: Problem }
	/** Over the limit: asked again by itself, once, at `until` by the service's clock. */
	| { readonly kind: 'waiting'; readonly name: string; readonly until: number };

const nothing: View = { kind: 'nothing' };

/** How long an answer is fresh, in milliseconds. */
export const freshFor = 60_000;

/** The character panel: asks for characters by name, and shows what the permissions allow. */
export class Explorer {
	name = $state('');
	view: View = $state.raw(nothing);
	/** Id of the session that it was asked for with: nobody sees what another may see. */
	#whose = $state('');
	/** The name that is being asked for; what was shown before stays until the answer is there. */
	asking: string | undefined = $state();
	readonly #client: Client;
	readonly #cache = new Cache<Sheet>(freshFor);
	#stop: AbortController | undefined;
	/** Id of the session that is asking, or waiting to. */
	#asker = '';
	#retry: { readonly session: Session; readonly name: string } | undefined;

	constructor(client: Client) {
		this.#client = client;
		const { look } = client.desk.now;
		if (look !== null) this.#recall(look);
	}

	/**
	 * Shows a character, from the cache where that is on and fresh.
	 * @param session who asks
	 * @param name of the character
	 * @param fresh asks the service in any case
	 */
	async show(session: Session, name: string, fresh = false): Promise<void> {
		this.name = name;
		await this.#show(session, name, fresh);
	}

	/** What the panel shows to a person. */
	viewOf(session: string): View {
		return this.#whose === session ? this.view : nothing;
	}

	async #show(session: Session, name: string, fresh: boolean): Promise<void> {
		this.stop();
		const now = this.#client.clock.now();
		const kept =
			this.#client.switches.now.cache && !fresh
				? this.#cache.get(keyOf(session, name, this.#client.switches.now.format), now)
				: undefined;
		if (kept !== undefined) {
			this.#client.journal.tell({
				kind: 'noticed',
				what: 'Answered from the cache: no call',
				section: '8.9',
				session: session.id
			});
			this.#set(session, name, { kind: 'shown', sheet: kept.value, at: kept.at, cached: true });
			return;
		}
		const stop = new AbortController();
		this.#stop = stop;
		this.#asker = session.id;
		this.asking = name;
		try {
			const sheet = await this.ask(session, name, stop.signal);
			const at = this.#client.clock.now();
			if (!stop.signal.aborted) this.#set(session, name, { kind: 'shown', sheet, at, cached: false });
		} catch (thrown) {
			if (!stop.signal.aborted) this.#failed(session, name, problemOf(thrown));
		} finally {
			if (this.#stop === stop) this.asking = undefined;
		}
	}

	/**
	 * Asks the service for a character, and keeps the answer.
	 * @throws {Problem} as `Resources.call`
	 */
	async ask(session: Session, name: string, signal?: AbortSignal): Promise<Sheet> {
		const { endpoints, resources, clock, switches } = this.#client;
		const { format, credential } = switches.now;
		const key = keyOf(session, name, format);
		const answer = await resources.call({
			session: session.id,
			address: characterAddress(endpoints.base_url, name),
			pattern: patterns.character,
			format,
			credential,
			...(signal === undefined ? {} : { signal })
		});
		const { scope } = session;
		const character = characterOf(answer.tree, scope);
		if (character === undefined) throw new Problem('unreadable', '', { status: answer.status });
		const sheet = { character, answer, scope };
		this.#cache.set(key, sheet, clock.now());
		return sheet;
	}

	/** Takes over what was asked for elsewhere, where the panel shows that character to that person. */
	adopt(session: string, sheet: Sheet): void {
		const view = this.viewOf(session);
		if (view.kind !== 'shown' || view.sheet.character.name !== sheet.character.name) return;
		this.#set({ id: session }, view.sheet.character.name, {
			kind: 'shown',
			sheet,
			at: this.#client.clock.now(),
			cached: false
		});
	}

	/** To be called every second: asks again once the window has been reset, or the silence is over. */
	tick(): void {
		const { breaker, clock } = this.#client;
		const retry = this.#retry;
		if (retry === undefined || breaker.isOpen) return;
		if (this.view.kind === 'waiting' && clock.now() < this.view.until) return;
		void this.#show(retry.session, retry.name, true);
	}

	/** Gives up what is under way. */
	stop(): void {
		this.#stop?.abort();
		this.#stop = undefined;
		this.#retry = undefined;
		this.asking = undefined;
		if (this.view.kind === 'waiting') this.view = nothing;
	}

	/** Forgets what was shown and kept for a person. */
	forget(session: string): void {
		this.#cache.drop(`${session}/`);
		if (this.#asker === session) this.stop();
		if (this.#whose === session) this.view = nothing;
		this.#client.desk.clear(session).catch(problemOf);
	}

	#failed(session: Session, name: string, problem: Problem): void {
		const isHeld = problem.code === 'holding' || problem.code === 'silence';
		if (isHeld && this.#client.breaker.isOpen) this.#retry = { session, name };
		if (problem.code === 'rate_limit_exceeded' && problem.until !== undefined) {
			this.#retry = { session, name };
			this.#set(session, name, { kind: 'waiting', name, until: problem.until });
		} else this.#set(session, name, { kind: 'failed', name, problem });
	}

	#set({ id }: Pick<Session, 'id'>, name: string, view: View): void {
		this.#whose = id;
		this.view = view;
		const { desk, switches } = this.#client;
		const answer = view.kind === 'shown' && switches.now.cache ? kept(view.sheet, view.at) : null;
		// Without storage the page still works.
		desk.put({ look: { session: id, name, answer } }).catch(problemOf);
	}

	/** Shows again what stood there before the page was loaded anew. */
	#recall({ session, name, answer }: Look): void {
		this.name = name;
		const { readXml, switches } = this.#client;
		if (answer === null || !switches.now.cache) return;
		const { status, format, text, requestId, scope, at } = answer;
		const tree = treeIn(text, format, readXml);
		const character = characterOf(tree, scope);
		if (character === undefined) return;
		const known = { status, format, text, tree, budget: undefined, requestId: requestId ?? undefined };
		const sheet = { character, answer: known, scope };
		this.#cache.set(keyOf({ id: session, scope }, name, format), sheet, at);
		this.#whose = session;
		this.view = { kind: 'shown', sheet, at, cached: true };
	}
}

function kept({ answer, scope }: Sheet, at: number): KeptAnswer {
	const { status, format, text, requestId = null } = answer;
	return { status, format, text, requestId, scope, at };
}

function keyOf({ id, scope }: Pick<Session, 'id' | 'scope'>, name: string, format: Format): string {
	return `${id}/${scope.join(' ')}/${format}/${name}`;
}
