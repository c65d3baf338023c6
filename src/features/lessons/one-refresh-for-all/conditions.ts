import type { TrafficEntry } from '#api/control/traffic.ts';
import type { Condition, Evidence } from '../evaluation/condition.ts';
import { bestOf, isTokenRequest, issued, readCharacter, used, type Steps } from '#evidence/exchanges.ts';

/** How many calls have to meet the ended token. */
const minCalls = 4;
/** Within how many milliseconds. */
const maxSpan = 10_000;

/** Character requests with one access token that were rejected at the same time, in the order of the log. */
type Burst = readonly TrafficEntry[];

const isUnauthorized = (entry: TrafficEntry) => entry.endpoint === 'character' && entry.response?.status === 401;

/** The calls that met the end of each access token at the same time, oldest first. */
function burstsIn({ entries }: Evidence): readonly Burst[] {
	const tokens = entries.flatMap((entry) => issued(entry, 'access_token')?.id ?? []);
	return tokens.flatMap((token) => {
		const rejected = entries.filter((entry) => isUnauthorized(entry) && entry.values.some(({ id }) => id === token));
		for (const [index, first] of rejected.entries()) {
			const together = rejected.slice(index).filter(({ at }) => at - first.at <= maxSpan);
			if (together.length >= minCalls) return [together];
		}
		return [];
	});
}

/** The calls that repeat each rejected one with a newer token; undefined where one is missing. */
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

/** The refresh that all of the repeated calls share; undefined where there is another one. */
function sharedRefresh(entries: readonly TrafficEntry[], calls: readonly TrafficEntry[]): Burst | undefined {
	const positions = calls.map((entry) => entries.indexOf(entry));
	const during = entries.slice(Math.min(...positions), Math.max(...positions));
	const refreshes = during.filter((entry) => isTokenRequest(entry, 'refresh_token'));
	return refreshes.length === 1 ? refreshes : undefined;
}

function stepsOf(entries: readonly TrafficEntry[], burst: Burst): Steps {
	const repeats = repeatsOf(entries, burst);
	return [burst, repeats, repeats && sharedRefresh(entries, [...burst, ...repeats])];
}

/** A step of the best burst: the learner may have turned sharing off before. */
const step = (index: number) => (attempt: Evidence) =>
	bestOf(burstsIn(attempt), (burst) => stepsOf(attempt.entries, burst))[index];

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
		label: 'Four or more requests got 401 for the ended access token at the same time',
		unmet: 'Revoke the access token under Tokens, then select Load 20 at once.',
		shownBy: step(0)
	},
	{
		id: 'calls_repeated',
		label: 'Every rejected request was repeated and got its character',
		unmet: 'Requests got 401. Some of them were not repeated with a new access token.',
		shownBy: step(1)
	},
	{
		id: 'one_refresh',
		label: 'All of them shared one refresh',
		unmet:
			'All requests got their characters, but the application sent more than one refresh request. Let them wait for the first one, then revoke the token and load again.',
		shownBy: step(2)
	}
];
