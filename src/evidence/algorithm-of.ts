import type { TrafficEntry } from '#api/control/traffic.ts';
import { limitAlgorithms } from '#api/limit-algorithm.ts';
import { checkOf } from './exchanges.ts';

const titles = Object.values(limitAlgorithms);

/** The algorithm that decided about a request, as its trace says. */
export function algorithmOf(entry: TrafficEntry): string {
	const { detail = '' } = checkOf(entry, 'rate_limit.not_exceeded') ?? {};
	return titles.find((title) => detail.startsWith(`${title}:`)) ?? limitAlgorithms.fixed_window;
}
