import type { TrafficEntry } from '#api/control/traffic.ts';
import { changeOf } from './list-change.ts';
import { EventPlaces, type PlacedEvent } from './place-events.ts';
import type { SharedEvent } from '#client/storage/tab-state.svelte.ts';
import { describeOutcome, errorCodeOf } from '#evidence/describe-exchange.ts';

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
	readonly #resource: string;

	/** @param resource what the world calls its resource: `character` */
	constructor(resource = 'resource') {
		this.#resource = resource;
	}

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
		const draft = known ?? new FlowDraft(entry, this.#resource);
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
 * @param resource what the world calls its resource
 */
export function groupFlows(
	entries: readonly TrafficEntry[],
	events: readonly SharedEvent[] = [],
	resource?: string
): FlowGroup[] {
	return new FlowGroups(resource).update(entries, events);
}

/** A group that grows. What its heading shows is computed from each exchange once. */
class FlowDraft {
	readonly #key: string;
	readonly #first: TrafficEntry;
	readonly #resource: string;
	#exchanges: (TimelineItem & { kind: 'exchange' })[] = [];
	#events: readonly PlacedEvent[] = [];
	#username: string | undefined;
	#requested: readonly string[] | undefined;
	#issued: readonly string[] | undefined;
	#result: FlowResult = pendingFlow;
	#group: FlowGroup | undefined;

	constructor(first: TrafficEntry, resource: string) {
		this.#resource = resource;
		this.#key = first.flow === undefined ? `from ${first.seq}` : `flow ${first.flow}`;
		this.#first = first;
	}

	get isEmpty(): boolean {
		return this.#exchanges.length === 0;
	}

	add(entry: TrafficEntry): void {
		this.#exchanges.push({ kind: 'exchange', entry });
		this.#username = entry.username ?? this.#username;
		this.#issued ??= issuedScopes(entry);
		this.#requested ??= requestedScopes(entry);
		this.#result = nextResult(this.#result, entry, this.#resource);
		this.#group = undefined;
	}

	/** Removes the oldest exchanges. */
	drop(count: number): void {
		this.#exchanges.splice(0, count);
		this.#group = undefined;
	}

	/** Sets the events of our own clients, in order. */
	setEvents(events: readonly PlacedEvent[]): void {
		const isSame = ({ event, after, values }: PlacedEvent, index: number) => {
			const known = this.#events[index];
			return event === known?.event && after === known.after && values.length === known.values.length;
		};
		if (events.length === this.#events.length && events.every(isSame)) return;
		this.#events = events;
		this.#group = undefined;
	}

	/** The current group: the same object until something changes. */
	get group(): FlowGroup {
		const { flow, client_id, address, at } = this.#first;
		return (this.#group ??= {
			key: this.#key,
			flow,
			client_id,
			address,
			username: this.#username,
			// The permissions that the user allowed. Before that, those that the application requested.
			scopes: this.#issued ?? this.#requested ?? [],
			start: at,
			// The latest exchanges end last.
			end: Math.max(at, ...this.#exchanges.slice(-20).map(({ entry }) => entry.at + entry.duration)),
			result: flow === undefined ? undefined : this.#result,
			items: this.#events.length === 0 ? this.#exchanges.slice() : merge(this.#exchanges, this.#events),
			exchanges: this.#exchanges.length
		});
	}
}

function merge(
	exchanges: readonly (TimelineItem & { kind: 'exchange' })[],
	events: readonly PlacedEvent[]
): TimelineItem[] {
	const items: TimelineItem[] = [];
	let placed = 0;
	for (const exchange of exchanges) {
		for (let next = events[placed]; next !== undefined && next.after < exchange.entry.seq; next = events[placed]) {
			items.push({ kind: 'event', ...next });
			placed++;
		}
		items.push(exchange);
	}
	return [...items, ...events.slice(placed).map((one) => ({ kind: 'event' as const, ...one }))];
}

function issuedScopes({ credentials }: TrafficEntry): readonly string[] | undefined {
	return credentials.find((event) => event.type === 'issued')?.scopes;
}

function requestedScopes({ endpoint, request }: TrafficEntry): readonly string[] | undefined {
	const mark = request.target.indexOf('?');
	if (endpoint !== 'auth' || mark < 0) return undefined;
	return new URLSearchParams(request.target.slice(mark)).get('scope')?.split(' ').filter(Boolean);
}

/** A line of the timeline below the heading of its group. */
export type TimelineItem =
	| { readonly kind: 'exchange'; readonly entry: TrafficEntry }
	| ({ readonly kind: 'event' } & Pick<PlacedEvent, 'event' | 'values'>);

/** The exchanges of one flow, or those of one application or address that belong to none. */
export type FlowGroup = {
	/** Stable while the log grows. */
	readonly key: string;
	/** Absent for exchanges without a flow. */
	readonly flow: string | undefined;
	/** Undefined for an unknown application. */
	readonly client_id: string | undefined;
	/** That the first exchange counts for. */
	readonly address: string;
	readonly username: string | undefined;
	readonly scopes: readonly string[];
	/** Sandbox clock. */
	readonly start: number;
	/** When the last exchange ended, on the sandbox clock. */
	readonly end: number;
	/** Absent without a flow. */
	readonly result: FlowResult | undefined;
	readonly items: readonly TimelineItem[];
	/** How many of the items are exchanges. */
	readonly exchanges: number;
};

/** How far a flow got. */
export type FlowResult = {
	readonly kind: 'pending' | 'signed_in' | 'denied' | 'failed' | 'ended';
	/** For readers: `invalid_grant · code used twice`. */
	readonly label: string;
};

const endings = {
	replayed: 'Access ended: code used twice',
	failed_exchange: 'Access ended: failed exchange',
	expired: 'Access ended: expired',
	revoked: 'Access revoked'
};

export const pendingFlow: FlowResult = { kind: 'pending', label: 'In progress' };

/**
 * The result of a flow after one more exchange.
 * @param result before it
 */
function nextResult(result: FlowResult, entry: TrafficEntry, resource: string): FlowResult {
	let next = result;
	for (const event of entry.credentials) {
		if (event.type === 'issued' && event.kind === 'access_token') next = { kind: 'signed_in', label: 'Signed in' };
		if (event.type === 'ended' && (event.kind === 'grant' || event.kind === 'family') && event.reason !== 'exchanged')
			next = { kind: 'ended', label: endings[event.reason] };
	}
	// A failed request of a user who is signed in does not end the flow.
	if (next.kind === 'signed_in' || next.kind === 'ended') return next;
	const { kind, text } = describeOutcome(entry, resource);
	if (errorCodeOf(entry) === 'access_denied') return { kind: 'denied', label: 'Denied' };
	if (kind !== 'accepted') return { kind: 'failed', label: text };
	// After a wrong password, the user goes on.
	return next.kind === 'failed' && entry.endpoint === 'auth' ? pendingFlow : next;
}
