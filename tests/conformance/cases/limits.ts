import { equal, lacks, matches, ok } from '../assert.ts';
import { testCase, hostCase, storeCase, type Case } from '../case.ts';
import * as v from 'valibot';
import type { TestResponse } from '../response.ts';
import type { Sandbox } from '../sandbox.ts';

const path = '/ws/v2.0/character/Mara%20Vell';
const limits = '/ws/v2.0/ratelimits';
const record = v.object({
	pattern: v.string(),
	limit: v.number(),
	remaining: v.number(),
	reset: v.number(),
	reset_time: v.string()
});
const records = v.object({
	ratelimits: v.object({ version: v.string(), total: v.number(), ratelimit: v.array(record) })
});

/** RL-01 to RL-07: how calls are counted. */
export const limitCases: Case[] = [
	testCase('RL-01 RL-04 counts down to 0, then sends 400 in the format of the API, without Retry-After', async (at) => {
		await at.changeSettings({ limits: { character: 3 } });
		const { access_token } = await at.user().tokens();
		for (const remaining of [2, 1, 0]) {
			const response = await at.character(access_token);
			equal([response.status, response.limit.limit, response.limit.remaining], [200, 3, remaining]);
		}
		for (let more = 0; more < 3; more++) {
			const response = await at.character(access_token);
			equal([response.status, response.error, response.limit.remaining], [400, 'rate_limit_exceeded', 0]);
			equal(response.header('retry-after'), undefined);
			equal(await at.failedCheck(response), 'rate_limit.not_exceeded');
		}
		const xml = await at.character(access_token, 'Mara Vell', 'Accept', 'application/xml');
		equal([xml.status, xml.limit.remaining], [400, 0]);
		matches(xml.text, '<OAuth><error>rate_limit_exceeded</error>');
	}),
	testCase(
		'RL-01 applies the limits of the specification: 600 for characters, 150 for rate limits, counted separately',
		async (at) => {
			const { access_token } = await at.user().tokens();
			const credential = ['Authorization', `OAuth ${access_token}`];
			equal((await at.get(path, ...credential)).limit.limit, 600);
			const response = await at.get(limits, ...credential);
			equal(response.limit.limit, 150);
			const { ratelimits } = response.as(records);
			equal([ratelimits.version, ratelimits.total, ratelimits.ratelimit.length], ['1.0', 2, 2]);
			equal(
				ratelimits.ratelimit.map((one) => [one.pattern, one.limit, one.remaining]),
				[
					['/ws/v2.0/character/*', 600, 599],
					['/ws/v2.0/ratelimits', 150, 149]
				]
			);
		}
	),
	storeCase(
		'RL-02 lets 100 of 300 parallel requests succeed with 100 left; no remaining value occurs twice',
		async (at) => {
			await at.changeSettings({ limits: { character: 103, blacklist_after_refused: 1000 } });
			const { access_token } = await at.user().tokens();
			for (let used = 0; used < 3; used++) await at.character(access_token);
			const responses = await Promise.all(Array.from({ length: 300 }, () => at.character(access_token)));
			const good = responses.filter((response) => response.status === 200);
			const rejected = responses.filter((response) => response.status === 400);
			equal([good.length, rejected.length], [100, 200]);
			const left = good.map((response) => response.limit.remaining).sort((one, other) => one - other);
			equal(left, [...Array(100).keys()]);
			ok(
				rejected.every((response) => response.limit.remaining === 0),
				'none below 0'
			);
		}
	),
	storeCase('RL-03 resets the limit one hour after the first request of a window', async (at) => {
		await at.changeSettings({ limits: { character: 2 } });
		const { access_token, refresh_token } = await at.user('player-two').offline();
		const first = (await at.character(access_token)).limit;
		const opened = first.reset - Math.floor((await at.now()) / 1000);
		ok(opened > 3590 && opened <= 3601, `an hour: ${opened}`);
		await at.advance(1800);
		const fresh = async () => (await at.refresh(refresh_token)).tokens.access_token;
		equal((await at.character(await fresh())).limit, { ...first, remaining: 0 }, 'half an hour later');
		await at.controlled('POST', 'clock', { to: first.reset - 20 });
		equal((await at.character(await fresh())).status, 400, 'just before the reset');
		await at.controlled('POST', 'clock', { to: first.reset });
		const next = await at.character(await fresh());
		equal([next.status, next.limit.remaining], [200, 1]);
		ok(next.limit.reset >= first.reset + 3590, 'a separate window');
	}),
	storeCase('RL-03 rejects setting the clock back, so no window grows or restarts', async (at) => {
		const { access_token } = await at.user().tokens();
		const before = (await at.character(access_token)).limit;
		for (const wrong of [{ advance: -7200 }, { to: Math.floor((await at.now()) / 1000) - 7200 }]) {
			equal((await at.control('POST', 'clock', wrong)).status, 400);
		}
		equal((await at.character(access_token)).limit, { ...before, remaining: before.remaining - 1 });
	}),
	hostCase(
		'RL-04 sends the four headers with every response of a resource, equal to the record',
		async (at) => {
			const token = (await at.user().tokens()).access_token;
			const narrow = (await at.user('player-two').tokens(at.viewer, { scope: 'location_read' })).access_token;
			const credential = ['Authorization', `OAuth ${token}`];
			await at.controlled('POST', 'faults', { endpoint: 'character', kind: 'status', status: 500 });
			const responses: [number, TestResponse][] = [
				[500, await at.character(token)],
				[200, await at.character(token)],
				[400, await at.get(`${path}?access_token=x`, ...credential)],
				[401, await at.get(path)],
				[403, await at.character(narrow)],
				[404, await at.character(token, 'Unknown')],
				[405, await at.send({ method: 'POST', target: path, headers: credential, body: 'x' })],
				[405, await at.send({ method: 'HEAD', target: path, headers: credential })],
				[413, await at.send({ target: path, headers: credential, body: 'x'.repeat(70_000) })]
			];
			let remaining = 600;
			for (const [status, response] of responses) {
				equal(response.status, status);
				remaining--;
				equal([response.limit.limit, response.limit.remaining], [600, remaining], `${status}`);
				isConsistent(response);
			}
			const asked = await at.get(limits, ...credential);
			const { ratelimits } = asked.as(records);
			const { limit, remaining: left, reset, reset_time } = responses[0]?.[1].limit ?? asked.limit;
			equal(left, 599);
			equal(ratelimits.ratelimit[0], { pattern: '/ws/v2.0/character/*', limit, remaining, reset, reset_time });
			const own = asked.limit;
			equal(ratelimits.ratelimit[1], { pattern: limits, ...own });
		},
		['any method']
	),
	testCase(
		'RL-05 ignores forged address headers',
		async (at) => {
			const { access_token } = await at.user().tokens();
			const forged = [
				['X-Forwarded-For', '1.2.3.4'],
				['X-Forwarded-For', '1.2.3.4, 5.6.7.8, 127.0.0.1'],
				['X-Forwarded-For', '1.2.3.4', 'X-Forwarded-For', '5.6.7.8'],
				['X-Forwarded-For', ''],
				['X-Forwarded-For', '<script>'],
				['Forwarded', 'for=1.2.3.4'],
				['X-Real-IP', '1.2.3.4'],
				['True-Client-IP', '1.2.3.4'],
				['CF-Connecting-IP', '1.2.3.4'],
				['X-Client-IP', '::1']
			];
			for (const [used, headers] of forged.entries()) {
				const response = await at.character(access_token, 'Mara Vell', ...headers);
				equal([response.status, response.limit.remaining], [200, 599 - used], headers.join(' '));
			}
		},
		['raw headers']
	),
	testCase(
		'RL-06 counts all spellings of a path together',
		async (at) => {
			const { access_token } = await at.user().tokens();
			let remaining = (await at.character(access_token)).limit.remaining;
			const spellings = [
				'/ws/v2.0/%63haracter/Mara%20Vell',
				'/%77s/v2%2E0/character/Mara%20Vell',
				'/ws/v2.0/character/Mara%20Vell/',
				'//ws/v2.0/character/Mara%20Vell',
				'/ws//v2.0/character/Mara%20Vell',
				'/ws/x/../v2.0/character/Mara%20Vell',
				'/ws/./v2.0/character/Mara%20Vell',
				'/WS/v2.0/character/Mara%20Vell',
				'/ws/v2.0/CHARACTER/Mara%20Vell',
				'/ws/v2.0/character%2FMara%20Vell',
				'/ws\\v2.0\\character\\Mara%20Vell',
				'/ws/v2.0;x/character/Mara%20Vell'
			];
			for (const target of spellings) {
				const response = await at.get(target, 'Authorization', `OAuth ${access_token}`);
				if (response.status === 200) equal(response.limit.remaining, --remaining, target);
				else ok(response.status === 404, `${target}: ${response.status}`);
			}
			equal((await at.character(access_token)).limit.remaining, remaining - 1);
		},
		['raw target']
	),
	testCase(
		'RL-06 counts an absolute-form target as the same path',
		async (at) => {
			const { access_token } = await at.user().tokens();
			await at.character(access_token);
			const target = `${at.base_url}${path}`;
			const received = await at.transport.send({ target, headers: ['Authorization', `OAuth ${access_token}`] });
			const left = (await at.character(access_token)).limit.remaining;
			if (received?.status === 200) equal(left, 597);
			else equal([received?.status, left], [400, 598], 'a host may reject it');
		},
		['raw target']
	),
	testCase(
		'RL-07 counts every resource request, also rejected ones, and no authorization, token or revoke request',
		async (at) => {
			const user = at.user();
			const { access_token, refresh_token } = await user.offline();
			const remaining = (await at.character(access_token)).limit.remaining;
			await at.get(path);
			await at.character(access_token, 'Unknown');
			await at.character('wrong');
			await at.send({ method: 'DELETE', target: path });
			await at.get(limits);
			await at.refresh(refresh_token);
			await user.authorize();
			await at.revoke('x');
			await at.get('/ratelimiting');
			await at.get('/ws/v2.0/nothing');
			equal((await at.character(access_token)).limit.remaining, remaining - 5);
			equal((await at.get(limits)).limit.remaining, 148, 'the other resource');
		}
	),
	hostCase('RL-07 does not count preflights', async (at) => {
		for (let call = 0; call < 5; call++) {
			const response = await at.send({ method: 'OPTIONS', target: path });
			equal([response.status, response.header('x-ratelimit-limit')], [204, undefined]);
			lacks(response.text, 'error');
		}
		equal((await at.get(path)).limit.remaining, 599);
	}),
	testCase(
		'RL-10 RL-05 counts two addresses separately',
		async (at) => {
			const { access_token } = await at.user().tokens();
			await at.character(access_token);
			equal((await at.from('127.0.0.2').character(access_token)).limit.remaining, 599);
			equal((await at.character(access_token)).limit.remaining, 598);
		},
		['second address']
	)
];

function isConsistent(response: TestResponse): void {
	const { limit, remaining, reset, reset_time } = response.limit;
	ok(remaining >= 0 && remaining <= limit, `${remaining} of ${limit}`);
	matches(reset_time, /^(Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d \+0000$/);
	equal(Date.parse(reset_time) / 1000, reset);
}

/** Uses up the window and goes on until the address is blacklisted. */
export async function getBlacklisted(at: Sandbox): Promise<void> {
	await at.changeSettings({ limits: { character: 0, blacklist_after_refused: 3 } });
	for (let call = 0; call < 3; call++) equal((await at.get(path)).status, 400);
}
