import type { DialectName } from '#api/dialect.ts';
import { recordsIn } from '#lib/records-in.ts';
import type { RuleExplanation } from './rule-record.ts';

const all = recordsIn(
	import.meta.glob<Readonly<Record<string, RuleExplanation>>>('../content/rules/*.yaml', {
		eager: true,
		import: 'default'
	})
);

/** Why a rule matters, with wrong and right code. Load this module on demand. Undefined where no rule has the id. */
export function explanationOf(rule: string, dialect: DialectName = 'specification'): RuleExplanation | undefined {
	const found = Object.hasOwn(all, rule) ? all[rule] : undefined;
	return found && dialect === 'standard' ? { ...found, ...found.standard } : found;
}
