import type { Clock, ClockChange, UpcomingEvent } from '#api/control/clock.ts';
import type { ControlApi } from '#client/control-api/control-api.ts';
import { FormState } from '#client/control-api/form-state.svelte.ts';
import { Query } from '#client/control-api/query.svelte.ts';

/** How often the events are read while the page is visible, and how often the time changes, in milliseconds. */
const interval = 5000;
const tick = 250;
/** The events are not read more often than this after one was due, in milliseconds. */
const pause = 1000;

type ClockReading = {
	/** How far it is ahead of the real time, in milliseconds. */
	readonly offset: number;
	/** How far it is ahead of this machine's clock, in milliseconds. */
	readonly difference: number;
	/** Soonest first; undefined until they are read. */
	readonly events?: readonly UpcomingEvent[];
	/** At most so many events follow. */
	readonly more: number;
};

/** The clock of a sandbox, and the events that happen when its time passes. */
export class SandboxClock {
	/** The state of the requests that move the clock. */
	readonly form = new FormState();
	readonly query: Query<ClockReading>;
	readonly #api: ControlApi;
	readonly #onMoved: () => void;
	/** This machine's clock, as of the last tick. */
	#machine = $state(Date.now());
	/** This machine's clock when a read was last started. */
	#readAt = -Infinity;

	/** @param onMoved called after the clock was moved */
	constructor(api: ControlApi, clock: Clock, onMoved: () => void) {
		this.#api = api;
		this.#onMoved = onMoved;
		this.query = new Query((signal) => this.#read(signal), { interval });
		this.query.data = { ...differenceOf(clock), more: 0 };
	}

	/** The sandbox time, in milliseconds since 1970. */
	get now(): number {
		return this.#machine + (this.query.data?.difference ?? 0);
	}

	/** How far it is ahead of the real time, in milliseconds. */
	get offset(): number {
		return this.query.data?.offset ?? 0;
	}

	/** Soonest first; undefined until they are read. */
	get events(): readonly UpcomingEvent[] | undefined {
		return this.query.data?.events;
	}

	/** At most so many events follow. */
	get more(): number {
		return this.query.data?.more ?? 0;
	}

	/** Updates the time four times a second, and reads the events every five seconds and when one is due. Returns a function that stops it. */
	start(): () => void {
		const timer = setInterval(() => this.#tick(), tick);
		const stop = this.query.follow();
		return () => {
			clearInterval(timer);
			stop();
		};
	}

	move(change: ClockChange): Promise<void> {
		return this.#change(() => this.#api.request('POST /control/clock', { body: change }));
	}

	/** Moves the clock to just after an event. */
	jump(event: UpcomingEvent): Promise<void> {
		return this.move({ to: Math.ceil(event.at / 1000) });
	}

	/** Returns to the real time. */
	reset(): Promise<void> {
		return this.#change(() => this.#api.request('DELETE /control/clock'));
	}

	#tick(): void {
		this.#machine = Date.now();
		const isDue = (this.events?.[0]?.at ?? Infinity) <= this.now && this.#machine - this.#readAt > pause;
		if (isDue && document.visibilityState === 'visible' && !this.query.isLoading) void this.query.refresh();
	}

	async #read(signal: AbortSignal): Promise<ClockReading> {
		this.#readAt = Date.now();
		const [clock, { events, more }] = await Promise.all([
			this.#api.request('GET /control/clock', { signal }),
			this.#api.request('GET /control/events', { signal })
		]);
		return { ...differenceOf(clock), events, more };
	}

	async #change(send: () => Promise<Clock>): Promise<void> {
		if (this.form.isBusy) return;
		await this.form.run(async () => {
			const clock = await send();
			this.query.data = { more: 0, ...this.query.data, ...differenceOf(clock) };
			this.#onMoved();
			await this.query.refresh();
		});
	}
}

function differenceOf({ now, offset }: Clock): { offset: number; difference: number } {
	return { offset, difference: now - Date.now() };
}
