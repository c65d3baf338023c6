import { describe, expect, it, vi } from 'vitest';
import { allRules } from '#evidence/all-rules.ts';
import { judgeGoodClient, judgeHabits, judgeMutant } from './judge-mutant.ts';
import { furtherMutants, mutants } from './mutants.ts';
import { ReferenceClient, type ClientSettings } from './reference-client.ts';
import { takeExam } from './take-exam.ts';

// The nightly tests examine all of them, in several orders.
const selection = [...mutants, ...furtherMutants].filter(
	// A step goes on only for clients that refresh at 503.
	({ mistakes }, index) => index % 12 === 0 || mistakes.includes('refreshes at 503')
);

it('has a wrong client for each rule', () => {
	// Those of today's standards have their own wrong clients, in devices.test.ts, dpop.test.ts, issuers.test.ts and pushed.test.ts.
	// The exam uses a client as users do, who do not wait: paced.test.ts has the wrong clients of `limit.paced`.
	const rules = allRules
		.filter(({ dialect, id }) => dialect !== 'standard' && id !== 'limit.paced')
		.map(({ id }) => id);
	expect(new Set(mutants.map(({ rule }) => rule))).toEqual(new Set(rules));
});

it('finds nothing wrong in a good client', () => judgeGoodClient(1));

it('finds nothing wrong in a client with unusual habits', () =>
	judgeHabits(
		[
			...(['state of 200 characters', 'unknown parameters', 'one call at a time', 'error text in a script'] as const),
			...(['one cache for all users', 'three tries of a call without a response'] as const)
		],
		1
	));

it.each(['no refresh for a minute after a failed one', 'retries with full jitter'] as const)(
	'finds nothing wrong: %s',
	(habit) => judgeHabits([habit], 1)
);

it('waits for a client that sends no refresh for a minute after a failed one', async () => {
	const habits = ['no refresh for a minute after a failed one'] as const;
	const only = ['token.keep_on_failure', 'token.lost_refresh'];
	const { findings } = await takeExam((settings) => new ReferenceClient({ ...settings, habits }), { only });
	expect(findings.map(({ rule, verdict }) => [rule, verdict])).toEqual(only.map((rule) => [rule, 'passed']));
});

// Their calls and sign-ins come at other times than those of others.
it.each([
	'calls in the background',
	'calls two seconds later in the background',
	'one call a second',
	'signs in again in place of a refresh'
] as const)('finds nothing wrong by today’s standards: %s', (habit) => judgeHabits([habit], 2, 'standard'));

// It keeps the response, and sends no call when it is used.
it('judges a client that has read a character before its first use', () =>
	judgeHabits(['shows a character after the sign-in'], 1));

describe('judges a client', () => {
	it.each(selection)('$rule: $mistakes', (mutant) => judgeMutant(mutant, 1));
});

it('waits for the refresh of its user where another one uses the client', async () => {
	const mistakes = ['signs out at each failure'] as const;
	const create = (settings: ClientSettings) => new ReferenceClient({ ...settings, mistakes });
	const only = ['token.keep_on_failure'];
	const { findings } = await takeExam(create, { only, conditions: ['another user uses the client'] });
	expect(findings.map(({ verdict }) => verdict)).toEqual(['failed']);
});

it('asks nothing of an installed client with one store for the user who signed in before', async () => {
	const mistakes = ['one token for all users'] as const;
	const only = ['call.own_user'];
	const examine = async (kind: 'web' | 'installed') => {
		const create = (settings: ClientSettings) => new ReferenceClient({ ...settings, mistakes });
		return (await takeExam(create, { kind, only })).findings.map(({ verdict }) => verdict);
	};
	expect(await examine('web')).toEqual(['failed']);
	expect(await examine('installed')).toEqual(['passed']);
});

// Each use takes half a minute, and one refresh proves nothing.
it('waits for the second refresh of a client whose pauses are as long as they can be', async () => {
	const random = vi.spyOn(Math, 'random').mockReturnValue(0.999);
	try {
		const client = { mistakes: ['refreshes at 503'], habits: ['four retries with growing pauses'] } as const;
		const only = ['token.refresh_when_due'];
		const create = (settings: ClientSettings) => new ReferenceClient({ ...settings, ...client });
		const { findings, probes } = await takeExam(create, { only });
		const end = probes?.find(({ id }) => id === 'unavailable');
		expect([findings.map(({ verdict }) => verdict), end?.outcome]).toEqual([['failed'], 'done']);
	} finally {
		random.mockRestore();
	}
});
