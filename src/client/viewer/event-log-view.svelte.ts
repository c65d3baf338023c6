import type { ClientEvent } from '../storage/tab-schema.ts';
import type { EventLog } from './event-log.ts';

const maxShown = 100;
/** Time between two updates of the view, in milliseconds: gauges are painted first. */
const updateInterval = 200;

/** The event log as the page shows it. */
export class EventLogView {
	/** Oldest first. */
	events: readonly ClientEvent[] = $state.raw([]);
	isPaused = $state(false);
	/** Events that arrived during the pause. */
	pendingCount = $state(0);
	readonly #log: EventLog;
	#isUpdating = false;

	constructor(log: EventLog) {
		this.#log = log;
	}

	/** Follows the log. Returns a function that ends it. */
	start(): () => void {
		this.#update();
		return this.#log.subscribe(() => {
			if (this.isPaused) this.pendingCount += 1;
			else if (!this.#isUpdating) {
				this.#isUpdating = true;
				setTimeout(() => {
					this.#isUpdating = false;
					if (!this.isPaused) this.#update();
				}, updateInterval);
			}
		});
	}

	setPaused(isPaused: boolean): void {
		this.isPaused = isPaused;
		this.#update();
	}

	/** Clears the log. Returns a function that undoes it. */
	clear(): () => void {
		const undo = this.#log.clear();
		this.#update();
		return () => {
			undo();
			this.#update();
		};
	}

	#update(): void {
		this.pendingCount = 0;
		this.events = this.#log.events.slice(-maxShown);
	}
}
