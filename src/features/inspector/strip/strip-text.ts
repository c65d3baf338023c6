import type { TrafficEntry } from '#api/control/traffic.ts';
import { decodePercent } from '#api/percent.ts';
import type { BarrierState } from '#ui/flow/barrier.svelte.ts';
import { splitTarget } from '../message/http-message.ts';
import type { ExchangeOutcome } from '../outcome.ts';

/** The path of a request without its sandbox, as it is read: `/ws/v2.0/character/Mara Vell`. */
export function pathText({ request }: TrafficEntry): string {
	const path = splitTarget(request.target).path.replace(/^\/~[^/]+/, '');
	return decodePercent(path, false) ?? path;
}

/** The last segment of the path: `token`, `Mara Vell`. */
export function shortPath(entry: TrafficEntry): string {
	return pathText(entry).replace(/\/$/, '').split('/').at(-1) ?? '';
}

/** How the barrier is after a request. */
export function barrierOf(outcome: ExchangeOutcome | undefined): BarrierState {
	if (outcome === undefined) return 'idle';
	if (outcome.kind === 'no_response') return 'broken';
	return outcome.kind === 'accepted' ? 'open' : 'closed';
}
