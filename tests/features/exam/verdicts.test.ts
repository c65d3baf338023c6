import { expect, it } from 'vitest';
import { resultTitle } from '#features/exam/verdicts.ts';
import { badResult, goodResult } from '../../exam/report/example-result.ts';

it('says how much an exam has judged that was stopped', () => {
	expect(resultTitle(goodResult)).toBe('Nothing failed');
	expect(resultTitle({ ...goodResult, ended: 'stopped' })).toBe('Stopped: 2 of 4 judged');
	expect(resultTitle({ ...goodResult, ended: 'calls_failed' })).toBe('No call worked: 2 of 4 judged');
	expect(resultTitle(badResult)).toBe('2 rules failed');
	expect(resultTitle({ ...badResult, ended: 'time_limit' })).toBe('2 rules failed, 5 of 7 judged');
});

it('does not count rules that the dialect leaves out', () => {
	const cache = goodResult.findings.map((finding) => ({
		...finding,
		rule: 'limit.cache',
		verdict: 'not_shown' as const
	}));
	const findings = [...goodResult.findings, ...cache.slice(0, 1)];
	expect(resultTitle({ findings, ended: 'stopped' })).toBe('Stopped: 2 of 5 judged');
	expect(resultTitle({ findings, ended: 'stopped', dialect: 'standard' })).toBe('Stopped: 2 of 4 judged');
});
