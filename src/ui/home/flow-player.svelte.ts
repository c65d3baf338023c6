import type { Message } from '../flow/messages.ts';
import type { BarrierState } from '../shell/barrier.svelte.ts';
import { limit, story, type Moment } from './flow-script.ts';

/** Plays the story of the front page: a state machine whose only input is “next”. */
export class Miniature {
	/** How many moments have been told. */
	told = $state(0);
	#round = 0;

	readonly #past: readonly Moment[] = $derived(story.slice(0, this.told));
	readonly messages: readonly Message[] = $derived(
		this.#past.map((moment, index) => ({ ...moment.message, id: `${this.#round}-${index}` }))
	);
	/** What was left after each call, oldest first. */
	readonly history: readonly number[] = $derived([limit, ...this.#past.flatMap(({ remaining }) => remaining ?? [])]);
	readonly remaining: number = $derived(this.history.at(-1) ?? limit);
	readonly barrier: BarrierState = $derived.by(() => {
		const status = this.#past.findLast((moment) => moment.status !== undefined)?.status;
		if (status === undefined) return 'idle';
		return status < 400 ? 'open' : 'closed';
	});
	/** The checks behind the newest answer. */
	readonly checks = $derived(this.#past.findLast((moment) => moment.checks !== undefined)?.checks ?? []);
	/** How long the present moment stands, in milliseconds. */
	readonly hold: number = $derived(this.#past.at(-1)?.hold ?? 600);

	/** @param told where to begin: the picture that stands before anything moves */
	constructor(told: number) {
		this.told = told;
	}

	/** Tells the next moment; after the last one the story begins anew. */
	next(): void {
		if (this.told < story.length) {
			this.told += 1;
			return;
		}
		this.#round += 1;
		this.told = 1;
	}
}
