import { type Fleet, fleetSteps } from '../engine/fleet.ts';
import { type ShownRun, shownRun } from '../engine/fleet-figures.ts';

/** As long as the page computes before it does other work, in milliseconds. */
const slice = 10;

/** The runs of a view: a fleet, and one that it is compared with. */
export class FleetRuns {
	/** Those that were computed last. Reactive. */
	shown: readonly ShownRun[] = $state.raw([]);
	/** When the first of them sends its requests. Reactive. */
	times: readonly number[] = $state.raw([]);
	isBusy = $state(false);
	#turn = 0;

	/** Computes other runs in place of those in progress. */
	async compute(fleets: readonly Fleet[]): Promise<void> {
		const turn = ++this.#turn;
		this.isBusy = true;
		const runs: ShownRun[] = [];
		for (const fleet of fleets) {
			const steps = fleetSteps(fleet);
			let until = performance.now() + slice;
			let step = steps.next();
			while (!step.done) {
				if (performance.now() >= until) {
					await nextTask();
					if (turn !== this.#turn) return;
					until = performance.now() + slice;
				}
				step = steps.next();
			}
			await nextTask();
			runs.push(shownRun(step.value));
		}
		await nextTask();
		const times = runs[0]?.result.requests.map(({ at }) => at) ?? [];
		await nextTask();
		if (turn !== this.#turn) return;
		this.times = times;
		this.shown = runs;
		this.isBusy = false;
	}
}

const nextTask = () => new Promise<void>((resolve) => setTimeout(resolve));
