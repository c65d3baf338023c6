import { expect, it } from 'vitest';
import type { ExamResult, Finding } from '#api/exam.ts';
import { dispute, mergeResults, replaceFindings } from '#features/exam/exam-session.svelte.ts';

const finding = (rule: string, verdict: Finding['verdict']): Finding => ({
	rule,
	verdict,
	text: `${rule} ${verdict}`,
	fix: 'Fix it.',
	sections: [],
	requests: ['r']
});

function resultOf(findings: Finding[], probes: ExamResult['probes'] = []): ExamResult {
	const counts = { failed: 0, passed: 0, not_shown: 0, advice: 0, disputed: 0 };
	for (const { verdict } of findings) counts[verdict]++;
	const client = { client_id: 'exam-client', kind: 'web' } as const;
	const started = '2026-11-23T10:00:00.000Z';
	return { format: 'tollgate-exam', version: 1, seed: 1, started, seconds: 1, client, counts, probes, findings };
}

const verdictsOf = ({ findings }: ExamResult) =>
	Object.fromEntries(findings.map(({ rule, verdict }) => [rule, verdict]));

it('keeps what an earlier part of the exam has shown, and the worst of both parts', () => {
	const earlier = resultOf(
		[finding('a', 'failed'), finding('b', 'passed'), finding('c', 'not_shown'), finding('d', 'passed')],
		[{ id: 'extra', from: 1, to: 3, outcome: 'done' }]
	);
	const later = resultOf(
		[finding('a', 'passed'), finding('b', 'not_shown'), finding('c', 'passed'), finding('d', 'failed')],
		[
			{ id: 'extra', from: 0, to: 0, outcome: 'skipped' },
			{ id: 'denied', from: 4, to: 6, outcome: 'done' }
		]
	);
	const both = mergeResults(earlier, later);
	expect(verdictsOf(both)).toEqual({ a: 'failed', b: 'passed', c: 'passed', d: 'failed' });
	expect(both.counts).toEqual({ failed: 2, passed: 2, not_shown: 0, advice: 0, disputed: 0 });
	expect(both.probes).toEqual([
		{ id: 'extra', from: 1, to: 3, outcome: 'done' },
		{ id: 'denied', from: 4, to: 6, outcome: 'done' }
	]);
	expect(mergeResults(undefined, later)).toBe(later);
});

it('names the step that was skipped, unless the other part took it', () => {
	const denied = (outcome: 'done' | 'skipped') => ({ id: 'denied', from: 1, to: 2, outcome }) as const;
	const needs = { ...finding('callback.denial', 'not_shown'), text: 'Not shown. Needs: the exam.' };
	const skipped = { ...needs, text: 'Not shown. The step “User denies access” was skipped.' };
	const part = (outcome: 'done' | 'skipped') => resultOf([outcome === 'done' ? needs : skipped], [denied(outcome)]);
	const textOf = ({ findings }: ExamResult) => findings[0]?.text;
	expect(textOf(mergeResults(part('skipped'), part('skipped')))).toContain('“User denies access” was skipped.');
	expect(textOf(mergeResults(part('done'), part('skipped')))).toBe(
		'Not shown. The step “User denies access” showed nothing about it.'
	);
	const own = resultOf([{ ...needs, text: 'The client was too slow.' }], [denied('skipped')]);
	expect(textOf(mergeResults(own, own))).toBe('The client was too slow.');
});

it('replaces the verdicts of the probe that was taken again, and no others', () => {
	const before = resultOf([finding('a', 'failed'), finding('b', 'failed'), finding('c', 'failed')]);
	const again = resultOf([finding('a', 'passed'), finding('b', 'passed'), finding('c', 'not_shown')]);
	const result = replaceFindings(before, again, ['a', 'c']);
	expect(verdictsOf(result)).toEqual({ a: 'passed', b: 'failed', c: 'failed' });
	expect(result.counts.failed).toBe(2);
});

it('marks a finding as disputed with its reason, and takes that back', () => {
	const disputed = dispute(resultOf([finding('a', 'failed'), finding('b', 'failed')]), 'a', 'It is by design.');
	expect(disputed.counts).toMatchObject({ failed: 1, disputed: 1 });
	expect(disputed.findings[0]).toMatchObject({ verdict: 'disputed', dispute: 'It is by design.' });
	expect(dispute(disputed, 'a', '')).toEqual(resultOf([finding('a', 'failed'), finding('b', 'failed')]));
});
