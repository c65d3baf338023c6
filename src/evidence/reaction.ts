import type { Facts } from './facts.ts';

/**
 * Whether a request is the reaction to a refused call. A refresh that is nearer to the next call, of another resource, belongs to
 * that one.
 * @param calls all calls, in the order of the log
 */
export function isReaction({ begin, entry: { seq, at } }: Facts, { entry }: Facts, calls: readonly Facts[]): boolean {
	if (seq < entry.seq || begin < entry.at) return false;
	const next = calls.find((call) => call.entry.seq > seq);
	return next?.entry.request.target === entry.request.target || begin - entry.at <= (next?.begin ?? Infinity) - at;
}
