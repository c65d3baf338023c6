import type { TrafficEntry } from '#api/control/traffic.ts';
import type { FlowGroup, TimelineItem } from './flow-group.ts';
import { nextResult, pendingFlow, type FlowResult } from './flow-result.ts';
import type { PlacedEvent } from './place-events.ts';

/** A group that grows. What its heading shows is computed from each exchange once. */
export class FlowDraft {
	readonly #key: string;
	readonly #first: TrafficEntry;
	#exchanges: (TimelineItem & { kind: 'exchange' })[] = [];
	#events: readonly PlacedEvent[] = [];
	#username: string | undefined;
	#requested: readonly string[] | undefined;
	#issued: readonly string[] | undefined;
	#result: FlowResult = pendingFlow;
	#group: FlowGroup | undefined;

	constructor(first: TrafficEntry) {
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
		this.#result = nextResult(this.#result, entry);
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
