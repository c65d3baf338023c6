import { recordsIn } from '#lib/records-in.ts';
import { areas, type Rule } from './rule.ts';
import type { RuleTexts } from './rule-record.ts';
import { ruleCodes } from './rules/rule-codes.ts';

const texts = recordsIn(
	import.meta.glob<Readonly<Record<string, RuleTexts>>>('../content/rules/*.yaml', {
		eager: true,
		import: 'default',
		query: '?about'
	})
);

/** All rules, in the order of a sign-in. */
export const allRules: readonly Rule[] = ruleCodes.map((code) => {
	const area = areas.find((one) => code.id.startsWith(`${one}.`));
	const found = texts[code.id];
	// The build compares the ids of both.
	if (area === undefined || found === undefined) throw new RangeError(`The rule ${code.id} has no texts.`);
	return { ...code, ...found, area };
});
