import type { ForeignExchange, ForeignFinding, ForeignGap } from './har-reading.ts';

/** What a file shows, and what is missing in it. */
export function findForeign(_exchanges: readonly ForeignExchange[]): {
	readonly findings: ForeignFinding[];
	readonly gaps: ForeignGap[];
} {
	return { findings: [], gaps: [] };
}
