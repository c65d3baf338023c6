import type { FleetWave } from '#api/control/class-fleet.ts';
import { fleetOfWave } from '../../limits/engine/class-wave.ts';
import type { ShownRun } from '../../limits/engine/fleet-figures.ts';
import { runTime } from '../../limits/engine/fleet-finding.ts';
import { timeAxis, type TimeAxis } from '../../limits/engine/time-axis.ts';
import { FleetRuns } from '../../limits/fleet/fleet-run.svelte.ts';
import { Playback } from '../../limits/playback.svelte.ts';

/** The wave that a page shows. One that starts while the page is open plays, an earlier one is shown whole. */
export class WaveRun {
	readonly playback = new Playback();
	readonly #runs = new FleetRuns();
	#started: number | null | undefined;

	/** The wave as it was computed last. Undefined: none. Reactive. */
	get run(): ShownRun | undefined {
		return this.#runs.shown[0];
	}

	get isBusy(): boolean {
		return this.#runs.isBusy;
	}

	/** The time of the charts. Undefined: all of it. Reactive. */
	get now(): number | undefined {
		const { now, end } = this.playback;
		return now < end ? now : undefined;
	}

	/**
	 * Shows a wave. `null`: there is none.
	 * @param steps of the axis of time that have room
	 */
	async show(wave: FleetWave | null, steps: number): Promise<void> {
		const before = this.#started;
		this.#started = wave?.started ?? null;
		if (before === this.#started) return;
		await this.#runs.compute(wave === null ? [] : [fleetOfWave(wave)]);
		if (this.run === undefined) return;
		const { requests, resets } = this.run.result;
		this.playback.requests = requests.map(({ at }) => at);
		this.playback.resets = resets;
		this.playback.end = this.axis(steps).end;
		this.playback.jump(before === undefined ? this.playback.end : 0);
		if (before !== undefined) this.playback.run();
	}

	/** The axis of time. */
	axis(steps: number): TimeAxis {
		return timeAxis(
			Math.max(this.run?.result.requests.at(-1)?.at ?? 0, this.run?.figures.lastDone ?? 0),
			steps,
			runTime
		);
	}
}
