import { fillText } from '#lib/fill-text.ts';
import type { ExerciseContent } from './exercise-file.ts';
import type { Exercise, ExerciseCode, Fail } from './exercise.ts';
import { sharedConditions } from './shared/conditions.ts';
import { failedBy } from './shared/judgments.ts';

/** Loaded together: what several of them share would count as shared by the pages, which would all load it. */
const codes = import.meta.glob<ExerciseCode>('./exercises/*.ts', { eager: true, import: 'code' });

/** The exercise of a content and the code of its id. Undefined: it has none. The build has checked that their names fit. */
export function compileExercise(id: string, content: ExerciseContent): Exercise | undefined {
	const code = codes[`./exercises/${id}.ts`];
	if (code === undefined) return undefined;
	const { preset, use, conditions = {} } = code;
	return {
		...content,
		...(preset && { preset }),
		use,
		writesAt: new RegExp(content.writesAt),
		differences: content.differences.map((difference) => ({ ...difference, at: new RegExp(difference.at) })),
		conditions: content.conditions.map(({ mistakes = {}, ...condition }) => {
			const fail: Fail = (name, facts, values = {}) => {
				const filled = (text = '') => fillText(text, (value) => values[value] ?? '');
				return failedBy(facts, filled(mistakes[name]?.title), filled(mistakes[name]?.text));
			};
			const { judge } = conditions[condition.id] ?? sharedConditions[condition.id] ?? { judge: () => 'open' as const };
			return { ...condition, judge: (evidence) => judge(evidence, fail) };
		})
	};
}
