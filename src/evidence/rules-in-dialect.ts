import type { DialectName } from '#api/dialect.ts';
import { allRules } from './all-rules.ts';
import { notShown } from './judge.ts';
import type { Rule } from './rule.ts';

/** All rules with the words and sections of a dialect. Those that it leaves out judge nothing, and say why. */
export function rulesIn(dialect: DialectName): readonly Rule[] {
	return dialect === 'standard' ? allRules.map(inStandard) : allRules;
}

/** Why a dialect leaves a rule out, in one sentence. Undefined: it applies. */
export function leftOutReason({ standard = {} }: Rule, dialect: DialectName): string | undefined {
	return dialect === 'standard' && 'leftOut' in standard ? standard.leftOut : undefined;
}

function inStandard(rule: Rule): Rule {
	const reason = leftOutReason(rule, 'standard');
	if (reason === undefined) return { ...rule, ...rule.standard };
	return { ...rule, sections: [], judge: () => ({ ...notShown, text: `Left out. ${reason}` }) };
}
