import type { LessonContent } from '#evidence/lesson-file/product-lesson.ts';
import type { ExchangeCondition } from './evaluation/condition.ts';
import type { Comparison } from './lesson.ts';

/** A condition that no observation describes. */
export type CodeCondition = Pick<ExchangeCondition, 'shows' | 'why'>;

/** What a file of `conditions` has, by name. A lesson names a part of it: `bursts.herd_returned`. */
export type CodeModule = {
	readonly conditions?: Readonly<Record<string, CodeCondition>>;
	readonly comparisons?: Readonly<Record<string, Comparison['rows']>>;
};

/** The code that a lesson names, with its place in the file. */
export type NamedCode = { readonly place: string; readonly part: keyof CodeModule; readonly name: string };

export function codeIn({ steps, prediction }: LessonContent): readonly NamedCode[] {
	const conditions = steps.flatMap((step, at) =>
		step.conditions.flatMap(({ shows }, index): readonly NamedCode[] =>
			shows.kind === 'code'
				? [{ place: `steps.${at}.conditions.${index}.shows.name`, part: 'conditions', name: shows.name }]
				: []
		)
	);
	const { comparison } = prediction ?? {};
	return comparison?.kind === 'code'
		? [...conditions, { place: 'prediction.comparison.name', part: 'comparisons', name: comparison.name }]
		: conditions;
}

const modules = import.meta.glob<CodeModule>('./conditions/*.ts');

/** Loads the code that a lesson names. The build has checked that it is there. */
export async function loadCode(content: LessonContent): Promise<Required<CodeModule>> {
	const code: { conditions: Record<string, CodeCondition>; comparisons: Record<string, Comparison['rows']> } = {
		conditions: {},
		comparisons: {}
	};
	for (const { name } of codeIn(content)) {
		const [file = ''] = name.split('.');
		const { conditions, comparisons } = (await modules[`./conditions/${file}.ts`]?.()) ?? {};
		for (const [one, part] of Object.entries(conditions ?? {})) code.conditions[`${file}.${one}`] = part;
		for (const [one, part] of Object.entries(comparisons ?? {})) code.comparisons[`${file}.${one}`] = part;
	}
	return code;
}
