import { expect, it } from 'vitest';
import * as v from 'valibot';
import { examResult, probeIds, type ProbeId } from '#api/exam.ts';
import { ForeignUrl } from '#exam/browser.ts';
import { orderOf } from '#exam/order.ts';
import { probeList } from '#exam/probe-list.ts';
import { runExam } from '#exam/run-exam.ts';
import { allRules } from '#evidence/all-rules.ts';
import { fastTimers, prepareClient } from './client-under-test.ts';

const prepare = async (options: Parameters<typeof prepareClient>[0] = {}) => ({
	...(await prepareClient(options)),
	timers: fastTimers
});

const failedRules = (findings: readonly { rule: string; verdict: string }[]) =>
	findings.filter(({ verdict }) => verdict === 'failed').map(({ rule }) => rule);

it('gives the same order for the same seed, and another for another', () => {
	const ids = (seed: number) => orderOf(seed).map(({ id }) => id);
	expect(ids(7)).toEqual(ids(7));
	expect(ids(7)).not.toEqual(ids(8));
	expect(ids(7).toSorted()).toEqual(ids(8).toSorted());
	for (const seed of [1, 2, 3]) expect(ids(seed).at(0)).toBe('warm_up');
});

it('names for each probe the section that allows it, and rules that exist', () => {
	expect(probeList.map(({ id }) => id)).toEqual(probeIds);
	const rules = allRules.map(({ id }) => id);
	for (const { legal, judges } of probeList) {
		expect(legal).toMatch(/^(§ \d|RFC \d+ §)/);
		expect(rules).toEqual(expect.arrayContaining([...judges]));
	}
});

it('finds the mistake of a client, and none in one without', async () => {
	const probes = ['warm_up', 'denied', 'wrong_state'] as const;
	const good = await runExam({ ...(await prepare()), probes });
	expect(failedRules(good.findings)).toEqual([]);
	expect(good.problem).toBeUndefined();
	const wrong = await runExam({ ...(await prepare({ mistakes: ['reads the code only'] })), probes });
	expect(failedRules(wrong.findings)).toEqual(['callback.denial']);
	expect(v.is(examResult, wrong)).toBe(true);
});

it('runs only the probes that the chosen rules need', async () => {
	const result = await runExam({ ...(await prepare()), only: ['request.*', 'callback.denial'] });
	const done = result.probes?.filter(({ outcome }) => outcome === 'done').map(({ id }) => id);
	expect(done).toEqual(['warm_up', 'denied']);
	expect(result.findings.every(({ rule }) => /^request\.|^callback\.denial$/.test(rule))).toBe(true);
});

it('ends once the client cannot be signed in, and says why', async () => {
	const client = await prepare();
	const driver = {
		...client.driver,
		signIn: () => Promise.reject(new ForeignUrl('The client redirected to https://other.test.'))
	};
	const result = await runExam({ ...client, driver });
	expect(result).toMatchObject({ ended: 'client_failed', problem: 'The client redirected to https://other.test.' });
	expect(result.probes).toHaveLength(1);
});

it('stops at once, and returns what it has found', async () => {
	const stop = new AbortController();
	const outcomes: ProbeId[] = [];
	const result = await runExam({
		...(await prepare()),
		signal: stop.signal,
		onProgress: (progress) => {
			if (progress.type === 'probe_ended') outcomes.push(progress.probe);
			if (progress.type === 'probe' && progress.probe !== 'warm_up') stop.abort();
		}
	});
	expect(result.ended).toBe('stopped');
	expect(outcomes[0]).toBe('warm_up');
	expect(result.probes).toHaveLength(2);
});
