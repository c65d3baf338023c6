import type { BoardRow } from '#api/control/board.ts';
import type { TrafficEntry } from '#api/control/traffic.ts';
import { sanitizeText } from '#api/plain-text.ts';
import { failedLine, isClientRequest } from '#evidence/signals/step-log.ts';

/** What a row says of an exchange. Undefined for one that is not a client's. */
export function lastOf(entry: TrafficEntry, at: number): BoardRow['last'] | undefined {
	if (!isClientRequest(entry)) return undefined;
	const line = failedLine(entry);
	return {
		text: textOf(entry),
		at,
		request: entry.id,
		...(line === undefined ? {} : { check: line.id }),
		...(line?.cause === undefined ? {} : { cause: line.cause })
	};
}

/** The rate limit that a response tells. */
export function budgetOf({ response }: TrafficEntry): BoardRow['budget'] {
	const valueOf = (name: string) =>
		Number(response?.headers.find(([sent]) => sent.toLowerCase() === name)?.[1] ?? Number.NaN);
	const [remaining, limit] = [valueOf('x-ratelimit-remaining'), valueOf('x-ratelimit-limit')];
	return Number.isFinite(remaining) && Number.isFinite(limit) ? { remaining, limit } : null;
}

/** An exchange in one line: `token: invalid_grant. The code was already used.` */
function textOf(entry: TrafficEntry): string {
	const { endpoint, response } = entry;
	if (response === null) return `${endpoint}: no response`;
	const [, error] = /"error"\s*:\s*"(\w{1,60})"/.exec(response.body) ?? [];
	const detail = failedLine(entry)?.detail ?? '';
	return sanitizeText(`${endpoint}: ${error ?? response.status}${detail === '' ? '' : `. ${detail}`}`, 200);
}
