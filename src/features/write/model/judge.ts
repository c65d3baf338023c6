import type { TrafficEntry } from '#api/control/traffic.ts';
import { allRules } from '#evidence/all-rules.ts';
import { evaluateRules } from '#evidence/rule.ts';
import type { Condition, Evidence, Exercise, NearMiss } from '../exercise.ts';

/** A condition with its result. */
export type JudgedCondition = {
	readonly id: string;
	readonly title: string;
	readonly state: 'open' | 'met' | 'failed';
	/** Why it failed. */
	readonly nearMiss?: NearMiss;
	/** The title of the condition that failed before it. */
	readonly needs?: string;
};

/** Judges a run: the conditions of the exercise, then its rules. Pure. */
export function judge(exercise: Exercise, evidence: Evidence): JudgedCondition[] {
	const judged = new Map<string, JudgedCondition>();
	for (const condition of exercise.conditions) judged.set(condition.id, judgeOne(condition, evidence, judged));
	return [...judged.values(), ...judgeRules(exercise, evidence)];
}

/** Whether all conditions are met, and no rule failed. */
export function isPassed(conditions: readonly JudgedCondition[]): boolean {
	return conditions.every(({ state }) => state === 'met');
}

function judgeOne(
	{ id, title, needs, judge: judgeCondition }: Condition,
	evidence: Evidence,
	judged: ReadonlyMap<string, JudgedCondition>
): JudgedCondition {
	const needed = needs === undefined ? undefined : judged.get(needs);
	if (needed !== undefined && needed.state === 'failed') return { id, title, state: 'open', needs: needed.title };
	const outcome = judgeCondition(evidence);
	return typeof outcome === 'string'
		? { id, title, state: outcome }
		: { id, title, state: 'failed', nearMiss: outcome };
}

/** Rules that were not shown in a run that ended do not keep it from passing. */
function judgeRules({ rules }: Exercise, evidence: Evidence): JudgedCondition[] {
	const chosen = allRules.filter(({ id }) => rules.includes(id));
	return evaluateRules(chosen, evidence.run).map(({ rule, verdict, text, requests }, at) => {
		const condition = { id: rule, title: chosen[at]?.title ?? rule };
		if (verdict !== 'failed')
			return { ...condition, state: evidence.isFinished ? ('met' as const) : ('open' as const) };
		const entry = evidence.entries.find(({ id }) => requests.includes(id));
		return {
			...condition,
			state: 'failed' as const,
			nearMiss: { title: 'a rule of the exam', text, ...sentBy(entry, evidence) }
		};
	});
}

/** An exchange and the line that sent it, for a near miss. */
export function sentBy(entry: TrafficEntry | undefined, { lineOf }: Evidence): Pick<NearMiss, 'entry' | 'lines'> {
	if (entry === undefined) return {};
	const line = lineOf(entry);
	return { entry, ...(line === undefined ? {} : { lines: [line] }) };
}
