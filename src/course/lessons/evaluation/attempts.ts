import type { TrafficEntry } from '#api/control/traffic.ts';
import type { Evidence } from './condition.ts';

/** Which exchanges belong to one attempt: those of one sign-in, those of one application, or all. */
export type AttemptKind = 'flow' | 'application' | 'all';

/** The attempts in what was recorded, oldest first. At least one. */
export function attemptsOf(evidence: Evidence, kind: AttemptKind): Evidence[] {
	if (kind === 'all') return [evidence];
	const key = ({ flow, client_id }: TrafficEntry) => (kind === 'flow' ? flow : client_id);
	const attempts = new Map<string, TrafficEntry[]>();
	for (const entry of evidence.entries) {
		const id = key(entry);
		if (id === undefined) continue;
		const known = attempts.get(id);
		if (known === undefined) attempts.set(id, [entry]);
		else known.push(entry);
	}
	if (attempts.size === 0) return [{ ...evidence, entries: [] }];
	return [...attempts.values()].map((entries) => ({ ...evidence, entries }));
}
