import type { TrafficEntry } from '#api/control/traffic.ts';
import { isFrontChannel } from '../flow-groups.ts';

/**
 * The exchanges that a test has to send to get the same responses from a fresh sandbox: the exported ones, and earlier ones of the
 * same users. A later flow uses the session of an earlier one, and the consent that was given in it. A fresh sandbox has no faults,
 * so responses of a fault are left out.
 * @param exported in order
 * @param log all exchanges, in order
 */
export function runnableRecording(exported: readonly TrafficEntry[], log: readonly TrafficEntry[]): TrafficEntry[] {
	const last = exported.at(-1)?.seq ?? 0;
	const chosen = new Set(exported);
	const users = new Set(exported.flatMap(({ username }) => username ?? []));
	const isOfUser = ({ username }: TrafficEntry) => username !== undefined && users.has(username);
	const flows = new Set([...exported, ...log.filter(isOfUser)].flatMap(({ flow }) => flow ?? []));
	const isNeeded = (entry: TrafficEntry) =>
		entry.flow === undefined ? isFrontChannel(entry) && isOfUser(entry) : flows.has(entry.flow);
	return log.filter((entry) => entry.seq <= last && (chosen.has(entry) || isNeeded(entry)) && !isOfFault(entry));
}

function isOfFault({ trace }: TrafficEntry): boolean {
	const last = trace.at(-1);
	return last !== undefined && last.outcome !== 'passed' && last.id.startsWith('fault.');
}
