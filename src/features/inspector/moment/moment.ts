import * as v from 'valibot';
import { trafficEntry, type TrafficEntry } from '#api/control/traffic.ts';
import type { SharedEvent } from '#client/storage/tab-state.svelte.ts';
import { sharedEventSchema } from '#client/storage/tab-schema.ts';
import { expectedFrom } from '../both-ends/check-groups.ts';
import { CredentialHistory } from '#evidence/credential-history.ts';
import { groupFlows, pendingFlow } from '../flow-groups.ts';
import { describeOutcome } from '#evidence/describe-exchange.ts';
import { placeEvents } from '../place-events.ts';

/** The latest time that a Date can hold, in milliseconds since 1970. */
const latestTime = 8.64e15;

/** An exchange or a flow for readers who do not have the sandbox. It contains no secret, as the log contains none. */
export const moment = v.pipe(
	v.object({
		format: v.literal('tollgate-moment'),
		version: v.literal(1),
		/** `X-Request-Id` of the exchange that it is about. Absent: the whole flow. */
		exchange: v.optional(v.string()),
		/** Oldest first. Those beside the exchange are what its explanation refers to. */
		entries: v.pipe(v.array(trafficEntry), v.minLength(1)),
		/** What our own clients did. */
		events: v.array(sharedEventSchema),
		/** The names of applications, by client_id. */
		applications: v.array(v.tuple([v.string(), v.string()])),
		/** What the world calls its resource: `character`. */
		resource: v.string()
	}),
	v.check(
		({ entries, events }) => [...entries.flatMap(timesOf), ...events.map(({ at }) => at)].every(isTime),
		'A time is out of range.'
	),
	// The views tell exchanges, checks and events apart by these.
	v.check(
		({ entries, events }) =>
			areDistinct(entries.map(({ id }) => id)) &&
			areDistinct(events.map(({ source, seq }) => `${source} ${seq}`)) &&
			entries.every(({ trace }) => areDistinct(trace.map(({ id }) => id))),
		'An id occurs twice.'
	),
	v.check(
		({ entries, exchange }) => exchange === undefined || entries.some(({ id }) => id === exchange),
		'The exchange is missing.'
	)
);

export type Moment = v.InferOutput<typeof moment>;

/** Where a moment is taken from: an inspector. */
export type MomentSource = {
	/** The log, oldest first. */
	readonly all: readonly TrafficEntry[];
	readonly events: readonly SharedEvent[];
	readonly applications: ReadonlyMap<string, string>;
};

/**
 * One exchange, with the earlier ones that its explanation refers to.
 * @param resource what the world calls its resource: `character`
 */
export function momentOfExchange(entry: TrafficEntry, source: MomentSource, resource: string): Moment {
	const entries = [...explainingEntries(entry, source.all), entry];
	const placed = placeEvents(source.all, source.events).get(entry.flow ?? '') ?? [];
	const labels = new Set(entry.values.map(({ label }) => label));
	const own = placed.filter(
		({ after, values }) => after === entry.seq || values.some(({ label }) => labels.has(label))
	);
	return toMoment(entries, own, source, resource, entry.id);
}

/**
 * All exchanges of a flow that the log contains.
 * @param flow its id, of at least one exchange
 * @param resource what the world calls its resource: `character`
 */
export function momentOfFlow(flow: string, source: MomentSource, resource: string): Moment {
	const entries = source.all.filter((entry) => entry.flow === flow);
	return toMoment(entries, placeEvents(source.all, source.events).get(flow) ?? [], source, resource);
}

function toMoment(
	entries: readonly TrafficEntry[],
	placed: readonly { readonly event: SharedEvent }[],
	{ applications }: MomentSource,
	resource: string,
	exchange?: string
): Moment {
	const clients = new Set(entries.map(({ client_id }) => client_id));
	return {
		format: 'tollgate-moment',
		version: 1,
		...(exchange === undefined ? {} : { exchange }),
		entries: [...entries],
		events: placed.map(({ event }) => event),
		applications: [...applications].filter(([client_id]) => clients.has(client_id)),
		resource
	};
}

/** The exchange that a moment shows first: its own, the first rejected one of a flow, or the last one. */
export function mainEntry({ exchange, entries, resource }: Moment): TrafficEntry | undefined {
	const rejected = entries.find((entry) => describeOutcome(entry, resource).kind !== 'accepted');
	return entries.find(({ id }) => id === exchange) ?? rejected ?? entries.at(-1);
}

/** The title of a moment: `invalid_grant · wrong code_verifier`. */
export function titleOf(shared: Moment): string {
	const entry = mainEntry(shared);
	if (shared.exchange !== undefined && entry !== undefined) return describeOutcome(entry, shared.resource).text;
	return `Flow: ${(groupFlows(shared.entries, [], shared.resource)[0]?.result ?? pendingFlow).label}`;
}

/** The earlier exchanges that set what a check expected, or issued or ended a value that was sent. */
function explainingEntries(entry: TrafficEntry, log: readonly TrafficEntry[]): TrafficEntry[] {
	const earlier = log.filter(({ seq }) => seq < entry.seq);
	const history = new CredentialHistory(earlier);
	const found = [
		...entry.trace.map((line) => (line.outcome === 'failed' ? expectedFrom(entry, line, earlier)?.entry : undefined)),
		...entry.values.flatMap(({ id }) => [history.issueOf(id)?.entry, ...history.endsOf(id).map((end) => end.entry)])
	];
	return earlier.filter((one) => found.includes(one));
}

function timesOf({ at, credentials }: TrafficEntry): number[] {
	return [at, ...credentials.map((event) => (event.type === 'issued' ? (event.expires ?? at) : at))];
}

function areDistinct(ids: readonly string[]): boolean {
	return new Set(ids).size === ids.length;
}

function isTime(time: number): boolean {
	return Math.abs(time) <= latestTime;
}
