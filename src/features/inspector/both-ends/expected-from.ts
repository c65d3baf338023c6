import { findCheck } from '#api/logged-check.ts';
import type { TraceLine, TrafficEntry } from '#api/control/traffic.ts';
import { queryOf, readParameters } from '../message/http-message.ts';
import { targetOf } from '#evidence/message-text.ts';

/** The authorization request that set what a check expected, and the parameter that did. */
export type ExpectedFrom = { readonly name: string; readonly entry: TrafficEntry };

/**
 * Finds the request that set what a check expected: the authorization request of the same flow.
 * @param entries the log
 * @returns undefined where the check compares with nothing of that request, or the log no longer contains it
 */
export function expectedFrom(
	entry: TrafficEntry,
	line: TraceLine,
	entries: readonly TrafficEntry[]
): ExpectedFrom | undefined {
	const name = findCheck(line.id)?.setBy;
	if (name === undefined || entry.flow === undefined) return undefined;
	const found = entries.find(
		(earlier) =>
			earlier.flow === entry.flow &&
			earlier.endpoint === 'auth' &&
			readParameters(queryOf(targetOf(earlier))).some(([sent]) => sent === name)
	);
	return found && { name, entry: found };
}
