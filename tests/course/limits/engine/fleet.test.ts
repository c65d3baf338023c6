import { describe, expect, it } from 'vitest';
import { limitAlgorithmNames } from '#api/limit-algorithm.ts';
import { findingOf } from '#course/limits/engine/fleet-finding.ts';
import { countSeconds, figuresOf, herdOf, shownRun, totalOf } from '#course/limits/engine/fleet-figures.ts';
import { fleetOf, fleetQuestions } from '#course/limits/engine/fleet-setup.ts';
import { longestRun, runFleet, type Fleet, type FleetResult } from '#course/limits/engine/fleet.ts';
import { retryPolicyNames, type RetryPolicyName } from '#api/retry-policy.ts';
import { longestJitter, retryPolicy } from '#course/limits/engine/retry-policies.ts';

const fleet: Fleet = {
	groups: [{ policy: 'retry_after', clients: 20 }],
	algorithm: 'fixed_window',
	limit: { limit: 10, window: 60_000 },
	address: 'shared',
	blacklistAfter: 100_000,
	lookups: 3,
	seed: 3
};
const runOf = (policy: RetryPolicyName, changed: Partial<Fleet> = {}): FleetResult =>
	runFleet({ ...fleet, groups: [{ policy, clients: 20 }], ...changed });
const acceptedAt = ({ requests }: FleetResult) =>
	requests.filter(({ outcome }) => outcome === 'accepted').map(({ at }) => at);
/** The most accepted requests in any time as long as the window. */
function mostInWindow(result: FleetResult): number {
	const times = acceptedAt(result);
	return Math.max(0, ...times.map((from) => times.filter((at) => at >= from && at < from + 60_000).length));
}

describe('the herd', () => {
	it.each([1, 2, 3, 4, 5, 6, 7, 8])(
		'has at least 18 of 20 retries in one second with Retry-After (seed %i)',
		(seed) => {
			const herd = herdOf(runOf('retry_after', { seed }));
			expect(herd?.retries).toBeGreaterThanOrEqual(18);
			expect(herd?.at).toBe(60_000);
		}
	);

	it.each([1, 2, 3, 4, 5, 6, 7, 8])('is removed by jitter above Retry-After (seed %i)', (seed) => {
		const later = runOf('jitter_above', { seed }).requests.filter(({ at }) => at >= 60_000);
		expect(Math.max(...countSeconds(later).map(totalOf))).toBeLessThanOrEqual(6);
	});

	it('remains as large where clients pace themselves by a limit that others use', () => {
		expect(herdOf(runOf('pace'))?.retries).toBeGreaterThanOrEqual(15);
	});
});

describe.each(limitAlgorithmNames)('%s', (algorithm) => {
	it.each(retryPolicyNames)('gives the same result for the same seed with %s', (policy) => {
		expect(runOf(policy, { algorithm })).toEqual(runOf(policy, { algorithm }));
		expect(runOf(policy, { algorithm, seed: 4 }).requests).not.toEqual(runOf(policy, { algorithm }).requests);
	});

	it.each(retryPolicyNames)(
		'never accepts a retry before the reset, nor more than the algorithm allows with %s',
		(policy) => {
			const result = runOf(policy, { algorithm });
			expect(result.requests.filter(({ isEarly, outcome }) => isEarly && outcome === 'accepted')).toEqual([]);
			// A window, and what a bucket refills meanwhile or a window before it had.
			expect(mostInWindow(result)).toBeLessThanOrEqual(algorithm === 'sliding_log' ? 10 : 20);
		}
	);
});

it('never accepts more than the limit in one fixed window', () => {
	for (const policy of retryPolicyNames) {
		const result = runOf(policy);
		const ends = [...result.resets, Infinity];
		const perWindow = ends.map(
			(end, index) => acceptedAt(result).filter((at) => at < end && at >= (ends[index - 1] ?? 0)).length
		);
		expect(Math.max(...perWindow)).toBeLessThanOrEqual(10);
	}
});

describe('policies', () => {
	const rejection = (random: number, times = 1) => ({ times, retryAfter: 30_000, random: () => random });
	const least = 0;
	const most = 0.999999;

	it('wait as long as they promise', () => {
		const wait = (name: RetryPolicyName, random: number, times?: number) =>
			retryPolicy(name).wait(rejection(random, times));
		expect(wait('none', most)).toBeUndefined();
		expect(wait('fixed', most, 9)).toBe(5000);
		expect([1, 2, 3, 4, 9].map((times) => wait('exponential', most, times))).toEqual([1000, 2000, 4000, 8000, 64_000]);
		expect(wait('exponential_jitter', most, 3)).toBeLessThan(4000);
		expect(wait('retry_after', most)).toBe(30_000);
		expect(wait('jitter_below', least)).toBe(0);
		expect(wait('jitter_below', most)).toBeLessThan(30_000);
		expect(wait('jitter_above', least)).toBe(30_000);
		expect(wait('jitter_above', most)).toBeLessThan(30_000 + longestJitter);
		expect(retryPolicy('pace').pace?.({ remaining: 4, reset: 20_000 })).toBe(5000);
	});

	it.each(['retry_after', 'jitter_above', 'pace'] as const)('never retry before the reset with %s', (policy) => {
		expect(figuresOf(runOf(policy)).early).toBe(0);
	});

	it('lose each rejected lookup without retries, and none with them', () => {
		expect(figuresOf(runOf('none'))).toMatchObject({ accepted: 10, lost: 50 });
		for (const policy of retryPolicyNames.filter((name) => name !== 'none'))
			expect(figuresOf(runOf(policy))).toMatchObject({ accepted: 60, done: 20, lost: 0 });
	});

	it('reject hardly less with jitter above the reset, because the limit remains', () => {
		const shareOf = (policy: RetryPolicyName) => figuresOf(runOf(policy)).rejectedShare;
		expect(Math.abs(shareOf('jitter_above') - shareOf('retry_after'))).toBeLessThan(0.1);
	});
});

it('keeps the start of each client where there are more of them, or another policy', () => {
	const starts = ({ requests }: FleetResult) =>
		Array.from({ length: 20 }, (_, index) => requests.find(({ client }) => client === index)?.at);
	expect(starts(runOf('fixed'))).toEqual(starts(runOf('retry_after')));
	expect(starts(runFleet({ ...fleet, groups: [{ policy: 'fixed', clients: 80 }] }))).toEqual(starts(runOf('fixed')));
});

it('gives clients with their own address limits of their own', () => {
	expect(figuresOf(runOf('retry_after', { address: 'own' }))).toMatchObject({ rejected: 0, done: 20 });
});

it('counts what others use of a shared limit', () => {
	const used = Array.from({ length: 10 }, () => 0);
	expect(runOf('retry_after', { used }).requests[0]?.outcome).toBe('rejected');
	expect(runOf('retry_after', { used, address: 'own' }).requests[0]?.outcome).toBe('accepted');
});

it('blacklists a shared address for all, also for clients that wait', () => {
	const result = runFleet({
		...fleet,
		blacklistAfter: 100,
		groups: [
			{ policy: 'fixed', clients: 10 },
			{ policy: 'jitter_above', clients: 10 }
		]
	});
	const { blacklistedAt = NaN, requests, clients } = result;
	expect(requests.filter(({ outcome, at }) => outcome === 'rejected' && at <= blacklistedAt)).toHaveLength(100);
	expect(requests.filter(({ at }) => at > blacklistedAt).every(({ outcome }) => outcome === 'blacklisted')).toBe(true);
	expect(
		clients.filter(({ policy, doneAt }) => policy === 'jitter_above' && doneAt === undefined).length
	).toBeGreaterThan(5);
	expect(figuresOf(result).patient).toBeGreaterThanOrEqual(10);
});

it('goes on for an hour where clients never learn', () => {
	const { requests } = runOf('fixed', { groups: [{ policy: 'fixed', clients: 20 }], lookups: 1000 });
	expect(requests.at(-1)?.at).toBeGreaterThan(longestRun * 0.9);
	expect(requests.at(-1)?.at).toBeLessThanOrEqual(longestRun);
});

describe('findings', () => {
	const findings = fleetQuestions.map((question) => {
		const { setup } = question;
		const other = setup.compare === 'nothing' ? undefined : shownRun(runFleet(fleetOf(setup, setup.compare)));
		return findingOf(question, shownRun(runFleet(fleetOf(setup, setup.policy))), other);
	});

	it('say what the simulation shows', () => {
		expect(findings).toMatchInlineSnapshot(`
			[
			  {
			    "next": {
			      "change": {
			        "policy": "jitter_above",
			      },
			      "label": "Try jitter above the reset",
			    },
			    "text": "Every rejected client gets the same reset in \`Retry-After\`. At 1 min, 19 of 20 clients retry within one second, and 9 requests are rejected again.",
			    "title": "They read the same number",
			  },
			  {
			    "advice": "Jitter belongs above the reset: wait for \`Retry-After\`, then add a random time.",
			    "text": "A sends 337 of them, B none. A has 347 more rejected requests. The last client is done after 5 min 4 s with A, after 5 min 52 s with B.",
			    "title": "No retry before the reset is accepted",
			  },
			  {
			    "next": {
			      "change": {
			        "address": "own",
			      },
			      "label": "Give each client its own address",
			    },
			    "text": "Requests are counted by public address. Alone, a client is done after 2 s. Here 20 clients share 10 per 60 s, and the last one is done after 5 min 52 s.",
			    "title": "All of them use one limit",
			  },
			  {
			    "advice": "This does not expire. Only a support ticket ends it.",
			    "next": {
			      "change": {
			        "address": "own",
			      },
			      "label": "Give each client its own address",
			    },
			    "text": "At 51 s the address had 100 rejected requests in one window. No client behind it gets a response now. 11 of them never retried before the reset.",
			    "title": "Waiting does not protect them",
			  },
			]
		`);
	});

	it.each(retryPolicyNames)('have no empty number with %s', (policy) => {
		for (const question of fleetQuestions)
			for (const clients of [1, 20, 200])
				for (const address of ['shared', 'own'] as const) {
					const setup = { ...question.setup, policy, clients, address, compare: 'nothing' as const };
					const { title, text } = findingOf({ ...question, setup }, shownRun(runFleet(fleetOf(setup, policy))));
					expect(`${title} ${text}`).not.toMatch(/undefined|NaN|Infinity/);
				}
	});
});
