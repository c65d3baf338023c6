import type { Journal, Step } from '../events.ts';

const shown = 100;
/** Between two repaints, in milliseconds: the gauge goes first. */
const pace = 200;

/** The log of steps, newest last. Many steps of one moment become one repaint. */
export class Log {
	steps: readonly Step[] = $state.raw([]);
	paused = $state(false);
	/** Steps that came while it was paused. */
	missed = $state(0);
	readonly #journal: Journal;
	#due = false;

	constructor(journal: Journal) {
		this.#journal = journal;
	}

	/** Follows the journal. Returns what ends it. */
	follow(): () => void {
		this.#show();
		return this.#journal.listen(() => {
			if (this.paused) this.missed += 1;
			else if (!this.#due) {
				this.#due = true;
				setTimeout(() => this.#catchUp(), pace);
			}
		});
	}

	/** Stops showing new steps, or catches up. */
	pause(paused: boolean): void {
		this.paused = paused;
		this.#show();
	}

	/** Forgets the steps so far. Returns what brings them back. */
	clear(): () => void {
		const bringBack = this.#journal.clear();
		this.#show();
		return () => {
			bringBack();
			this.#show();
		};
	}

	#catchUp(): void {
		this.#due = false;
		if (!this.paused) this.#show();
	}

	#show(): void {
		this.missed = 0;
		this.steps = this.#journal.steps.slice(-shown);
	}
}
