import { expect, it } from 'vitest';
import { dialectNames, type DialectName } from '#api/dialect.ts';
import { explainNotShown } from '#exam/not-shown.ts';
import { probeList } from '#exam/probe-list.ts';
import { notShownText } from '#evidence/rule.ts';
import { leftOutReason, rulesIn } from '#evidence/provider-rules.ts';
import { ReferenceClient } from './reference-client.ts';
import { takeExam } from './take-exam.ts';

/** What is said of each rule that no step showed, though all of them ran. */
const textsOf = (dialect: DialectName) =>
	explainNotShown(
		rulesIn(dialect)
			.filter((rule) => leftOutReason(rule, dialect) === undefined)
			.map((rule) => ({
				...{ rule: rule.id, verdict: 'not_shown' as const, fix: rule.fix, sections: [...rule.sections], requests: [] },
				text: notShownText(rule)
			})),
		probeList.map(({ id }) => ({ id, from: 0, to: 0, outcome: 'done' })),
		dialect
	);

/** What every client does that signs in and sends calls. A browser of the exam runs no scripts. */
const usual =
	/Needs: (?:two sign-ins|a sign-in|an exchange of a code|a token request|a call|a sign-in in a real browser)\.$/;
const explained =
	/Not shown\. (?:Only for |The step “.*” showed nothing|The (?:application|sandbox|limits) of an exam )/;

it.each(dialectNames)('says of each rule of %s which step, client or other place shows it', (dialect) => {
	const texts = textsOf(dialect).map(({ rule, text }) => `${rule}: ${text}`);
	expect(texts.filter((text) => !usual.test(text) && !explained.test(text))).toEqual([]);
});

it.each(['assertion.fresh', 'assertion.short', 'assertion.audience', 'dpop.nonce', 'limit.paced'])(
	'says that no exam shows %s, and what does',
	(rule) => {
		const found = [...textsOf('standard'), ...textsOf('specification')].find((finding) => finding.rule === rule);
		expect(found?.text).toMatch(/of an exam .* the report card of the inspector judges this rule\.$/);
	}
);

it('does not say that a client refreshes at no 401 where a rule about its refreshes was judged', () => {
	const before = textsOf('specification');
	const textOf = (findings: typeof before) => findings.find(({ rule }) => rule === 'token.keep_on_failure')?.text;
	expect(textOf(before)).toBe('Not shown. Only for clients that refresh tokens at a 401.');
	const probes = probeList.map(({ id }) => ({ id, from: 0, to: 0, outcome: 'done' as const }));
	const judged = before.map((finding) =>
		finding.rule === 'token.refresh_at_expiry' ? { ...finding, verdict: 'passed' as const } : finding
	);
	expect(textOf(explainNotShown(judged, probes))).toMatch(/^Not shown\. The step “.+” showed nothing about it\.$/);
});

it('does not say what kind of client a rule is about where no step came to its end', () => {
	const probes = [{ id: 'warm_up' as const, from: 0, to: 0, outcome: 'stopped' as const }];
	const texts = explainNotShown(textsOf('specification'), probes).map(({ text }) => text);
	expect(texts.filter((text) => text.includes('Only for'))).toEqual([]);
});

it('says the same of what it has explained before', () => {
	const texts = textsOf('standard');
	const probes = probeList.map(({ id }) => ({ id, from: 0, to: 0, outcome: 'done' as const }));
	expect(explainNotShown(texts, probes, 'standard')).toEqual(texts);
});

it.each(dialectNames.flatMap((dialect) => (['web', 'installed'] as const).map((kind) => [kind, dialect] as const)))(
	'asks nothing of a perfect client: %s, %s',
	async (kind, dialect) => {
		const { findings } = await takeExam((settings) => new ReferenceClient({ ...settings, dialect }), { kind, dialect });
		const texts = findings.flatMap(({ rule, verdict, text }) => (verdict === 'not_shown' ? `${rule}: ${text}` : []));
		const allowed = /: Left out\.|real browser\.$|: Not shown\. The page after an error does not contain/;
		expect(texts.filter((text) => !allowed.test(text) && !explained.test(text))).toEqual([]);
	}
);
