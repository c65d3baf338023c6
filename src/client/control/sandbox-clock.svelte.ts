import type { Clock, ClockChange, UpcomingEvent } from '#wire/control/clock.ts';
import type { ControlApi } from './control-api.ts';
import { ControlError } from './control-error.ts';

/** How often the events are read while the page is visible, and how often the time changes, in milliseconds. */
const interval = 5000;
const tick = 250;

/** The clock of a sandbox, and what it leads to next. */
export class SandboxClock {
	/** The sandbox time, in milliseconds since 1970. */
	now = $state(0);
	/** How far it is ahead of the real time, in milliseconds. */
	offset = $state(0);
	/** Soonest first; undefined until they are read. */
	events: readonly UpcomingEvent[] | undefined = $state.raw();
	/** At most so many events follow. */
	more = $state(0);
	isBusy = $state(false);
	error: ControlError | undefined = $state.raw();
	readonly #api: ControlApi;
	readonly #onMoved: () => void;
	/** What the sandbox time is ahead of this machine's clock. */
	#difference = 0;
	#readAt = -Infinity;

	/** @param onMoved called after the clock was moved */
	constructor(api: ControlApi, clock: Clock, onMoved: () => void) {
		this.#api = api;
		this.#onMoved = onMoved;
		this.#apply(clock);
	}

	/** Updates the time four times a second and the events every five seconds. Returns a function that stops it. */
	start(): () => void {
		const timer = setInterval(() => {
			this.now = Date.now() + this.#difference;
			const isDue = (this.events?.[0]?.at ?? Infinity) <= this.now && Date.now() - this.#readAt > 1000;
			if (document.visibilityState === 'visible' && (isDue || Date.now() - this.#readAt > interval))
				void this.refresh();
		}, tick);
		return () => clearInterval(timer);
	}

	/** Reads the clock and the events. */
	async refresh(): Promise<void> {
		this.#readAt = Date.now();
		await this.#run(async () => {
			const [clock, { events, more }] = await Promise.all([this.#api.clock(), this.#api.events()]);
			this.#apply(clock);
			[this.events, this.more] = [events, more];
		});
	}

	/** Moves the clock. */
	move(change: ClockChange): Promise<void> {
		return this.#change(() => this.#api.moveClock(change));
	}

	/** Moves the clock to just after an event. */
	jump(event: UpcomingEvent): Promise<void> {
		return this.move({ to: Math.ceil(event.at / 1000) });
	}

	/** Returns to the real time. */
	reset(): Promise<void> {
		return this.#change(() => this.#api.resetClock());
	}

	async #change(send: () => Promise<Clock>): Promise<void> {
		if (this.isBusy) return;
		this.isBusy = true;
		await this.#run(async () => {
			this.#apply(await send());
			this.#onMoved();
			await this.refresh();
		});
		this.isBusy = false;
	}

	async #run(send: () => Promise<void>): Promise<void> {
		try {
			await send();
			this.error = undefined;
		} catch (thrown) {
			if (!(thrown instanceof ControlError)) throw thrown;
			this.error = thrown;
		}
	}

	#apply({ now, offset }: Clock): void {
		this.#difference = now - Date.now();
		this.now = now;
		this.offset = offset;
	}
}
