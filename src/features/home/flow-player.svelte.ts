import type { Message } from '#ui/flow/messages.ts';
import type { BarrierState } from '#ui/flow/barrier.svelte.ts';
import type { FlowResult, FlowStep } from './flow-script.ts';

/** How long an arrow is shown before the next one, and the last one of a flow, in milliseconds. */
const stepTime = 600;
const lastTime = 4200;

/** Plays flows step by step, in an endless loop. At first, the first one is complete. */
export class FlowPlayer {
	readonly #flows: readonly (readonly FlowStep[])[];
	/** Number of flows that began. */
	#round = $state(0);
	/** Number of steps shown. */
	position = $state(0);
	readonly #flow: readonly FlowStep[] = $derived.by(() => this.#flows[this.#round % this.#flows.length] ?? []);
	readonly #past: readonly FlowStep[] = $derived(this.#flow.slice(0, this.position));
	readonly length: number = $derived(this.#flow.length);
	readonly messages: readonly Message[] = $derived(
		this.#past.map((step, index) => ({ ...step.message, id: `${this.#round}-${index}` }))
	);
	/** Of the latest request with a response. */
	readonly result: FlowResult | undefined = $derived(this.#past.findLast(({ result }) => result)?.result);
	readonly barrier: BarrierState = $derived(
		this.result === undefined ? 'idle' : this.result.status < 400 ? 'open' : 'closed'
	);

	/** @param flows `createFlows` */
	constructor(flows: readonly (readonly FlowStep[])[]) {
		this.#flows = flows;
		this.position = flows[0]?.length ?? 0;
	}

	/** How long to show the current step, in milliseconds. It reads the step, so an effect that uses it runs again for each step. */
	get durationMs(): number {
		return this.position < this.length ? stepTime : lastTime;
	}

	/** Shows the next step. After the last one of a flow, the next flow begins. */
	next(): void {
		if (this.position === this.length) {
			this.#round += 1;
			this.position = 1;
		} else this.position += 1;
	}
}
