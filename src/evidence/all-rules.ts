import { areas, type Rule } from './rule.ts';
import type { RuleTexts } from './rule-record.ts';
import { ruleCodes } from './rules/rule-codes.ts';

const files = import.meta.glob<Readonly<Record<string, RuleTexts>>>('../content/rules/*.yaml', {
	eager: true,
	import: 'default',
	query: '?about'
});
const texts = new Map(Object.values(files).flatMap((records) => Object.entries(records)));

/** All rules, in the order of a sign-in. */
export const allRules: readonly Rule[] = ruleCodes.map((code) => {
	const area = areas.find((one) => code.id.startsWith(`${one}.`));
	const found = texts.get(code.id);
	// The build compares the ids of both.
	if (area === undefined || found === undefined) throw new RangeError(`The rule ${code.id} has no texts.`);
	return { ...code, ...found, area };
});
