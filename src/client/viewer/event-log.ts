import { Emitter } from '../emitter.ts';
import type { ClientEvent } from '../storage/tab-schema.ts';

/** An event before the log adds its number and time. */
export type NewEvent = Pick<ClientEvent, 'kind' | 'message'> &
	Partial<Pick<ClientEvent, 'fields' | 'section' | 'http'>>;

/** What the client has done, in readable form. Contains no secret. */
export class EventLog {
	readonly #now: () => number;
	readonly #capacity: number;
	readonly #added = new Emitter<ClientEvent>();
	#events: readonly ClientEvent[] = [];
	#seq = 0;

	/**
	 * @param now this machine's clock, in milliseconds since 1970
	 * @param capacity how many events are kept; the oldest are dropped
	 */
	constructor(now: () => number, capacity = 500) {
		this.#now = now;
		this.#capacity = capacity;
	}

	/** Oldest first. */
	get events(): readonly ClientEvent[] {
		return this.#events;
	}

	emit(event: NewEvent): void {
		this.#seq += 1;
		const added: ClientEvent = { fields: [], ...event, seq: this.#seq, at: this.#now() };
		this.#set([...this.#events, added]);
		this.#added.emit(added);
	}

	/** Calls the listener for each new event. Returns a function that ends the subscription. */
	subscribe(listener: (event: ClientEvent) => void): () => void {
		return this.#added.subscribe(listener);
	}

	/** Inserts the events of this tab from before a reload. */
	restore(events: readonly ClientEvent[]): void {
		const last = events.at(-1)?.seq ?? 0;
		this.#set([...events, ...this.#events.map((event) => ({ ...event, seq: event.seq + last }))]);
		this.#seq += last;
	}

	/** Removes all events. Returns a function that inserts them again. */
	clear(): () => void {
		const cleared = this.#events;
		this.#events = [];
		return () => {
			const known = new Set(this.#events.map(({ seq }) => seq));
			const missing = cleared.filter(({ seq }) => !known.has(seq));
			this.#set([...missing, ...this.#events].sort((one, other) => one.seq - other.seq));
		};
	}

	#set(events: readonly ClientEvent[]): void {
		this.#events = events.slice(-this.#capacity);
	}
}
