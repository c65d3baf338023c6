import { findCheck } from '#api/logged-check.ts';
import type { TraceLine, TrafficEntry } from '#api/control/traffic.ts';
import { dialects, type Dialect } from '#api/dialect.ts';

/** Whether the dialect of today's standards was in force for a check. Its section is another one there. */
export function isStandardLine({ id, section }: Pick<TraceLine, 'id' | 'section'>): boolean {
	return findCheck(id)?.standard?.section === section;
}

/** The dialect that was in force for an exchange. */
export function dialectOfExchange({ trace }: Pick<TrafficEntry, 'trace'>): Dialect {
	return dialects[trace.some(isStandardLine) ? 'standard' : 'specification'];
}
