import type { TrafficEntry } from '#api/control/traffic.ts';
import { FlowDraft } from './flow-draft.ts';
import type { FlowGroup } from './flow-group.ts';
import { changeOf } from './list-change.ts';
import { EventPlaces } from './place-events.ts';
import type { SharedEvent } from '#client/storage/tab-events.ts';

/** The endpoints that the user's browser opens. The client calls the others itself. */
const frontChannel = new Set(['auth', 'account', 'ratelimiting']);

/** Whether the browser of the user sent a request. Otherwise the client did. */
export function isFrontChannel({ endpoint }: TrafficEntry): boolean {
	return frontChannel.has(endpoint);
}

/**
 * Groups exchanges by the ids that the service gave them, in the order of their start. Exchanges without a flow are grouped by
 * application or address. Their group ends where a flow begins, so that the newest ones stay at the end.
 */
export class FlowGroups {
	#entries: readonly TrafficEntry[] = [];
	#events: readonly SharedEvent[] = [];
	readonly #drafts = new Map<TrafficEntry, FlowDraft>();
	/** In the order of their start. */
	readonly #all = new Set<FlowDraft>();
	readonly #flows = new Map<string, FlowDraft>();
	/** By application or address, since the latest flow began. */
	readonly #others = new Map<string, FlowDraft>();
	readonly #places = new EventPlaces();

	/**
	 * The groups of a growing log. An entry that arrives changes its own group only. The others stay the same objects.
	 * @param entries oldest first
	 * @param events of our own clients
	 */
	update(entries: readonly TrafficEntry[], events: readonly SharedEvent[] = []): FlowGroup[] {
		const change = changeOf(this.#entries, entries) ?? { dropped: this.#entries, added: entries };
		this.#entries = entries;
		this.#drop(change.dropped);
		for (const entry of change.added) this.#add(entry);
		if (events.length + this.#events.length > 0) {
			const placed = this.#places.place(events);
			for (const [flow, draft] of this.#flows) draft.setEvents(placed.get(flow) ?? []);
			this.#events = events;
		}
		return Array.from(this.#all, (draft) => draft.group);
	}

	#add(entry: TrafficEntry): void {
		const { flow, client_id, address } = entry;
		const groups = flow === undefined ? this.#others : this.#flows;
		const key = flow ?? client_id ?? address;
		const known = groups.get(key);
		const draft = known ?? new FlowDraft(entry);
		if (known === undefined) {
			if (flow !== undefined) this.#others.clear();
			groups.set(key, draft);
			this.#all.add(draft);
		}
		draft.add(entry);
		this.#drafts.set(entry, draft);
		this.#places.add(entry);
	}

	#drop(entries: readonly TrafficEntry[]): void {
		const counts = new Map<FlowDraft, number>();
		for (const entry of entries) {
			const draft = this.#drafts.get(entry);
			if (draft !== undefined) counts.set(draft, (counts.get(draft) ?? 0) + 1);
			this.#drafts.delete(entry);
			this.#places.drop(entry);
		}
		for (const [draft, count] of counts) draft.drop(count);
		for (const { flow, client_id, address } of entries) {
			const groups = flow === undefined ? this.#others : this.#flows;
			const key = flow ?? client_id ?? address;
			if (groups.get(key)?.isEmpty === true) groups.delete(key);
		}
		for (const draft of counts.keys()) if (draft.isEmpty) this.#all.delete(draft);
	}
}

/**
 * The groups of one log.
 * @param entries oldest first
 * @param events of our own clients
 */
export function groupFlows(entries: readonly TrafficEntry[], events: readonly SharedEvent[] = []): FlowGroup[] {
	return new FlowGroups().update(entries, events);
}
