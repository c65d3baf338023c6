import type { Bell } from '../bell.ts';
import type { Endpoints } from '../endpoints.ts';
import type { Journal } from '../events.ts';
import { plain, problemOf } from '../problems.ts';
import { limitsOf, type LimitRecord } from '../resources/ratelimits.ts';
import { keptFor, type Shelf } from '../shelf.ts';
import type { Fetch } from '../wiretap.ts';
import { hasFields, treeOfJson, type Tree } from '../xml.ts';

/** What `/ratelimiting` said of this client. */
export type Standing = {
	readonly blacklisted: boolean;
	readonly state: string;
	readonly reason: string;
	/** How the limits stand, as far as it said. */
	readonly records: readonly LimitRecord[];
};

/** What the breaker needs. */
export type BreakerTools = {
	readonly endpoints: Endpoints;
	readonly fetch: Fetch;
	readonly journal: Journal;
	/** Where a silence is kept, and what tells other tabs of it. */
	readonly shelf: Shelf;
	readonly bell: Bell;
	/** This machine's clock, in milliseconds since 1970. */
	readonly now: () => number;
	readonly jitter: () => number;
};

/** So many calls in a row without an answer open the breaker. */
const threshold = 2;
const firstPause = 2000;
const longestPause = 10_000;

/**
 * Stops all calls when the service has fallen silent, and finds out why by the one address that is still answered then
 * (section 8.5). Closes again once that says that all is well. A silence is kept: a page that is loaded anew, or another
 * tab, holds its calls as well.
 */
export class Breaker {
	readonly #tools: BreakerTools;
	readonly #listeners = new Set<() => void>();
	#silences = 0;
	#tries = 0;
	#open = false;
	#asking = false;
	#nextProbe = 0;
	#standing: Standing | undefined;
	#kept = 'null';
	#writing = 0;

	constructor(tools: BreakerTools) {
		this.#tools = tools;
		tools.bell.listen(() => void this.load().catch(problemOf));
	}

	/** Whether calls are held. */
	get isOpen(): boolean {
		return this.#open;
	}

	/** What `/ratelimiting` said last; undefined before it did, or where it is silent too. */
	get standing(): Standing | undefined {
		return this.#standing;
	}

	/** When `/ratelimiting` will be asked again, in milliseconds by this machine's clock. */
	get nextProbe(): number {
		return this.#nextProbe;
	}

	/** Whether it is being asked right now. */
	get isAsking(): boolean {
		return this.#asking;
	}

	/** Takes up a silence that was met before, or in another tab, and its end. */
	async load(): Promise<void> {
		const { shelf, endpoints } = this.#tools;
		const found = (await shelf.read('silences'))?.[endpoints.base_url] ?? null;
		// Where nothing was kept, nothing kept is no end of a silence.
		if (this.#writing > 0 || (found === null && this.#kept === 'null')) return;
		this.#kept = JSON.stringify(found);
		if (found === null) this.#close();
		else if (!this.#open) this.#hold('The service had fallen silent: holding all calls');
		this.#standing = found?.standing ?? undefined;
		this.#call();
	}

	/** An answer came, whatever it said. */
	heard(): void {
		this.#silences = 0;
	}

	/** No answer came. */
	silent(): void {
		this.#silences += 1;
		if (this.#open || this.#silences < threshold) return;
		this.#hold('Two calls without an answer: holding all calls');
		this.#plan();
		this.#keep();
		this.#call();
	}

	/** To be called every second or so: asks when it is time. */
	async tick(): Promise<void> {
		if (this.#open && !this.#asking && this.#tools.now() >= this.#nextProbe) await this.probe();
	}

	/** Asks `/ratelimiting` how this client stands, and closes when it is not blacklisted. */
	async probe(): Promise<void> {
		if (this.#asking) return;
		this.#asking = true;
		this.#call();
		try {
			const { endpoints, fetch } = this.#tools;
			const answer = await fetch(endpoints.ratelimiting, { headers: { accept: 'application/json' } });
			this.#standing = answer.ok ? standingOf(treeOfJson(await answer.text())) : undefined;
		} catch (thrown) {
			problemOf(thrown); // silence here too: the service is down, or the network is
			this.#standing = undefined;
		} finally {
			this.#asking = false;
		}
		if (this.#standing?.blacklisted === false) this.#close();
		else this.#plan();
		this.#keep();
		this.#call();
	}

	/** Listens to changes. Returns what ends it. */
	listen(changed: () => void): () => void {
		this.#listeners.add(changed);
		return () => this.#listeners.delete(changed);
	}

	/** Asks `/ratelimiting` at the next tick, unless that is planned for later. */
	#hold(what: string): void {
		const { journal, endpoints, now } = this.#tools;
		this.#open = true;
		this.#standing = undefined;
		this.#nextProbe = now();
		journal.tell({ kind: 'noticed', what, facts: [['asking', endpoints.ratelimiting]], section: '8.5' });
	}

	#close(): void {
		if (this.#open) {
			this.#tools.journal.tell({ kind: 'noticed', what: 'All is well again: calling on', section: '8.5' });
		}
		this.#open = false;
		this.#silences = 0;
		this.#tries = 0;
	}

	#plan(): void {
		const { now, jitter } = this.#tools;
		const pause = Math.min(longestPause, firstPause * 2 ** this.#tries) * (1 + jitter() / 4);
		this.#nextProbe = now() + pause;
		this.#tries += 1;
	}

	#keep(): void {
		const { shelf, bell, endpoints } = this.#tools;
		const silence = this.#open ? { standing: this.#standing ?? null } : null;
		if (this.#kept === JSON.stringify(silence)) return;
		this.#kept = JSON.stringify(silence);
		this.#writing += 1;
		shelf
			.update('silences', (kept) => keptFor(kept, endpoints.base_url, silence))
			.then(
				() => bell.ring(),
				() => (this.#kept = 'null') // without storage the page still works
			)
			.finally(() => (this.#writing -= 1));
	}

	#call(): void {
		for (const listener of this.#listeners) listener();
	}
}

/** Reads the answer of `/ratelimiting`, as far as it can be understood. */
function standingOf(tree: Tree | undefined): Standing | undefined {
	if (!hasFields(tree)) return undefined;
	const { state, reason } = tree;
	if (typeof state !== 'string') return undefined;
	return {
		blacklisted: state === 'blacklisted',
		state: plain(state),
		reason: typeof reason === 'string' ? plain(reason) : '',
		records: limitsOf(tree)
	};
}
