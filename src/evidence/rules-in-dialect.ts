import type { DialectName } from '#api/dialect.ts';
import { allRules } from './all-rules.ts';
import { notShown } from './judge.ts';
import type { Rule } from './rule.ts';

/** The rules of a dialect with its words and sections. Those that it leaves out judge nothing, and say why. */
export function rulesIn(dialect: DialectName): readonly Rule[] {
	const rules = allRules.filter(({ dialect: only = dialect }) => only === dialect);
	return dialect === 'standard' ? rules.map(inStandard) : rules;
}

/** Why a dialect leaves a rule out, in one sentence. Undefined: it applies. */
export function leftOutReason({ standard = {} }: Rule, dialect: DialectName): string | undefined {
	return dialect === 'standard' ? standard.leftOut : undefined;
}

function inStandard(rule: Rule): Rule {
	const reason = leftOutReason(rule, 'standard');
	if (reason === undefined) return { ...rule, ...rule.standard };
	return { ...rule, sections: [], judge: () => ({ ...notShown, text: `Left out. ${reason}` }) };
}
