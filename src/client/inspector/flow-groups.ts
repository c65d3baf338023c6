import type { TrafficEntry } from '#wire/control/traffic.ts';
import { flowResult, type FlowResult } from './flow-result.ts';
import { placeEvents, type PlacedEvent } from './place-events.ts';
import type { SharedEvent } from '../storage/tab-events.ts';

/** A line of the timeline below the heading of its group. */
export type TimelineItem =
	{ readonly kind: 'exchange'; readonly entry: TrafficEntry } | { readonly kind: 'event'; readonly event: SharedEvent };

/** The exchanges of one flow, or those of one application or address that belong to none. */
export type FlowGroup = {
	/** Stable while the log grows. */
	readonly key: string;
	/** Absent for exchanges without a flow. */
	readonly flow: string | undefined;
	/** The application, or the address of an unknown one. */
	readonly name: string;
	readonly username: string | undefined;
	readonly scopes: readonly string[];
	/** Sandbox clock. */
	readonly start: number;
	/** Absent without a flow. */
	readonly result: FlowResult | undefined;
	readonly items: readonly TimelineItem[];
	/** How many of the items are exchanges. */
	readonly exchanges: number;
};

/** The endpoints that the user's browser opens. The client calls the others itself. */
const frontChannel = new Set(['auth', 'account', 'ratelimiting']);

/** Whether the browser of the user sent a request. Otherwise the client did. */
export function isFrontChannel({ endpoint }: TrafficEntry): boolean {
	return frontChannel.has(endpoint);
}

/** What was grouped before: a group that did not change is the same object again. */
export type GroupCache = Map<string, { readonly source: GroupSource; readonly group: FlowGroup }>;

type GroupSource = { readonly entries: readonly TrafficEntry[]; readonly events: readonly PlacedEvent[] };

/**
 * Groups exchanges by the ids that the service gave them, in the order of their start. Exchanges without a flow are grouped by
 * application or address. Their group ends where a flow begins, so that the newest ones stay at the end.
 * @param entries oldest first
 * @param events of our own clients
 * @param cache of earlier calls
 */
export function groupFlows(
	entries: readonly TrafficEntry[],
	events: readonly SharedEvent[] = [],
	cache: GroupCache = new Map()
): FlowGroup[] {
	const flows = new Map<string, TrafficEntry[]>();
	let others = new Map<string, TrafficEntry[]>();
	const all: TrafficEntry[][] = [];
	for (const entry of entries) {
		const { flow, client_id, address } = entry;
		const groups = flow === undefined ? others : flows;
		const key = flow ?? client_id ?? address;
		const group = groups.get(key);
		if (group !== undefined) {
			group.push(entry);
			continue;
		}
		const started = [entry];
		groups.set(key, started);
		all.push(started);
		if (flow !== undefined) others = new Map();
	}
	const placed = placeEvents(entries, events);
	const kept: GroupCache = new Map();
	const groups = all.map((group) => {
		const [first] = group;
		const key = first?.flow === undefined ? `from ${first?.seq}` : `flow ${first.flow}`;
		const source = { entries: group, events: placed.get(first?.flow ?? '') ?? [] };
		const known = cache.get(key);
		const result = known !== undefined && isSame(known.source, source) ? known.group : toGroup(key, source);
		kept.set(key, { source, group: result });
		return result;
	});
	cache.clear();
	for (const [key, value] of kept) cache.set(key, value);
	return groups;
}

/** A log only grows at its end and shrinks at its start. */
function isSame(one: GroupSource, other: GroupSource): boolean {
	return (
		one.entries.length === other.entries.length &&
		one.entries[0] === other.entries[0] &&
		one.entries.at(-1) === other.entries.at(-1) &&
		one.events.length === other.events.length &&
		one.events.every(({ event, after }, index) => {
			const counterpart = other.events[index];
			return event === counterpart?.event && after === counterpart.after;
		})
	);
}

function toGroup(key: string, { entries, events }: GroupSource): FlowGroup {
	const [first] = entries;
	const items: TimelineItem[] = [];
	let placed = 0;
	for (const entry of entries) {
		for (let next = events[placed]; next !== undefined && next.after < entry.seq; next = events[placed]) {
			items.push({ kind: 'event', event: next.event });
			placed++;
		}
		items.push({ kind: 'exchange', entry });
	}
	items.push(...events.slice(placed).map(({ event }) => ({ kind: 'event' as const, event })));
	return {
		key,
		flow: first?.flow,
		name: first?.client_id ?? first?.address ?? '',
		username: entries.findLast(({ username }) => username !== undefined)?.username,
		scopes: scopesOf(entries),
		start: first?.at ?? 0,
		result: first?.flow === undefined ? undefined : flowResult(entries),
		items,
		exchanges: entries.length
	};
}

/** The permissions that the user allowed. Before that, those that the application requested. */
function scopesOf(entries: readonly TrafficEntry[]): readonly string[] {
	for (const { credentials } of entries)
		for (const event of credentials) if (event.type === 'issued') return event.scopes;
	for (const { endpoint, request } of entries) {
		const mark = request.target.indexOf('?');
		if (endpoint !== 'auth' || mark < 0) continue;
		const scope = new URLSearchParams(request.target.slice(mark)).get('scope');
		if (scope !== null) return scope.split(' ').filter(Boolean);
	}
	return [];
}
