import type { Severity } from '#api/exam.ts';
import { causeWords } from './cause-words.ts';
import { ruleWords } from './rule-words.ts';

/** What a finding says, whatever its file. */
export type FindingWords = {
	readonly id: string;
	readonly title: string;
	readonly severity?: Severity;
	readonly sections: readonly string[];
	/** What is missing where a rule is not shown. Empty for causes. */
	readonly needs: string;
	/** Of a rule or a cause: its cause, its fix, and what failed. Of a difference: what differs. */
	readonly lines: readonly string[];
};

const severities: readonly Severity[] = [1, 2, 3];
const words = new Map(
	(ruleWords + causeWords)
		.split('\n# ')
		.slice(1)
		.map((block): [string, FindingWords] => {
			const [head = '', title = '', ...lines] = block.trimEnd().split('\n');
			const [id = '', rank = '', section = '', needs = ''] = head.split('|').map((part) => part.trim());
			const severity = severities.find((one) => String(one) === rank);
			const sections = section === '' ? [] : [section];
			return [id, { id, title, sections, needs, lines, ...(severity === undefined ? {} : { severity }) }];
		})
);

/** The ids of all findings of a file, without those of rules of the exam. */
export const wordIds: readonly string[] = [...words.keys()];

/** @throws RangeError if there is no such finding */
export function wordsOf(id: string): FindingWords {
	const found = words.get(id);
	if (found === undefined) throw new RangeError(`There is no finding ${id}.`);
	return found;
}
