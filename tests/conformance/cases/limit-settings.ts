import { defined, equal, matches, ok } from '../assert.ts';
import { storeCase, type Case } from '../case.ts';
import { readCharacter, standardCase, standardTokens } from '../standard.ts';

/** How many of 30 requests at once are accepted, with 20 in 20 minutes. */
const otherAlgorithms = [
	{ name: 'sliding_log', accepted: 20 },
	{ name: 'sliding_counter', accepted: 20 },
	{ name: 'token_bucket', accepted: 20 },
	// The next request would wait for a minute.
	{ name: 'leaky_bucket', accepted: 1 },
	{ name: 'gcra', accepted: 2 }
] as const;

/** RL-13 to RL-15, and the fields of today's standards: how the settings of a sandbox change what is counted. */
export const limitSettingCases: Case[] = [
	...otherAlgorithms.map(({ name, accepted }) =>
		storeCase(
			`RL-13 ${name}: ${accepted} of 30 parallel requests succeed, and another one at the reset`,
			async (at) => {
				await at.changeSettings({ limits: { character: 20, window: 1200 }, limit_algorithm: name });
				const { access_token } = await at.user().tokens();
				const responses = await Promise.all(Array.from({ length: 30 }, () => at.character(access_token)));
				const rejected = responses.filter(({ status }) => status === 400);
				equal(responses.filter(({ status }) => status === 200).length, accepted);
				equal(rejected.length, 30 - accepted);
				ok(
					rejected.every(({ limit }) => limit.limit === accepted && limit.remaining === 0),
					'none is left'
				);
				const reset = Math.max(...rejected.map(({ limit }) => limit.reset));
				await at.controlled('POST', 'clock', { to: reset });
				const next = await at.character(access_token);
				equal([next.status, next.limit.remaining >= 0], [200, true]);
			}
		)
	),
	storeCase(
		'RL-14 counts the slow test card as often as it costs, and rejects it alone where too few are left',
		async (at) => {
			await at.changeSettings({ limits: { character: 12, slow_cost: 10 } });
			const { access_token } = await at.user().tokens();
			equal((await at.character(access_token)).limit.remaining, 11);
			await at.fault({ endpoint: 'character', kind: 'status', status: 503 });
			equal((await at.character(access_token, 'Test Slow')).limit.remaining, 1);
			const rejected = await at.character(access_token, 'Test Slow');
			equal([rejected.status, rejected.error, rejected.limit.remaining], [400, 'rate_limit_exceeded', 1]);
			equal((await at.character(access_token)).limit.remaining, 0, 'a cheap request still fits');
		}
	),
	storeCase('RL-15 lets two of eight requests in at the same time, and others once these have ended', async (at) => {
		await at.changeSettings({ limits: { concurrent: 2 } });
		const { access_token } = await at.user().tokens();
		await at.controlled('POST', 'faults', { endpoint: 'character', kind: 'delay', delay_ms: 1500, times: null });
		const responses = await Promise.all(Array.from({ length: 8 }, () => at.character(access_token)));
		const rejected = responses.filter(({ status }) => status === 400);
		equal([responses.filter(({ status }) => status === 200).length, rejected.length], [2, 6]);
		for (const response of rejected.slice(0, 1)) equal(await at.failedCheck(response), 'rate_limit.few_at_once');
		await at.controlled('DELETE', 'faults');
		for (let after = 0; after < 3; after++) equal((await at.character(access_token)).status, 200);
	}),
	standardCase('over the limit the body names the problem, and Retry-After may be a date', async (at) => {
		const { access_token } = await standardTokens(at);
		await at.changeSettings({ limits: { character: 0, blacklist_after_refused: 2 }, retry_after: 'date' });
		const response = await readCharacter(at, access_token);
		equal([response.status, response.header('content-type')], [429, 'application/problem+json']);
		const { type, status, error, 'violated-policies': policies } = Object(response.json());
		equal([status, error, policies], [429, 'rate_limit_exceeded', ['character']]);
		matches(type, /#quota-exceeded$/);
		const date = Date.parse(defined(response.header('retry-after'), 'Retry-After'));
		const wait = (date - Date.parse(defined(response.header('date'), 'Date'))) / 1000;
		// Date is rounded down, and Retry-After is rounded up.
		ok(wait >= 1 && wait <= 3601, `${wait} seconds`);
		matches(Object((await readCharacter(at, access_token)).json()).type, /#abnormal-usage-detected$/);
	}),
	standardCase('other algorithms say when more requests are left, and when a rejected one is accepted', async (at) => {
		const { access_token } = await standardTokens(at);
		await at.changeSettings({ limits: { character: 10, window: 600 }, limit_algorithm: 'token_bucket' });
		const first = await readCharacter(at, access_token);
		matches(first.header('ratelimit'), /^"character";r=9;t=(?:60|59);/);
		for (let more = 0; more < 9; more++) await readCharacter(at, access_token);
		const rejected = await readCharacter(at, access_token);
		const wait = Number(rejected.header('retry-after'));
		equal([rejected.status, wait > 50 && wait <= 60], [429, true]);
		await at.advance(wait);
		equal((await readCharacter(at, access_token)).status, 200);
	}),
	standardCase('requests in progress are a policy of their own', async (at) => {
		const { access_token } = await standardTokens(at);
		await at.changeSettings({ limits: { concurrent: 2 } });
		const response = await readCharacter(at, access_token);
		matches(response.header('ratelimit-policy'), /, "concurrent";q=2;qu="concurrent-requests";pk=:/);
		matches(response.header('ratelimit'), /, "concurrent";r=1;pk=:/);
	})
];
