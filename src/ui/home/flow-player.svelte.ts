import type { Message } from '../flow/messages.ts';
import type { BarrierState } from '../shell/barrier.svelte.ts';
import { limit, flowScript, type FlowStep } from './flow-script.ts';

/** Plays the flowScript of the front page: a state machine whose only input is “next”. */
export class FlowPlayer {
	/** How many moments have been position. */
	position = $state(0);
	#round = 0;

	readonly #past: readonly FlowStep[] = $derived(flowScript.slice(0, this.position));
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
	readonly durationMs: number = $derived(this.#past.at(-1)?.durationMs ?? 600);

	/** @param position where to begin: the picture that stands before anything moves */
	constructor(position: number) {
		this.position = position;
	}

	/** Tells the next moment; after the last one the flowScript begins anew. */
	next(): void {
		if (this.position < flowScript.length) {
			this.position += 1;
			return;
		}
		this.#round += 1;
		this.position = 1;
	}
}
