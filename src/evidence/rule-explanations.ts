import type { DialectName } from '#api/dialect.ts';
import type { RuleExplanation } from './rule-record.ts';

const files = import.meta.glob<Readonly<Record<string, RuleExplanation>>>('../content/rules/*.yaml', {
	eager: true,
	import: 'default'
});
const all = new Map(Object.values(files).flatMap((records) => Object.entries(records)));

/** Why a rule matters, with wrong and right code. Load this module on demand. Undefined where no rule has the id. */
export function explanationOf(rule: string, dialect: DialectName = 'specification'): RuleExplanation | undefined {
	const found = all.get(rule);
	return found && dialect === 'standard' ? { ...found, ...found.standard } : found;
}
