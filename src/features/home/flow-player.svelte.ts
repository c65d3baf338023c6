import type { Message } from '#ui/flow/messages.ts';
import type { BarrierState } from '#ui/flow/barrier.svelte.ts';
import { limit, type FlowStep } from './flow-script.ts';

/** Plays the flow script step by step, in an endless loop. */
export class FlowPlayer {
	/** Number of steps shown. */
	position = $state(0);
	#round = 0;

	readonly #script: readonly FlowStep[];
	readonly #past: readonly FlowStep[] = $derived.by(() => this.#script.slice(0, this.position));
	readonly messages: readonly Message[] = $derived(
		this.#past.map((step, index) => ({ ...step.message, id: `${this.#round}-${index}` }))
	);
	/** Remaining requests after each request, oldest first. */
	readonly history: readonly number[] = $derived([limit, ...this.#past.flatMap(({ remaining }) => remaining ?? [])]);
	readonly remaining: number = $derived(this.history.at(-1) ?? limit);
	readonly barrier: BarrierState = $derived.by(() => {
		const status = this.#past.findLast((step) => step.status !== undefined)?.status;
		if (status === undefined) return 'idle';
		return status < 400 ? 'open' : 'closed';
	});
	/** Checks of the latest response. */
	readonly checks = $derived(this.#past.findLast((step) => step.checks !== undefined)?.checks ?? []);
	/** How long to show the current step, in milliseconds. */
	readonly durationMs: number = $derived(this.#past.at(-1)?.durationMs ?? 600);

	/**
	 * @param script `createFlowScript`
	 * @param position number of steps to show at the start
	 */
	constructor(script: readonly FlowStep[], position: number) {
		this.#script = script;
		this.position = position;
	}

	/** Shows the next step. After the last one it starts again. */
	next(): void {
		if (this.position < this.#script.length) {
			this.position += 1;
			return;
		}
		this.#round += 1;
		this.position = 1;
	}
}
