import type { TraceLine, TrafficEntry } from '#api/control/traffic.ts';
import { kindOf, requestHeader } from '../facts.ts';

/** What a detector saw. */
export type Seen = {
	/** The exchanges, oldest first. Empty for a signal that is about missing ones. */
	readonly entries: readonly TrafficEntry[];
	/** One sentence for the instructor, where it differs from the general one. */
	readonly text?: string;
};

/** How close together, in milliseconds, two failures of different sign-ins count as repeated. */
export const repeatedWithin = 120_000;
/** How long nothing may follow an exchange before that is worth a signal, in milliseconds. */
export const patience = 60_000;

/** Whether a client can have sent it, and not only a page of this site. */
export const isClientRequest = ({ endpoint }: TrafficEntry) => endpoint !== 'control' && endpoint !== 'ratelimiting';

/** Whether a page of this site sent it: the viewer, a lesson, the request builder. */
export const isOfThisSite = (entry: TrafficEntry) => requestHeader(entry, 'sec-fetch-site') === 'same-origin';

/** Whether a program sent it. Browsers say where a request comes from, or, on plain HTTP, that they want a page. */
export function isOfProgram(entry: TrafficEntry): boolean {
	const kind = kindOf(entry);
	if (kind === 'other' || requestHeader(entry, 'sec-fetch-site') !== undefined) return false;
	return kind !== 'authorization' || !wantsPage(entry);
}

/** Whether a browser opened it as a page. */
export const wantsPage = (entry: TrafficEntry) => (requestHeader(entry, 'accept') ?? '').includes('text/html');

/**
 * Whether a client that the student writes sent it, or sent the user there. No page of this site uses an unknown client_id, unless a
 * student types one.
 * @param isOwn whether the student has registered a client_id
 */
export function isOfOwnClient(entry: TrafficEntry, isOwn: (client_id: string) => boolean): boolean {
	if (isOfProgram(entry) || (entry.client_id !== undefined && isOwn(entry.client_id))) return true;
	return failedLine(entry)?.cause === 'unknown_client' && !isOfThisSite(entry);
}

/** The check that decided against the client: one that failed, or one that replaced the response. */
export function failedLine({ trace }: Pick<TrafficEntry, 'trace'>): TraceLine | undefined {
	return trace.find(
		({ id, outcome }) =>
			outcome === 'failed' || (outcome === 'responded' && (id.startsWith('fault.') || id === 'address.not_blacklisted'))
	);
}

/** The headers of requests that signals read. */
const readHeaders: ReadonlySet<string> = new Set(['accept', 'authorization', 'sec-fetch-site']);
const noHeader = ['', ''] as const;

/**
 * An exchange without what no signal reads: the lines of the trace that decided nothing, of the response all but its `Location`, and
 * the texts of most headers. An empty header is in the place of each, for the pointers of the references.
 */
export function outlineOf(entry: TrafficEntry): TrafficEntry {
	const { trace, request, response, references } = entry;
	return {
		...entry,
		trace: trace.filter(({ outcome }) => outcome !== 'passed'),
		references: references.filter(({ pointer }) => pointer.startsWith('/request/')),
		request: {
			...request,
			headers: request.headers.map((header) => (readHeaders.has(header[0].toLowerCase()) ? header : noHeader))
		},
		response: response && {
			status: response.status,
			headers: response.headers.filter(([name]) => name.toLowerCase() === 'location'),
			body: ''
		}
	};
}

/** The traffic log of a seat since the current step began. A failure is open until a later request to the endpoint succeeds. */
export class StepLog {
	/** Requests of clients since the step began, oldest first. */
	readonly entries: readonly TrafficEntry[];
	readonly #open: readonly TrafficEntry[];

	/**
	 * @param all the entries that the log has, oldest first
	 * @param after the number of the last entry before the step
	 * @param now by the clock of the sandbox, in milliseconds
	 */
	constructor(
		readonly all: readonly TrafficEntry[],
		after: number,
		readonly now: number
	) {
		this.entries = all.filter((entry) => entry.seq > after && isClientRequest(entry));
		this.#open = openFailures(this.entries).filter((entry) => !isOfLoadTest(entry));
	}

	get last(): TrafficEntry | undefined {
		return this.entries.at(-1);
	}

	/** The newest failure, if it is open. */
	get lastFailure(): TrafficEntry | undefined {
		return this.#open.at(-1);
	}

	/** All open failures, oldest first. */
	get failures(): readonly TrafficEntry[] {
		return this.#open;
	}

	/**
	 * The open failures of a check.
	 * @param causes those that count. Without one, all do
	 */
	failuresOf(check: string, ...causes: readonly string[]): readonly TrafficEntry[] {
		return this.#open.filter((entry) => {
			const line = failedLine(entry);
			return line?.id === check && (causes.length === 0 || causes.includes(line.cause ?? ''));
		});
	}

	/** How long ago an entry ended, in milliseconds. */
	ageOf(entry: TrafficEntry): number {
		return this.now - entry.at;
	}
}

/** The viewer obeys the limits, but for its load test, which goes over them on purpose. */
function isOfLoadTest(entry: TrafficEntry): boolean {
	return isOfThisSite(entry) && failedLine(entry)?.id === 'rate_limit.not_exceeded';
}

/** The failures that happened at least twice: in the flow of the newest one, or within 2 minutes. Otherwise none. */
export function repeated(failures: readonly TrafficEntry[], least = 2): readonly TrafficEntry[] {
	const last = failures.at(-1);
	if (last === undefined) return [];
	const near = failures.filter(
		({ flow, at }) => (flow !== undefined && flow === last.flow) || last.at - at <= repeatedWithin
	);
	return near.length >= least ? near : [];
}

/** How many successes of an endpoint a failure is compared with, the next ones after it. */
const maxSuccesses = 21;

/** Reads the log from its end: a success closes what failed before it in the same flow, or in a flow that began earlier. */
function openFailures(entries: readonly TrafficEntry[]): TrafficEntry[] {
	const begins = new Map<string, number>();
	for (const { flow, seq } of entries) if (flow !== undefined && !begins.has(flow)) begins.set(flow, seq);
	const successes = new Map<string, TrafficEntry[]>();
	const open: TrafficEntry[] = [];
	for (const entry of entries.toReversed()) {
		const { endpoint, flow, seq } = entry;
		const later = successes.get(endpoint) ?? [];
		if (failedLine(entry) === undefined) {
			if (entry.response === null || entry.response.status >= 400) continue;
			later.push(entry);
			if (later.length > maxSuccesses) later.shift();
			successes.set(endpoint, later);
			continue;
		}
		const isClosed = later.some(
			(success) =>
				flow === undefined ||
				success.flow === undefined ||
				success.flow === flow ||
				(begins.get(success.flow) ?? 0) > seq
		);
		if (!isClosed) open.push(entry);
	}
	return open.reverse();
}

/** For signals that hold after two failures of a check, or after one that nothing followed for a minute. */
export function settled(log: StepLog, failures: readonly TrafficEntry[]): Seen | undefined {
	const last = failures.at(-1);
	return once(repeated(failures)) ?? (last && log.ageOf(last) > patience ? { entries: [last] } : undefined);
}

/** For signals that hold after the first failure of a check. */
export function once(failures: readonly TrafficEntry[]): Seen | undefined {
	return failures.length > 0 ? { entries: failures } : undefined;
}
