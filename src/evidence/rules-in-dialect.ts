import type { DialectName } from '#api/dialect.ts';
import type { Finding } from '#api/exam.ts';
import { allRules } from './all-rules.ts';
import { notShown } from './judge.ts';
import { isDecidedByProvider, providerReason, type JudgedProvider } from './provider-rules.ts';
import type { Rule } from './rule.ts';

/**
 * The rules of a dialect with its words and sections. Those that it leaves out judge nothing, and say why.
 * @param provider that extends the dialect, whose file leaves out others
 */
export function rulesIn(dialect: DialectName, provider?: JudgedProvider): readonly Rule[] {
	const rules = allRules.filter(({ dialect: only = dialect }) => only === dialect);
	return dialect === 'standard' ? rules.map((rule) => inStandard(rule, provider)) : rules;
}

/** Why a dialect or a provider leaves a rule out, in one sentence. Undefined: it applies. */
export function leftOutReason(rule: Rule, dialect: DialectName, provider?: JudgedProvider): string | undefined {
	if (provider !== undefined && isDecidedByProvider(rule.id)) return providerReason(rule.id, provider);
	return dialect === 'standard' ? rule.standard?.leftOut : undefined;
}

const leftOutStart = 'Left out. ';

/** Whether a finding says that its rule was left out. */
export function isLeftOut({ verdict, text }: Pick<Finding, 'verdict' | 'text'>): boolean {
	return verdict === 'not_shown' && text.startsWith(leftOutStart);
}

function inStandard(rule: Rule, provider: JudgedProvider | undefined): Rule {
	const reason = leftOutReason(rule, 'standard', provider);
	if (reason === undefined) return { ...rule, ...rule.standard };
	return { ...rule, sections: [], judge: () => ({ ...notShown, text: `${leftOutStart}${reason}` }) };
}
