import { expect, test } from 'vitest';
import { allRules } from '#evidence/all-rules.ts';
import { evaluateRules } from '#evidence/rule.ts';
import { rulesIn } from '#evidence/provider-rules.ts';
import { buildRun } from '#evidence/run.ts';
import { readEntries } from '../features/inspector/entries.ts';
import { createTestService } from '../service/test-service.ts';
import type { Case, Log } from './log.ts';
import { testCases } from './test-cases.ts';

type Run = {
	/** How many calls come, and milliseconds between them. Default: all, and 50. */
	readonly calls?: number;
	readonly gap?: number;
	readonly limit?: number;
	/** How many other calls the address has sent before. */
	readonly others?: number;
	/** How many calls are rejected afterwards. */
	readonly rejected?: number;
	/** From the reset until the next window begins, in milliseconds. Default: 1000. */
	readonly back?: number;
};

/** Calls of one window of 60 seconds. */
function window(log: Log, flow: string, run: Run = {}): void {
	const { limit = 20, others = 0, calls = limit - others, gap = 50, rejected = 0, back = 1000 } = run;
	const begin = log.at;
	const headers = (remaining: number) => ({
		'X-RateLimit-Limit': `${limit}`,
		'X-RateLimit-Remaining': `${remaining}`,
		'X-RateLimit-Reset': `${Math.ceil(begin / 1000) + 60}`,
		Date: new Date(log.at).toUTCString()
	});
	for (let count = 1; count <= calls; count++)
		log.call(flow, { headers: headers(limit - others - count) }, count === 1 ? 0 : gap);
	for (let count = 0; count < rejected; count++)
		log.call(flow, { status: 400, failed: 'rate_limit.not_exceeded', headers: headers(0) }, 1000);
	log.at = Math.ceil(begin / 1000) * 1000 + 60_000 + back;
}

const windows =
	(...runs: readonly Run[]) =>
	(log: Log) => {
		const flow = log.session();
		for (const run of runs) window(log, flow, run);
	};

const cases: Case[] = [
	[
		'limit.paced',
		'advice',
		'the client waits for two resets',
		windows({}, {}, { calls: 1 }),
		{ text: 'In 2 windows, your client used all 20 calls within 1 s of 60 s, and had more to send.' }
	],
	['limit.paced', 'advice', 'calls of two windows are rejected', windows({ rejected: 2 }, { rejected: 1 })],
	[
		'limit.paced',
		'advice',
		'the windows are not in a row',
		windows({ rejected: 1 }, { calls: 2, back: 500_000 }, { rejected: 1 })
	],
	['limit.paced', 'not_shown', 'it happens once', windows({}, { calls: 3 })],
	['limit.paced', 'not_shown', 'nothing follows', windows({ back: 20_000 }, { back: 20_000 }, { calls: 1 })],
	['limit.paced', 'not_shown', 'it has few calls to send', windows({ calls: 9 }, { calls: 9 }, { calls: 9 })],
	[
		'limit.paced',
		'not_shown',
		'the limit is that of an exam',
		windows({ limit: 3, rejected: 5 }, { limit: 3, rejected: 5 })
	],
	[
		'limit.paced',
		'not_shown',
		'another client of the address used a part',
		windows({ others: 5, rejected: 5 }, { others: 5, rejected: 5 })
	],
	['limit.paced', 'not_shown', 'a user comes back later', windows({ calls: 19 }, { calls: 19 })],
	['limit.paced', 'passed', 'the calls are spread', windows({ gap: 3000 }, { gap: 3000 })],
	[
		'limit.paced',
		'passed',
		'the window is used up in its first quarter and a spread one follows',
		windows({ gap: 700 }, { gap: 3000 })
	],
	['limit.paced', 'not_shown', 'spread calls are rejected in the end', windows({ gap: 2000, rejected: 3 })],
	['limit.paced', 'passed', 'half of a window is spread', windows({ calls: 10, gap: 5000 })],
	[
		'limit.paced',
		'not_shown',
		'the window is used up in its first fifth',
		windows({ gap: 600 }, { gap: 600 }, { calls: 1 })
	]
];

testCases(cases);

test('limit.paced is advice at worst, and no standard asks for it', () => {
	expect(allRules.find(({ id }) => id === 'limit.paced')?.severity).toBeUndefined();
	expect(
		rulesIn('standard')
			.find(({ id }) => id === 'limit.paced')
			?.judge(buildRun([])).text
	).toMatch(/^Left out\. /);
});

type Seen = { readonly remaining: number; readonly wait: number };

/** Clients: how long they wait after a response in milliseconds, and the verdict. */
const clients: readonly [string, string, (seen: Seen, limit: number) => number][] = [
	['sends at once, and waits for the reset', 'advice', ({ remaining, wait }) => (remaining > 0 ? 20 : wait + 1000)],
	['sends at once, and tries again each ten seconds', 'advice', ({ remaining }) => (remaining > 0 ? 20 : 10_000)],
	['divides the time by what remains', 'passed', ({ remaining, wait }) => wait / Math.max(1, remaining)],
	[
		'slows down below half of the limit',
		'passed',
		({ remaining, wait }, limit) => (remaining > limit / 2 ? 20 : wait / Math.max(1, remaining))
	],
	['sends a call each second minute', 'not_shown', () => 120_000],
	[
		'sends a third of the limit at once, each minute',
		'not_shown',
		({ remaining }, limit) => (remaining > (limit * 2) / 3 ? 20 : 60_000)
	]
];

/** What a client sends in three windows of a real service, and the finding about it. */
async function findingOf(pause: (seen: Seen, limit: number) => number, seed: number) {
	const service = createTestService();
	const at = await service.sandbox();
	const limit = 10 + 7 * seed;
	const seconds = 30 + 20 * seed;
	await at.changeSettings({ limits: { character: limit, window: seconds, blacklist_after_refused: 1000 } });
	const tokens = (await at.exchange(await at.user().code(at.viewer))).tokens;
	const end = service.clock + 3 * seconds * 1000;
	while (service.clock < end) {
		const response = await at.character(tokens.access_token);
		const wait = Number(response.header('x-ratelimit-reset')) * 1000 - Date.parse(response.header('date') ?? '');
		service.clock += pause({ remaining: Number(response.header('x-ratelimit-remaining')), wait }, limit);
	}
	const findings = evaluateRules(allRules, buildRun(await readEntries(at)));
	return findings.find(({ rule }) => rule === 'limit.paced');
}

test.each(clients)('a client that %s: %s', async (_, wanted, pause) => {
	for (const seed of [1, 2, 3]) {
		const { verdict, text } = (await findingOf(pause, seed)) ?? {};
		expect([seed, verdict], text).toEqual([seed, wanted]);
	}
});
