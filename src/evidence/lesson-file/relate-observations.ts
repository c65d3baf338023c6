import type { TrafficEntry } from '#api/control/traffic.ts';
import { CredentialHistory } from '../credential-history.ts';
import type { Rule } from '../rule.ts';
import { keysOf, showsObservation, type Earlier } from './judge-observation.ts';
import type { Observation } from './observations.ts';

/** What an exchange can share with the one that showed an earlier condition. */
export const relations = [
	'flow',
	'client',
	'address',
	'grant',
	'family',
	'token',
	'issued',
	'scope',
	'key',
	'ticket'
] as const;

/** Whether an exchange shows an observation, or the exchanges that show it together with this one. */
export type Judge = (entry: TrafficEntry, earlier: Earlier) => boolean | readonly TrafficEntry[];

type Known = { readonly count: number; readonly result: boolean | readonly TrafficEntry[] };

/**
 * The judge of an observation. With `same`, some exchange before must show the earlier condition and share the named thing.
 * @param conditions the judges of the conditions before, by id
 * @param rules of the exam, for `rule_passed`
 */
export function judgeOf(
	observation: Observation,
	conditions: ReadonlyMap<string, Judge>,
	rules: readonly Rule[]
): Judge {
	// Conditions refer to each other, so that an exchange is asked about often. What came before it does not change.
	const known = new WeakMap<TrafficEntry, Known>();
	return (entry, earlier) => {
		const count = earlier.before.length + earlier.since.length;
		const found = known.get(entry);
		if (found?.count === count) return found.result;
		const shown = showsObservation(observation, entry, earlier, rules);
		const result =
			shown !== false &&
			isRelated(observation, entry, earlier.before, conditions) &&
			isElsewhere(observation, entry, earlier.before, conditions) &&
			shown;
		known.set(entry, { count, result });
		return result;
	};
}

function isRelated(
	{ same = {} }: Observation,
	entry: TrafficEntry,
	before: readonly TrafficEntry[],
	conditions: ReadonlyMap<string, Judge>
): boolean {
	if (Object.keys(same).length === 0) return true;
	const history = new CredentialHistory([...before, entry]);
	return relations.every((relation) => {
		const id = same[relation];
		if (id === undefined) return true;
		const judge = conditions.get(id);
		const keys = new Set(keysOf(entry, relation, history, false));
		return (
			judge !== undefined &&
			keys.size > 0 &&
			before.some((one, at) => {
				if (!keysOf(one, relation, history, true).some((key) => keys.has(key))) return false;
				return isShownAt(judge, before, at);
			})
		);
	});
}

/** Whether an earlier exchange of another address shows the condition that `elsewhere` names. */
function isElsewhere(
	observation: Observation,
	{ address }: TrafficEntry,
	before: readonly TrafficEntry[],
	conditions: ReadonlyMap<string, Judge>
): boolean {
	if (observation.kind !== 'resource_read' || observation.elsewhere === undefined) return true;
	const judge = conditions.get(observation.elsewhere);
	return judge !== undefined && before.some((one, at) => one.address !== address && isShownAt(judge, before, at));
}

function isShownAt(judge: Judge, entries: readonly TrafficEntry[], at: number): boolean {
	const [entry, past] = [entries[at], entries.slice(0, at)];
	return entry !== undefined && judge(entry, { before: past, since: past }) !== false;
}
