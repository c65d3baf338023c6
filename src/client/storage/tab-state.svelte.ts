import * as v from 'valibot';
import {
	type ClientEvent,
	eventsSchema,
	type sharedEventSchema,
	type StoredTabState,
	tabStateSchema
} from './tab-schema.ts';
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

/** Prefixes of the keys in the storage of a tab, by client. The path that the app is served from follows. */
export const clientNamespaces = { viewer: 'tollgate-viewer', companion: 'tollgate-companion' } as const;

/** An event of a client of this browser, without its messages. */
export type SharedEvent = Readonly<v.InferOutput<typeof sharedEventSchema>>;

/** What a tab sends to the others: its events, or without a source the request to send them. */
export type EventMessage = { readonly source?: string; readonly events?: readonly SharedEvent[] };

/** The channel between the clients and the inspectors of one service. */
export function eventChannel(baseUrl: string): BroadcastChannel {
	return new BroadcastChannel(`tollgate-client-events ${baseUrl}`);
}

/** Names a client in a tab. It contains only a part of the tab's secret id. */
export function eventSource(namespace: string, browserSession: string): string {
	return `${namespace} ${browserSession.slice(0, 8)}`;
}

/** Removes the messages, which are long. The inspector has those of the service. */
export function toSharedEvent(event: ClientEvent, source: string): SharedEvent {
	const { request: _request, response: _response, ...shared } = event;
	return { ...shared, source };
}

/**
 * The events that the clients of this tab stored before the page was loaded.
 * @param path that the app is served from, without a trailing slash
 */
export function readStoredEvents(storage: TextStorage, baseUrl: string, path: string): SharedEvent[] {
	return Object.values(clientNamespaces).flatMap((client) => {
		const namespace = client + path;
		const tab = storage.getItem(`${namespace} tab`);
		if (tab === null) return [];
		const events = new TabState(storage, `${namespace} ${baseUrl}`).readEvents();
		return events.map((event) => toSharedEvent(event, eventSource(namespace, tab)));
	});
}
