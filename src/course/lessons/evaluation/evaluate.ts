import type { TrafficEntry } from '#api/control/traffic.ts';
import { isAutomatic, userOf } from '#evidence/exchanges.ts';
import type { Condition, Context, Evidence, Shown } from './condition.ts';
import type { AttemptKind, Lesson } from '../lesson.ts';
import type { StageStep } from '../stage.ts';
import { viewsOf, type Views } from './step.ts';

/** What the best attempt has shown so far. */
export type Result = {
	readonly shown: Shown;
	/** The first condition that is not met; undefined where the lesson is done. */
	readonly missing: Condition | undefined;
};

export type Judged = Pick<Lesson, 'conditions' | 'attempts'> & {
	readonly stage: { readonly steps: readonly Pick<StageStep, 'condition' | 'tools'>[] };
};

/** The exchanges that show the conditions that are met, in their order. */
type Chain = ReadonlyMap<string, readonly TrafficEntry[]>;

/**
 * Evaluates a lesson. Each condition is shown by an exchange that comes after those of the steps before, and that was not caused in one of
 * them. What was shown before stays shown: a log forgets, a lesson does not.
 * @param earlier what the best attempt had shown before
 */
export function evaluate(lesson: Judged, evidence: Evidence, earlier: Shown = {}): Result {
	const { conditions, attempts } = lesson;
	const entries = evidence.entries.filter((entry) => !isAutomatic(entry));
	const views = viewsOf(lesson.stage.steps, evidence);
	let best = earlier;
	for (const attempt of attemptsOf({ ...evidence, entries }, attempts))
		for (const chain of chainsIn(lesson, attempt, views))
			if (chain.size > Object.keys(best).length)
				best = Object.fromEntries([...chain].map(([id, cited]) => [id, cited.map((entry) => entry.id)]));
	return { shown: best, missing: conditions.find(({ id }) => best[id] === undefined) };
}

/** One chain for each exchange that shows the first condition, so that a later sign-in can overtake one that led nowhere. */
function chainsIn(lesson: Judged, { entries, entered }: Evidence, views: Views): Chain[] {
	const [first] = lesson.conditions;
	if (first === undefined) return [];
	return entries.flatMap((entry, at) => {
		const context = { before: entries.slice(0, at), since: [], shown: () => [], entered };
		return citedBy(first, entry, context) === undefined ? [] : [chainFrom(lesson, { entries, entered }, at, views)];
	});
}

/** Takes the first exchange that shows each condition, from a position of the log on. */
function chainFrom({ conditions, stage }: Judged, { entries, entered }: Evidence, start: number, views: Views): Chain {
	const chain = new Map<string, readonly TrafficEntry[]>();
	const ticks = new Set(stage.steps.map(({ condition }) => condition));
	const shown = (id: string) => chain.get(id) ?? [];
	/** Where the open step begins, and where the next condition may be shown. Within a step, one exchange may show several. */
	let step = start;
	let next = start;
	let index = 0;
	const isOwn = (entry: TrafficEntry) => (views.get(entry) ?? index) >= index;
	for (const condition of conditions) {
		if ('field' in condition) {
			const since = entries[step - 1]?.seq ?? 0;
			const found = entered
				.filter(({ field, after }) => field === condition.field && after >= since)
				.flatMap(
					({ value, after }) =>
						condition.readFrom(
							value,
							entries.filter(({ seq }) => seq <= after)
						) ?? []
				)[0];
			if (found === undefined) return chain;
			chain.set(condition.id, [found]);
			continue;
		}
		let cited: readonly TrafficEntry[] | undefined;
		for (; next < entries.length; next++) {
			const entry = entries[next];
			if (entry === undefined || !isOwn(entry)) continue;
			const since = entries.slice(step, next).filter(isOwn);
			cited = citedBy(condition, entry, { before: entries.slice(0, next), since, shown, entered });
			if (cited !== undefined) break;
		}
		if (cited === undefined) return chain;
		chain.set(condition.id, cited);
		if (!ticks.has(condition.id)) continue;
		step = ++next;
		index++;
	}
	return chain;
}

function citedBy(condition: Condition, entry: TrafficEntry, context: Context): readonly TrafficEntry[] | undefined {
	if ('field' in condition) return undefined;
	if (condition.user !== undefined && userOf(entry, context.before) !== condition.user) return undefined;
	const result = condition.shows(entry, context);
	if (typeof result === 'boolean') return result ? [entry] : undefined;
	return [...result, entry];
}

/** The attempts in what was recorded, oldest first. At least one. */
function attemptsOf(evidence: Evidence, kind: AttemptKind): Evidence[] {
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
