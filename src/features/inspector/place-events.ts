import type { TrafficEntry, TrafficValue } from '#api/control/traffic.ts';
import {
	eventChannel,
	type EventMessage,
	readStoredEvents,
	type SharedEvent
} from '#client/storage/tab-state.svelte.ts';
import type { TextStorage } from '#client/storage/web-storage.ts';
import type { Inspector } from './inspector.svelte.ts';

/** An event of our own client, and what the log knows about it. */
export type PlacedEvent = {
	/** The number of the exchange that it follows. */
	readonly after: number;
	readonly event: SharedEvent;
	/** The values that it is about, with the labels of the service. */
	readonly values: readonly TrafficValue[];
};

/** These events come before the exchange that first carries their values. */
const before = new Set(['authorization_started']);

type Use = { readonly seq: number; readonly flow: string };
type ValueUse = Use & { readonly value: TrafficValue };

/**
 * Finds the flows that the events of our own clients belong to, and their places between the exchanges. Values and request ids
 * decide this, never the time: the clock of a sandbox can be moved.
 */
export class EventPlaces {
	/** Where each value occurs, by its preview. Oldest first. */
	readonly #uses = new Map<string, ValueUse[]>();
	readonly #requests = new Map<string, Use>();

	/** Adds an exchange to the log. */
	add({ id, seq, flow, values }: TrafficEntry): void {
		if (flow === undefined) return;
		const use = { seq, flow };
		this.#requests.set(id, use);
		for (const value of values) {
			const { preview } = value;
			if (preview === '') continue;
			const uses = this.#uses.get(preview);
			if (uses === undefined) this.#uses.set(preview, [{ ...use, value }]);
			else if (uses.at(-1)?.seq !== seq) uses.push({ ...use, value });
		}
	}

	/** Removes an exchange from the log. */
	drop({ id, seq, values }: TrafficEntry): void {
		this.#requests.delete(id);
		for (const { preview } of values) {
			const uses = this.#uses.get(preview);
			if (uses?.[0]?.seq === seq) uses.shift();
			if (uses?.length === 0) this.#uses.delete(preview);
		}
	}

	/**
	 * The places of these events.
	 * @returns by flow, in order
	 */
	place(events: readonly SharedEvent[]): ReadonlyMap<string, readonly PlacedEvent[]> {
		const placed = new Map<string, PlacedEvent[]>();
		// The exchange of its tab that each flow has reached. Events of a tab are in order.
		const reached = new Map<string, number>();
		for (const event of events) {
			const request = event.requestId === undefined ? undefined : this.#requests.get(event.requestId);
			const uses = (event.previews ?? [])
				.map((preview) => this.#uses.get(preview)?.[0])
				.filter((use) => use !== undefined);
			const flow = request?.flow ?? uses[0]?.flow;
			if (flow === undefined) continue;
			const tab = `${event.source}\n${flow}`;
			const own = uses.filter((use) => use.flow === flow);
			const known = Math.max(0, ...own.map(({ seq }) => seq));
			const place = event.type !== undefined && before.has(event.type) ? known - 1 : known;
			const after = Math.max(request?.seq ?? place, reached.get(tab) ?? 0);
			reached.set(tab, after);
			// A request is an exchange, which the timeline shows itself.
			if (event.kind === 'request') continue;
			const list = placed.get(flow) ?? [];
			list.push({ after, event, values: own.map(({ value }) => value) });
			placed.set(flow, list);
		}
		for (const list of placed.values()) list.sort((one, other) => one.after - other.after);
		return placed;
	}
}

/**
 * The events of one log, by flow, in order.
 * @param entries oldest first
 */
export function placeEvents(
	entries: readonly TrafficEntry[],
	events: readonly SharedEvent[]
): ReadonlyMap<string, readonly PlacedEvent[]> {
	const places = new EventPlaces();
	for (const entry of entries) places.add(entry);
	return places.place(events);
}

/** How many events of each tab are kept. The oldest are dropped. */
const maxEvents = 500;

/**
 * Collects the events of our own clients in this browser: those that this tab has stored, and those of all open tabs.
 * @param storage of this tab
 * @param path that the app is served from, without a trailing slash
 * @returns stops
 */
export function followClientEvents(
	inspector: Pick<Inspector, 'events'>,
	storage: () => TextStorage,
	baseUrl: string,
	path: string
): () => void {
	const bySource = new Map<string, Map<number, SharedEvent>>();
	const add = (events: readonly SharedEvent[]) => {
		for (const event of events) {
			const known = bySource.get(event.source) ?? new Map<number, SharedEvent>();
			known.set(event.seq, event);
			const [oldest] = known.keys();
			if (known.size > maxEvents && oldest !== undefined) known.delete(oldest);
			bySource.set(event.source, known);
		}
		inspector.events = [...bySource.values()].flatMap((known) =>
			[...known.values()].sort((one, other) => one.seq - other.seq)
		);
	};
	const channel = eventChannel(baseUrl);
	channel.addEventListener('message', ({ data }: MessageEvent<EventMessage>) => add(data.events ?? []));
	channel.postMessage({} satisfies EventMessage);
	try {
		add(readStoredEvents(storage(), baseUrl, path));
	} catch {
		// Storage is blocked: the events of open pages still arrive.
	}
	return () => channel.close();
}
