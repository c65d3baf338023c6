import type { TrafficEntry } from '#api/control/traffic.ts';
import { describeOutcome } from '#evidence/describe-exchange.ts';
import type { CitedExchange } from './stored-exam.ts';

/**
 * An exchange as a finding shows it.
 * @param baseUrl of the sandbox, whose path all of its exchanges share
 * @param resource what the world calls its resource: `character`
 */
export function citationOf(entry: TrafficEntry, baseUrl: string, resource: string): CitedExchange {
	const prefix = new URL(baseUrl).pathname.replace(/\/$/, '');
	const [path = ''] = entry.request.target.split('?');
	return {
		id: entry.id,
		at: entry.at,
		request: `${entry.request.method} ${path.startsWith(prefix) ? path.slice(prefix.length) : path}`,
		status: entry.response?.status ?? null,
		outcome: describeOutcome(entry, resource).short
	};
}
