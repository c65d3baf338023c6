import type { Severity } from '#api/exam.ts';
import { recordsIn } from '#lib/records-in.ts';
import { allRules } from '../../all-rules.ts';
import type { FileWords } from '../../rule-record.ts';
import type { FindingRecord } from './finding-record.ts';

/** What a finding says, whatever its file. */
export type FindingWords = FindingRecord & {
	readonly severity?: Severity | undefined;
	readonly sections: readonly string[];
	/** What is missing where a rule is not shown. Empty for causes. */
	readonly needs: string;
};

const findings = recordsIn(
	import.meta.glob<Readonly<Record<string, FindingRecord>>>('../../../content/findings/*.yaml', {
		eager: true,
		import: 'default'
	})
);
/** Of rules of the exam that files show in another way. */
const ofRules = recordsIn(
	import.meta.glob<Readonly<Record<string, { readonly har: FileWords }>>>('../../../content/rules/*.yaml', {
		eager: true,
		import: 'default',
		query: '?har'
	})
);

const words = new Map<string, FindingWords>([
	...Object.entries(findings).map(([id, record]) => [id, { sections: [], needs: '', ...record }] as const),
	...allRules.flatMap(({ id, title, severity, sections }) => {
		const found = ofRules[id];
		return found === undefined ? [] : [[id, { title, severity, sections, ...found.har }] as const];
	})
]);

/** The ids of all findings of a file, without those of rules of the exam. */
export const wordIds: readonly string[] = [...words.keys()];

/** @throws RangeError if there is no such finding */
export function wordsOf(id: string): FindingWords {
	const found = words.get(id);
	if (found === undefined) throw new RangeError(`There is no finding ${id}.`);
	return found;
}
