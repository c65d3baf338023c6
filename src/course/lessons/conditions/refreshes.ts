import type { CodeModule } from '../code-parts.ts';
import type { ComparedRow } from '../lesson.ts';
import type { TrafficEntry } from '#api/control/traffic.ts';
import { isTokenRequest, issued, readCharacter, refreshed, used } from '#evidence/exchanges.ts';

/** How many requests have to meet the ended token. */
const minRequests = 4;
/** Within how many milliseconds. */
const maxSpan = 10_000;

/** Character requests with one access token that were rejected at the same time, in the order of the log. */
type Burst = readonly TrafficEntry[];

const isUnauthorized = (entry: TrafficEntry) => entry.endpoint === 'character' && entry.response?.status === 401;

/** The requests that met the end of each access token at the same time, oldest first. */
function burstsIn(entries: readonly TrafficEntry[]): readonly Burst[] {
	const rejected = entries.filter(isUnauthorized);
	if (rejected.length < minRequests) return [];
	const tokens = entries.flatMap((entry) => issued(entry, 'access_token')?.id ?? []);
	return tokens.flatMap((token) => {
		const own = rejected.filter((entry) => entry.values.some(({ id }) => id === token));
		for (const [index, first] of own.entries()) {
			const together = own.slice(index).filter(({ at }) => at - first.at <= maxSpan);
			if (together.length >= minRequests) return [together];
		}
		return [];
	});
}

/** The requests that repeat each rejected one with a newer token; undefined where one is missing. */
function repeatsOf(entries: readonly TrafficEntry[], burst: Burst): readonly TrafficEntry[] | undefined {
	const [first] = burst;
	const from = first === undefined ? 0 : entries.indexOf(first);
	const newer = new Set(entries.slice(from).flatMap((entry) => issued(entry, 'access_token')?.id ?? []));
	const left = entries
		.slice(from)
		.filter((entry) => readCharacter(entry) && newer.has(used(entry, 'access_token') ?? ''));
	const repeats: TrafficEntry[] = [];
	for (const { request } of burst) {
		const at = left.findIndex((entry) => pathOf(entry.request.target) === pathOf(request.target));
		const [repeat] = at < 0 ? [] : left.splice(at, 1);
		if (repeat === undefined) return undefined;
		repeats.push(repeat);
	}
	return repeats;
}

/** A burst whose last request is repeated by the last exchange, with the repeats and the refreshes between them. */
type Repeated = { readonly burst: Burst; readonly repeats: Burst; readonly refreshes: Burst };

function repeatedBy(entries: readonly TrafficEntry[]): Repeated | undefined {
	const last = entries.at(-1);
	if (last === undefined || !readCharacter(last)) return undefined;
	for (const burst of burstsIn(entries)) {
		const repeats = repeatsOf(entries, burst);
		if (repeats?.includes(last) !== true) continue;
		const start = entries.findIndex((entry) => burst.includes(entry));
		return { burst, repeats, refreshes: entries.slice(start).filter((one) => isTokenRequest(one, 'refresh_token')) };
	}
	return undefined;
}

function pathOf(target: string): string {
	return target.replace(/\?.*$/s, '');
}

export const conditions = {
	calls_rejected: {
		shows: (entry, { before }) => {
			const burst = isUnauthorized(entry) && burstsIn([...before, entry]).find((one) => one.includes(entry));
			return burst !== undefined && burst !== false && burst.slice(0, -1);
		}
	},
	separate_refreshes: {
		shows: (entry, { since }) => {
			if (!refreshed(entry)) return false;
			const start = since.findIndex(isUnauthorized);
			const earlier = since.slice(Math.max(0, start)).filter(refreshed);
			return earlier.length > 0 && earlier;
		},
		why: (entry, { before }) =>
			repeatedBy([...before, entry])?.refreshes.length === 1
				? 'All requests shared one refresh. Turn Share one refresh off, revoke the token, and load again.'
				: undefined
	},
	calls_repeated: {
		shows: (entry, { before }) => repeatedBy([...before, entry])?.repeats.slice(0, -1) ?? false
	},
	one_refresh: {
		shows: (entry, { before, since }) => {
			const repeated = repeatedBy([...before, entry]);
			if (repeated === undefined || repeated.refreshes.length !== 1) return false;
			return repeated.burst.every((one) => since.includes(one)) && repeated.refreshes;
		},
		why: (entry, { before }) => {
			const { length } = repeatedBy([...before, entry])?.refreshes ?? [];
			return length > 1
				? `The application sent ${length} refresh requests. Turn Share one refresh on, revoke the token, and load again.`
				: undefined;
		}
	}
} satisfies CodeModule['conditions'];

export const comparisons = {
	refreshes: ({ entries, shown }) => {
		const loads = ['calls_repeated', 'one_refresh'].map((condition) => {
			const last = shown(condition).at(-1);
			return last && repeatedBy(entries.slice(0, entries.indexOf(last) + 1));
		});
		const row = (label: string, count: (load: Repeated) => number): ComparedRow => {
			const [each, shared] = loads.map((load) => load && count(load));
			return [label, each, shared];
		};
		return [
			row('Requests that got 401', ({ burst }) => burst.length),
			row('Refresh requests', ({ refreshes }) => refreshes.length),
			row('Requests that used the refresh of another one', ({ burst, refreshes }) => burst.length - refreshes.length),
			row('Repeated requests that got 200', ({ repeats }) => repeats.length)
		];
	}
} satisfies CodeModule['comparisons'];
