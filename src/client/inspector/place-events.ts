import type { TrafficEntry } from '#wire/control/traffic.ts';
import type { SharedEvent } from '../storage/tab-events.ts';

/** An event and the number of the exchange that it follows. */
export type PlacedEvent = { readonly after: number; readonly event: SharedEvent };

/** These events come before the exchange that first carries their values. */
const before = new Set(['authorization_started']);

/**
 * Finds the flows that the events of our own clients belong to, and their places between the exchanges. Values and request ids
 * decide this, never the time: the clock of a sandbox can be moved.
 * @returns by flow, in order
 */
export function placeEvents(
	entries: readonly TrafficEntry[],
	events: readonly SharedEvent[]
): ReadonlyMap<string, readonly PlacedEvent[]> {
	const placed = new Map<string, PlacedEvent[]>();
	if (events.length === 0) return placed;
	const { firstUse, requests } = indexEntries(entries, events);
	// The exchange of its tab that each flow has reached. Events of a tab are in order.
	const reached = new Map<string, number>();
	for (const event of events) {
		const request = event.requestId === undefined ? undefined : requests.get(event.requestId);
		const uses = (event.previews ?? []).map((preview) => firstUse.get(preview)).filter((use) => use !== undefined);
		const flow = request?.flow ?? uses[0]?.flow;
		if (flow === undefined) continue;
		const tab = `${event.source}\n${flow}`;
		const known = Math.max(0, ...uses.filter((use) => use.flow === flow).map(({ seq }) => seq));
		const own = event.type !== undefined && before.has(event.type) ? known - 1 : known;
		const after = Math.max(request?.seq ?? own, reached.get(tab) ?? 0);
		reached.set(tab, after);
		// A request is an exchange, which the timeline shows itself.
		if (event.kind === 'request') continue;
		const list = placed.get(flow) ?? [];
		list.push({ after, event });
		placed.set(flow, list);
	}
	for (const list of placed.values()) list.sort((one, other) => one.after - other.after);
	return placed;
}

type Use = { readonly seq: number; readonly flow: string };

/** Where the values of the events occur first, and the exchanges of their request ids. */
function indexEntries(entries: readonly TrafficEntry[], events: readonly SharedEvent[]) {
	const previews = new Set(events.flatMap((event) => event.previews ?? []));
	const ids = new Set(events.map(({ requestId }) => requestId));
	const firstUse = new Map<string, Use>();
	const requests = new Map<string, Use>();
	for (const { id, seq, flow, values } of entries) {
		if (flow === undefined) continue;
		if (ids.has(id)) requests.set(id, { seq, flow });
		for (const { preview } of values)
			if (previews.has(preview) && !firstUse.has(preview)) firstUse.set(preview, { seq, flow });
	}
	return { firstUse, requests };
}
