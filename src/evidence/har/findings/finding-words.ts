import type { Severity } from '#api/exam.ts';
import { allRules } from '../../all-rules.ts';
import type { FileWords } from '../../rule-record.ts';
import type { FindingRecord } from './finding-record.ts';

/** What a finding says, whatever its file. */
export type FindingWords = Omit<FindingRecord, 'severity' | 'sections' | 'needs'> & {
	readonly severity?: Severity;
	readonly sections: readonly string[];
	/** What is missing where a rule is not shown. Empty for causes. */
	readonly needs: string;
};

const files = import.meta.glob<Readonly<Record<string, FindingRecord>>>('../../../content/findings/*.yaml', {
	eager: true,
	import: 'default'
});
/** Of rules of the exam that files show in another way. */
const ruleFiles = import.meta.glob<Readonly<Record<string, { readonly har: FileWords }>>>(
	'../../../content/rules/*.yaml',
	{ eager: true, import: 'default', query: '?har' }
);

const words = new Map<string, FindingWords>([
	...Object.values(files).flatMap((records) =>
		Object.entries(records).map(([id, record]): [string, FindingWords] => [id, { sections: [], needs: '', ...record }])
	),
	...Object.values(ruleFiles).flatMap((records) =>
		Object.entries(records).map(([id, { har }]): [string, FindingWords] => {
			const { title = '', severity, sections = [] } = allRules.find((rule) => rule.id === id) ?? {};
			return [id, { title, sections, ...har, ...(severity !== undefined && { severity }) }];
		})
	)
]);

/** The ids of all findings of a file, without those of rules of the exam. */
export const wordIds: readonly string[] = [...words.keys()];

/** @throws RangeError if there is no such finding */
export function wordsOf(id: string): FindingWords {
	const found = words.get(id);
	if (found === undefined) throw new RangeError(`There is no finding ${id}.`);
	return found;
}
