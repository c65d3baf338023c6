import { dialectNameOf } from '#api/dialect.ts';
import { parameter } from '#evidence/exchanges.ts';
import { evaluateRules } from '#evidence/rule.ts';
import { rulesIn } from '#evidence/provider-rules.ts';
import type { ExerciseCondition, ExerciseEvidence, Exercise, NearMiss } from '../exercise.ts';

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

/**
 * Judges a run: the conditions of the exercise, and the rules that failed where no condition names the mistake. Pure.
 */
export function judge(exercise: Exercise, evidence: ExerciseEvidence): JudgedCondition[] {
	const judged = new Map<string, JudgedCondition>();
	for (const condition of exercise.conditions) judged.set(condition.id, judgeOne(condition, evidence, judged));
	const failed = [...judged.values()].find(({ state }) => state === 'failed');
	// What failed is why a function threw.
	const needs = failed === undefined ? {} : { needs: failed.id };
	const result = { ...resultOf(exercise), ...needs };
	judged.set(result.id, judgeOne(result, evidence, judged));
	const conditions = [...judged.values()];
	return conditions.some(({ state }) => state === 'failed')
		? conditions
		: [...conditions, ...failedRules(exercise, evidence)];
}

/** All conditions: those of the exercise, and that each call had the result that its task asks for. */
export const conditionsOf = (exercise: Exercise): readonly ExerciseCondition[] => [
	...exercise.conditions,
	resultOf(exercise)
];

const resultOf = ({ result }: Exercise): ExerciseCondition => ({
	id: 'result',
	title: result,
	judge({ calls, entries, isFinished }) {
		const wrong = calls.find((call) => call.wrong !== undefined)?.wrong;
		if (wrong === undefined) return isFinished && calls.length > 0 ? 'met' : 'open';
		const denied = entries.find((entry) => entry.endpoint === 'auth' && parameter(entry, 'decision') === 'deny');
		if (denied === undefined) return wrong;
		const text =
			'You selected **Deny** in the user’s browser, so the service issued no code. Run again, and select **Allow**.';
		return { title: 'access denied', text, entries: [denied] };
	}
});

/** Whether all conditions are met, and no rule failed. */
export function isPassed(conditions: readonly JudgedCondition[]): boolean {
	return conditions.every(({ state }) => state === 'met');
}

function judgeOne(
	{ id, title, needs, judge: judgeCondition }: ExerciseCondition,
	evidence: ExerciseEvidence,
	judged: ReadonlyMap<string, JudgedCondition>
): JudgedCondition {
	const needed = needs === undefined ? undefined : judged.get(needs);
	if (needed !== undefined && needed.state !== 'met') {
		const cause = needed.state === 'failed' ? needed.title : needed.needs;
		return { id, title, state: 'open', ...(cause === undefined ? {} : { needs: cause }) };
	}
	const outcome = judgeCondition(evidence);
	if (typeof outcome === 'string') return { id, title, state: outcome };
	return { id, title, state: 'failed', nearMiss: withLines(outcome, evidence) };
}

/** A near miss with the lines that sent its exchanges. */
function withLines(nearMiss: NearMiss, { lineOf }: ExerciseEvidence): NearMiss {
	const { entries = [], entry = entries[0], lines } = nearMiss;
	const sent = [...new Set(entries.flatMap((one) => lineOf(one) ?? []))].sort((a, b) => a - b);
	return {
		...nearMiss,
		...(entry === undefined ? {} : { entry }),
		...(lines === undefined && sent.length > 0 ? { lines: sent } : {})
	};
}

function failedRules({ rules, preset }: Exercise, evidence: ExerciseEvidence): JudgedCondition[] {
	const known = rulesIn(dialectNameOf(preset?.settings?.dialect)).filter(({ id }) => rules.includes(id));
	return evaluateRules(known, evidence.run).flatMap(({ rule, verdict, text, requests }, at) => {
		if (verdict !== 'failed') return [];
		const entries = evidence.entries.filter(({ id }) => requests.includes(id));
		const nearMiss = withLines({ title: 'a rule of the exam', text, entries }, evidence);
		return { id: rule, title: known[at]?.title ?? rule, state: 'failed' as const, nearMiss };
	});
}

/** Why nothing was judged, in the words of the board. */
export const problemWords = {
	syntax: 'a syntax error',
	error: 'the program was not loaded',
	stopped: 'the program was stopped',
	page: 'a part of the page was not loaded'
} as const;

type LastRun = {
	readonly exercise: Exercise;
	readonly problem: { readonly kind: keyof typeof problemWords } | undefined;
	readonly failed: readonly JudgedCondition[];
};

/** The near miss of the last run, in the words of the board. */
export function missOf({ problem, failed: [first], exercise }: LastRun): string | undefined {
	if (problem !== undefined) return problemWords[problem.kind];
	// A rule of the exam has no condition.
	const isRule = !conditionsOf(exercise).some(({ id }) => id === first?.id);
	return isRule ? first?.title : first?.nearMiss?.title;
}
