import { expect, it } from 'vitest';
import { explainNotShown } from '#exam/not-shown.ts';
import { notShownText } from '#evidence/rule.ts';
import { rulesIn } from '#evidence/rules-in-dialect.ts';

const rules = rulesIn('standard');
const texts = new Map(
	explainNotShown(
		rules.map(({ id, needs, fix, sections, ...rule }) => ({
			...{ rule: id, verdict: 'not_shown' as const, fix, sections: [...sections], requests: [] },
			text: notShownText({ ...rule, id, needs, fix, sections })
		})),
		[],
		'standard'
	).map(({ rule, text }) => [rule, text])
);

it.each(['assertion.fresh', 'assertion.short', 'assertion.audience', 'dpop.nonce'])(
	'says that no exam shows %s, and what does',
	(rule) => expect(texts.get(rule)).toMatch(/of an exam .* The report card of the inspector judges this rule\.$/)
);

it('does not say so of a rule that a client leads to', () => {
	for (const rule of ['device.poll_interval', 'request.state_fresh', 'dpop.fresh'])
		expect(texts.get(rule) ?? '').not.toContain('report card');
});
