import type { Endpoints } from '../endpoints.ts';
import type { Journal } from '../events.ts';
import { plain, problemOf } from '../problems.ts';
import { limitsOf, type LimitRecord } from '../resources/ratelimits.ts';
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
 * (section 8.5). Closes again once that says that all is well.
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

	constructor(tools: BreakerTools) {
		this.#tools = tools;
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

	/** An answer came, whatever it said. */
	heard(): void {
		this.#silences = 0;
	}

	/** No answer came. */
	silent(): void {
		this.#silences += 1;
		if (this.#open || this.#silences < threshold) return;
		this.#open = true;
		this.#standing = undefined;
		this.#plan();
		const { journal, endpoints } = this.#tools;
		journal.tell({
			kind: 'noticed',
			what: 'Two calls without an answer: holding all calls',
			facts: [['asking', endpoints.ratelimiting]],
			section: '8.5'
		});
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
		this.#call();
	}

	/** Listens to changes. Returns what ends it. */
	listen(changed: () => void): () => void {
		this.#listeners.add(changed);
		return () => this.#listeners.delete(changed);
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
