import type { TrafficEntry } from '#wire/control/traffic.ts';
import type { Condition, Evidence } from '../engine/condition.ts';
import { isTokenRequest, issued, readCharacter, used } from '../engine/exchanges.ts';

/** How many calls have to meet the ended token. */
const minCalls = 4;
/** Within how many milliseconds. */
const maxSpan = 10_000;

/** Character requests with one access token that were rejected at the same time, in the order of the log. */
type Burst = { readonly rejected: readonly TrafficEntry[]; readonly end: number };

const isUnauthorized = (entry: TrafficEntry) => entry.endpoint === 'character' && entry.response?.status === 401;

/** The first calls that met the end of an access token at the same time. */
function burstIn({ entries }: Evidence): Burst | undefined {
	const tokens = entries.flatMap((entry) => issued(entry, 'access_token')?.id ?? []);
	for (const token of tokens) {
		const rejected = entries.filter((entry) => isUnauthorized(entry) && entry.values.some(({ id }) => id === token));
		for (const [index, first] of rejected.entries()) {
			const together = rejected.slice(index).filter(({ at }) => at - first.at <= maxSpan);
			const last = together.at(-1);
			if (together.length >= minCalls && last !== undefined) return { rejected: together, end: entries.indexOf(last) };
		}
	}
	return undefined;
}

/** The calls that repeat each rejected one with a newer token; undefined where one is missing. */
function repeatsIn(attempt: Evidence): readonly TrafficEntry[] | undefined {
	const burst = burstIn(attempt);
	if (burst === undefined) return undefined;
	const { entries } = attempt;
	const [first] = burst.rejected;
	const from = first === undefined ? 0 : entries.indexOf(first);
	const newer = new Set(entries.slice(from).flatMap((entry) => issued(entry, 'access_token')?.id ?? []));
	const left = entries
		.slice(from)
		.filter((entry) => readCharacter(entry) && newer.has(used(entry, 'access_token') ?? ''));
	const repeats: TrafficEntry[] = [];
	for (const { request } of burst.rejected) {
		const at = left.findIndex((entry) => pathOf(entry.request.target) === pathOf(request.target));
		const [repeat] = at < 0 ? [] : left.splice(at, 1);
		if (repeat === undefined) return undefined;
		repeats.push(repeat);
	}
	return repeats;
}

/** The refresh that all of the repeated calls share; undefined where there is another one. */
function sharedRefresh(attempt: Evidence): readonly TrafficEntry[] | undefined {
	const burst = burstIn(attempt);
	const repeats = repeatsIn(attempt);
	if (burst === undefined || repeats === undefined) return undefined;
	const { entries } = attempt;
	const positions = [...burst.rejected, ...repeats].map((entry) => entries.indexOf(entry));
	const during = entries.slice(Math.min(...positions), Math.max(...positions));
	const refreshes = during.filter((entry) => isTokenRequest(entry, 'refresh_token'));
	return refreshes.length === 1 ? refreshes : undefined;
}

function pathOf(target: string): string {
	return target.replace(/\?.*$/s, '');
}

export const conditions: readonly Condition[] = [
	{
		id: 'refresh_token_issued',
		label: 'The application got a refresh token',
		unmet: 'No application has a refresh token yet. Sign in with offline access.',
		shownBy: ({ entries }) => {
			const found = entries.find((entry) => issued(entry, 'refresh_token') !== undefined);
			return found && [found];
		}
	},
	{
		id: 'calls_rejected',
		label: 'Four or more calls met the ended access token at the same time',
		unmet:
			'Fewer than four calls have met an ended access token at the same time. End the access token, then load 20 characters at once.',
		shownBy: (attempt) => burstIn(attempt)?.rejected
	},
	{
		id: 'calls_repeated',
		label: 'Every rejected call was repeated and got its character',
		unmet: 'Calls got 401. Some of them were not repeated with a new access token.',
		shownBy: repeatsIn
	},
	{
		id: 'one_refresh',
		label: 'All of them shared one refresh',
		unmet:
			'All calls came back, but the application sent more than one refresh request. Let the calls wait for the first one.',
		shownBy: sharedRefresh
	}
];
