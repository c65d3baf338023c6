import { Emitter } from '#client/emitter.ts';
import type { ClientEvent } from '#client/storage/tab-schema.ts';

/** An event before the log adds its number and time. */
export type NewEvent = Omit<ClientEvent, 'seq' | 'at' | 'fields'> & Partial<Pick<ClientEvent, 'fields'>>;

/** How many events are kept, and how many the page shows. The oldest are dropped. */
const capacity = 500;
const maxShown = 100;
/** Time between two updates of what the page shows, in milliseconds: gauges are painted first. */
const updateInterval = 200;

/** What the client has done, in readable form. Contains no secret. */
export class EventLog {
	/** The latest events as the page shows them, oldest first. */
	shown: readonly ClientEvent[] = $state.raw([]);
	/** Emits after events were added or completed, a few times per second at most. */
	readonly changed = new Emitter();
	readonly #now: () => number;
	#events: readonly ClientEvent[] = [];
	#seq = 0;
	#isUpdating = false;

	/** @param now the service's clock, in milliseconds since 1970 */
	constructor(now: () => number) {
		this.#now = now;
	}

	/** All events, oldest first. */
	get events(): readonly ClientEvent[] {
		return this.#events;
	}

	/** Adds an event. Returns a function that completes it, for example with the response to a request. */
	emit(event: NewEvent): (part: Partial<Omit<ClientEvent, 'seq'>>) => void {
		this.#seq += 1;
		const seq = this.#seq;
		this.#set([...this.#events, { fields: [], ...event, seq, at: this.#now() }]);
		return (part) => this.#set(this.#events.map((one) => (one.seq === seq ? { ...one, ...part } : one)));
	}

	/** Inserts the events of this tab from before a reload. */
	restore(events: readonly ClientEvent[]): void {
		this.#seq = events.at(-1)?.seq ?? 0;
		this.#set(events);
		this.#update();
	}

	/** Removes all events. Returns a function that inserts them again. */
	clear(): () => void {
		const cleared = this.#events;
		this.#events = [];
		this.#update();
		return () => {
			const known = new Set(this.#events.map(({ seq }) => seq));
			const missing = cleared.filter(({ seq }) => !known.has(seq));
			this.#set([...missing, ...this.#events].sort((one, other) => one.seq - other.seq));
			this.#update();
		};
	}

	#set(events: readonly ClientEvent[]): void {
		this.#events = events.slice(-capacity);
		if (this.#isUpdating) return;
		this.#isUpdating = true;
		setTimeout(() => this.#update(), updateInterval);
	}

	#update(): void {
		this.#isUpdating = false;
		this.shown = this.#events.slice(-maxShown);
		this.changed.emit();
	}
}
