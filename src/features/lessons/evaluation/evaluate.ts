import { attemptsOf } from './attempts.ts';
import type { Condition, Evidence } from './condition.ts';
import type { Lesson } from '../lesson.ts';

/** The `X-Request-Id` of the exchanges that show each condition that is met, by the id of the condition. */
export type Shown = Readonly<Record<string, readonly string[]>>;

/** What the best attempt has shown so far. */
export type Result = {
	readonly shown: Shown;
	/** The first condition that is not met; undefined where the lesson is done. */
	readonly missing: Condition | undefined;
};

/**
 * Evaluates a lesson. What was shown before stays shown: a log forgets, a lesson does not.
 * @param earlier what the best attempt had shown before
 */
export function evaluate(
	{ conditions, attempts }: Pick<Lesson, 'conditions' | 'attempts'>,
	evidence: Evidence,
	earlier: Shown = {}
): Result {
	let best = earlier;
	for (const attempt of attemptsOf(evidence, attempts)) {
		const shown = shownIn(conditions, attempt);
		if (Object.keys(shown).length > Object.keys(best).length) best = shown;
	}
	return { shown: best, missing: conditions.find(({ id }) => best[id] === undefined) };
}

function shownIn(conditions: readonly Condition[], attempt: Evidence): Shown {
	return Object.fromEntries(
		conditions.flatMap(({ id, shownBy }) => {
			const entries = shownBy(attempt);
			return entries === undefined ? [] : [[id, entries.map((entry) => entry.id)]];
		})
	);
}
