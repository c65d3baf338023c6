import type { TrafficEntry } from '#api/control/traffic.ts';
import type { Facts } from './facts.ts';
import type { RateLimitHeaders } from './rate-limit-headers.ts';

/** What was read of an entry. Without the entry: a value that refers to its key would keep the key in memory until V8 collects all of it. */
type Memo = {
	facts?: Omit<Facts, 'entry'>;
	query?: URLSearchParams;
	form?: URLSearchParams;
	/** Null: the response has none. */
	rateLimit?: RateLimitHeaders | null;
};

const memos = new WeakMap<TrafficEntry, Memo>();

/** What was read of an entry so far. It is read once, however often the rules are evaluated. */
export function memoOf(entry: TrafficEntry): Memo {
	const known = memos.get(entry);
	if (known !== undefined) return known;
	const memo: Memo = {};
	memos.set(entry, memo);
	return memo;
}
