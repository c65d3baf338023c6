import { afterEach, beforeEach, expect, it } from 'vitest';
import * as v from 'valibot';
import { examResult, probeIds, type ProbeId } from '#api/exam.ts';
import { ProbeSkipped, type Driver } from '#exam/driver.ts';
import { ForeignUrl } from '#exam/browser.ts';
import { orderOf } from '#exam/order.ts';
import { probeList } from '#exam/probe-list.ts';
import { runExam } from '#exam/run-exam.ts';
import { allRules } from '#evidence/all-rules.ts';
import { prepareClient } from './client-under-test.ts';
import { startVirtualClock } from './virtual-clock.ts';

let stopClock: () => void;
beforeEach(() => (stopClock = startVirtualClock()));
afterEach(() => stopClock());

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
	const good = await runExam({ ...(await prepareClient()), probes });
	expect(failedRules(good.findings)).toEqual([]);
	expect(good.problem).toBeUndefined();
	const wrong = await runExam({ ...(await prepareClient({ mistakes: ['reads the code only'] })), probes });
	expect(failedRules(wrong.findings)).toEqual(['callback.denial']);
	expect(v.is(examResult, wrong)).toBe(true);
});

it('runs only the probes that the chosen rules need', async () => {
	const result = await runExam({ ...(await prepareClient()), only: ['request.*', 'callback.denial'] });
	const done = result.probes?.filter(({ outcome }) => outcome === 'done').map(({ id }) => id);
	expect(done).toEqual(['warm_up', 'denied']);
	expect(result.findings.every(({ rule }) => /^request\.|^callback\.denial$/.test(rule))).toBe(true);
});

it('rejects rules that do not exist, because a typing mistake would judge nothing', async () => {
	const client = await prepareClient();
	await expect(runExam({ ...client, only: ['request.*', 'limit.cash'] })).rejects.toThrow(
		'No rule is called limit.cash.'
	);
	await expect(runExam({ ...client, skip: ['calls.*'] })).rejects.toThrow('No rule is called calls.*.');
});

it('begins without the faults and limits of an exam that was interrupted', async () => {
	const client = await prepareClient();
	const { api, key } = client.sandbox;
	const owner = key === undefined ? {} : { key };
	await api.request('POST /control/faults', {
		...owner,
		body: { endpoint: 'character', kind: 'unauthorized', times: null }
	});
	await api.request('PATCH /control/settings', { ...owner, body: { limits: { character: 3 } } });
	const { findings } = await runExam({ ...client, probes: ['warm_up', 'cache'] });
	expect(findings.find(({ rule }) => rule === 'limit.cache')?.verdict).toBe('passed');
});

it('returns to the real time before the limits, because clients compare them with their own clock', async () => {
	const client = await prepareClient();
	const { api, key } = client.sandbox;
	const owner = key === undefined ? {} : { key };
	await api.request('POST /control/clock', { ...owner, body: { advance: 4000 } });
	await runExam({ ...client, probes: ['warm_up', 'limited'] });
	expect((await api.request('GET /control/clock', owner)).offset).toBe(0);
});

it('ends once the client cannot be signed in, and says why', async () => {
	const client = await prepareClient();
	const driver = {
		...client.driver,
		signIn: () => Promise.reject(new ForeignUrl('The client redirected to https://other.test.'))
	};
	const result = await runExam({ ...client, driver });
	expect(result).toMatchObject({ ended: 'client_failed', problem: 'The client redirected to https://other.test.' });
	expect(result.probes).toHaveLength(1);
});

it('goes on after a client that takes too long', async () => {
	const client = await prepareClient();
	let isSlow = false;
	const driver: Driver = {
		...client.driver,
		signIn: (browser, user) =>
			user.expect === 'error' && isSlow ? new Promise(() => {}) : client.driver.signIn(browser, user)
	};
	const result = await runExam({
		...client,
		driver,
		probes: ['warm_up', 'denied', 'extra'],
		probeTimeLimit: 10_000,
		onProgress: ({ type }) => type === 'probe_ended' && (isSlow = true)
	});
	const outcomes = Object.fromEntries((result.probes ?? []).map(({ id, outcome }) => [id, outcome]));
	expect(outcomes).toMatchObject({ warm_up: 'done', extra: 'done', denied: 'timed_out' });
	expect(result.ended).toBeUndefined();
});

it('ends at its time limit', async () => {
	const client = await prepareClient();
	const result = await runExam({
		...client,
		timeLimit: 20_000,
		driver: { ...client.driver, use: () => new Promise(() => {}) }
	});
	expect(result).toMatchObject({ ended: 'time_limit', probes: [{ id: 'warm_up', outcome: 'timed_out' }] });
});

it('says that a client sent no call, because half of the rules had nothing to judge', async () => {
	const client = await prepareClient();
	const driver: Driver = { ...client.driver, use: () => Promise.resolve(), page: () => ({ status: 404, text: '' }) };
	const result = await runExam({ ...client, driver, only: ['request.*', 'limit.cache'] });
	expect(result.ended).toBe('calls_failed');
	expect(result.problem).toContain('The page that uses it responded with status 404.');
	const { use: _use, ...without } = client.driver;
	const unused = await runExam({ ...client, driver: without, only: ['request.*', 'limit.cache'] });
	expect([unused.ended, unused.findings.find(({ rule }) => rule === 'limit.cache')?.text]).toEqual([
		undefined,
		'Not shown. The step “One name six times” was skipped: the exam does not know how to use the client.'
	]);
});

it('gives a slow client more time, unless the time limit is chosen', async () => {
	const slow = async (timeLimit?: number) => {
		const client = await prepareClient();
		const driver: Driver = {
			...client.driver,
			use: async (...use) => {
				await new Promise((resolve) => setTimeout(resolve, 8000));
				await client.driver.use?.(...use);
			}
		};
		return runExam({ ...client, driver, ...(timeLimit === undefined ? {} : { timeLimit }) });
	};
	expect((await slow()).ended).toBeUndefined();
	expect((await slow(300_000)).ended).toBe('time_limit');
});

it('skips a probe that the user does not want to do', async () => {
	const client = await prepareClient();
	const driver: Driver = {
		...client.driver,
		signIn: (browser, user) =>
			user.expect === 'error' ? Promise.reject(new ProbeSkipped()) : client.driver.signIn(browser, user)
	};
	const result = await runExam({ ...client, driver, probes: ['warm_up', 'denied'] });
	expect(result.probes?.find(({ id }) => id === 'denied')?.outcome).toBe('skipped');
	expect(result.findings.find(({ rule }) => rule === 'callback.denial')).toMatchObject({
		verdict: 'not_shown',
		text: 'Not shown. The step “User denies access” was skipped.'
	});
});

it('takes its own requests for no evidence about the client, also those of steps that were skipped', async () => {
	const client = await prepareClient();
	const driver: Driver = { ...client.driver, open: () => Promise.resolve(false) };
	const { findings, probes } = await runExam({ ...client, driver, only: ['request.*', 'callback.state_required'] });
	expect(probes?.filter(({ outcome }) => outcome === 'skipped').map(({ reason }) => reason)).toContain(
		'the client did not respond at its redirect URI'
	);
	expect(findings.filter(({ verdict }) => verdict === 'failed' || verdict === 'advice')).toEqual([]);
	expect(findings.find(({ rule }) => rule === 'request.protected')?.verdict).toBe('passed');
});

it('reads no name twice, so that a client whose users share a cache sends each call', async () => {
	const client = await prepareClient();
	const names: string[] = [];
	const use: Driver['use'] = async (browser, name) => {
		names.push(name);
		await client.driver.use?.(browser, name);
	};
	const { probes } = await runExam({ ...client, driver: { ...client.driver, use }, skip: ['limit.cache'] });
	expect(probes?.filter(({ outcome }) => outcome === 'done').length).toBeGreaterThan(24);
	expect([names.length > 80, new Set(names).size]).toEqual([true, names.length]);
});

it('says why a client cannot show a step', async () => {
	const stateless = await prepareClient({ mistakes: ['no state'] });
	const { findings } = await runExam({ ...stateless, only: ['callback.state_once'] });
	expect(findings[0]?.text).toBe('Not shown. The step “State used before” was skipped: the client sends no state.');
	const client = await prepareClient();
	let uses = 0;
	const driver: Driver = {
		...client.driver,
		use: async (browser, name) => void (++uses < 3 && (await client.driver.use?.(browser, name)))
	};
	const silent = await runExam({ ...client, driver, only: ['limit.cache'] });
	expect(silent.findings[0]?.text).toBe(
		'Not shown. The step “One name six times” was skipped: the client sent no call after the sign-in.'
	);
	expect(v.is(examResult, silent)).toBe(true);
});

it('reads the traffic of a client that polls', async () => {
	const client = await prepareClient();
	const polling = setInterval(() => void client.sandbox.fetch(`${client.sandbox.api.baseUrl}/ratelimiting`, {}), 30);
	const result = await runExam({ ...client, probes: ['warm_up', 'denied'] }).finally(() => clearInterval(polling));
	expect(result.probes?.filter(({ outcome }) => outcome === 'done')).toHaveLength(2);
});

it('stops at once, and returns what it has found', async () => {
	const stop = new AbortController();
	const outcomes: ProbeId[] = [];
	const result = await runExam({
		...(await prepareClient()),
		signal: stop.signal,
		onProgress: (progress) => {
			if (progress.type === 'probe_ended') outcomes.push(progress.probe);
			if (progress.type === 'probe' && progress.probe !== 'warm_up') stop.abort();
		}
	});
	expect(result.ended).toBe('stopped');
	expect(outcomes[0]).toBe('warm_up');
	expect(result.probes?.map(({ outcome }) => outcome)).toEqual(['done', 'stopped']);
	const missed = result.findings.filter(({ text }) => text.endsWith('was not reached.'));
	expect(missed.length).toBeGreaterThan(20);
});
