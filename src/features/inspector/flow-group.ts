import type { TrafficEntry } from '#api/control/traffic.ts';
import type { FlowResult } from './flow-result.ts';
import type { PlacedEvent } from './place-events.ts';

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
