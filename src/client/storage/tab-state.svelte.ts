import * as v from 'valibot';
import { eventsSchema, tabStateSchema, type ClientEvent, type StoredTabState } from './tab-schema.ts';
import { storedJson, storeText, type TextStorage } from './web-storage.ts';

/** Limits of what is stored: a tab has about 5 million characters for all services. */
const maxResponseLength = 65_536;
const maxEvents = 200;
const maxEventCharacters = 100_000;

/** What one tab shows for one service. It survives a reload. Without storage the page still works. */
export class TabState {
	readonly #storage: TextStorage;
	readonly #key: string;
	#value: StoredTabState = $state.raw(v.parse(tabStateSchema, {}));

	/** @param key of this app at this service */
	constructor(storage: TextStorage, key: string) {
		this.#storage = storage;
		this.#key = key;
		const stored = v.safeParse(tabStateSchema, this.#read(this.#key));
		if (stored.success) this.#value = stored.output;
	}

	get value(): StoredTabState {
		return this.#value;
	}

	/** Replaces some of the state. A very long response is not stored. */
	set(part: Partial<StoredTabState>): void {
		const { lastLookup } = part;
		const isTooLong = lastLookup?.response && lastLookup.response.text.length > maxResponseLength;
		const shortened = isTooLong ? { lastLookup: { ...lastLookup, response: null } } : {};
		this.#value = { ...this.#value, ...part, ...shortened };
		this.#write(this.#key, this.#value);
	}

	/** The event log of this tab, before the reload. */
	readEvents(): readonly ClientEvent[] {
		return v.parse(eventsSchema, this.#read(`${this.#key} events`));
	}

	/** Stores the end of the event log. */
	writeEvents(events: readonly ClientEvent[]): void {
		const latest = events.slice(-maxEvents);
		let space = maxEventCharacters;
		const from = latest.findLastIndex((event) => (space -= JSON.stringify(event).length) < 0) + 1;
		this.#write(`${this.#key} events`, latest.slice(from));
	}

	#read(key: string): unknown {
		return storedJson(key, () => this.#storage);
	}

	#write(key: string, value: unknown): void {
		storeText(key, JSON.stringify(value), () => this.#storage);
	}
}
