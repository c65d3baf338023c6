import type { Log } from './log.ts';
import { type Case } from './log.ts';
import { testCases } from './test-cases.ts';

const times = (count: number, run: (at: number) => void): void =>
	Array.from({ length: count }, (_, at) => at + 1).forEach(run);

/** The headers of a response with this many requests left. @param seconds until the reset */
const headers = (log: Log, remaining: number, seconds: number) => ({
	'X-RateLimit-Limit': '3',
	'X-RateLimit-Remaining': `${remaining}`,
	'X-RateLimit-Reset': `${Math.ceil(log.at / 1000) + seconds}`,
	Date: new Date(log.at).toUTCString()
});

const over = (log: Log, seconds = 6) => ({
	status: 400,
	failed: 'rate_limit.not_exceeded',
	headers: headers(log, 0, seconds)
});

/** A window that is used up, calls that are rejected, and the first call of the next window. */
function window(log: Log, flow: string, rejected: number, returns = true): void {
	log.call(flow, { headers: headers(log, 0, 6) });
	times(rejected, (at) => log.call(flow, over(log), at === 1 ? 600 : 100));
	if (returns) log.call(flow, { headers: headers(log, 2, 6) }, 8000);
}

/** A window that is used up, a pause, and a call. */
function pause(log: Log, flow: string, milliseconds: number, isRejected: boolean): void {
	log.call(flow, { headers: headers(log, 0, 6) });
	const reset = headers(log, 0, 6)['X-RateLimit-Reset'];
	const part = over(log);
	log.call(flow, isRejected ? { ...part, headers: { ...part.headers, 'X-RateLimit-Reset': reset } } : {}, milliseconds);
	log.call(flow, {}, 8000);
}

const cases: Case[] = [
	[
		'limit.stop_at_zero',
		'failed',
		'five calls follow',
		(log) => window(log, log.session(), 5),
		{ text: '5 requests began after the last response of the window, the first one 0.6 s later, and got an error.' }
	],
	['limit.stop_at_zero', 'passed', 'four calls follow', (log) => window(log, log.session(), 4)],
	[
		'limit.stop_at_zero',
		'passed',
		'the calls were under way',
		(log) => {
			const flow = log.session();
			log.call(flow, { headers: headers(log, 0, 6) });
			times(8, () => log.call(flow, { ...over(log), duration: 500 }, 20));
			log.call(flow, {}, 8000);
		}
	],
	[
		'limit.stop_at_zero',
		'failed',
		'five calls follow, and others were under way',
		(log) => {
			const flow = log.session();
			log.call(flow, { headers: headers(log, 0, 6) });
			times(2, () => log.call(flow, { ...over(log), duration: 500 }, 20));
			times(5, () => log.call(flow, over(log), 600));
		},
		{
			text: '5 requests began after the last response of the window, the first one 0.6 s later, and got an error. 2 requests began before it arrived, which do not count.'
		}
	],
	[
		'limit.stop_at_zero',
		'passed',
		'the response takes long to arrive at a busy client',
		(log) => {
			const flow = log.session();
			log.call(flow, { headers: headers(log, 0, 6) });
			times(8, () => log.call(flow, over(log), 50));
			log.call(flow, {}, 8000);
		}
	],
	[
		'limit.stop_at_zero',
		'failed',
		'five calls follow, and one of two sign-ins was slow',
		(log) => {
			log.exchange(log.signIn(), {}, 10_000);
			window(log, log.session(), 5);
		}
	],
	[
		'limit.stop_at_zero',
		'not_shown',
		'the window of a slow client ends before it would send more',
		(log) => {
			const flow = log.session();
			const first = headers(log, 1, 4);
			log.call(flow, { headers: first });
			log.call(flow, { headers: { ...first, 'X-RateLimit-Remaining': '0' } }, 2500);
			log.call(flow, { headers: headers(log, 2, 6) }, 2500);
		},
		{
			text: 'Not shown. Your client sends requests so slowly that the window ended before it could send more.'
		}
	],
	['limit.stop_at_zero', 'not_shown', 'the client does not return', (log) => window(log, log.session(), 0, false)],
	[
		'limit.stop_at_zero',
		'not_shown',
		'requests are left',
		(log) => {
			log.session();
		}
	],
	[
		'limit.few_refused',
		'failed',
		'20 calls are rejected',
		(log) => window(log, log.session(), 20),
		{ text: '20 requests began after the last response of the window, the first one 0.6 s later, and got an error.' }
	],
	['limit.few_refused', 'passed', '19 calls are rejected', (log) => window(log, log.session(), 19)],
	[
		'limit.few_refused',
		'not_shown',
		'requests are left',
		(log) => {
			log.session();
		}
	],
	[
		'limit.stop_at_zero',
		'passed',
		'the client is slow to get responses',
		(log) => {
			const flow = log.signIn();
			log.exchange(flow, {}, 3000);
			log.call(flow, { headers: headers(log, 0, 6) });
			times(6, () => log.call(flow, over(log), 400));
			log.call(flow, {}, 8000);
		}
	],
	[
		'limit.not_a_sign_out',
		'failed',
		'a refresh follows',
		(log) => {
			const flow = log.session();
			log.probe('limited', {}, () => {
				log.call(flow, over(log));
				log.refresh(flow, ' 1');
			});
		}
	],
	[
		'limit.not_a_sign_out',
		'failed',
		'a sign-in follows',
		(log) => {
			const flow = log.session();
			log.probe('limited', {}, () => {
				log.call(flow, over(log));
				log.signIn();
			});
		}
	],
	[
		'limit.not_a_sign_out',
		'passed',
		'a refresh follows later',
		(log) => {
			const flow = log.session();
			log.probe('limited', {}, () => {
				log.call(flow, over(log));
				log.refresh(flow, ' 1', {}, 6000);
			});
			log.call(flow);
		}
	],
	[
		'limit.not_a_sign_out',
		'not_shown',
		'no call of the sign-in follows',
		(log) => {
			const flow = log.session();
			log.probe('limited', {}, () => log.call(flow, over(log)));
			log.session();
		}
	],
	[
		'limit.not_a_sign_out',
		'not_shown',
		'no call is rejected',
		(log) => {
			const flow = log.session();
			log.probe('limited', {}, () => log.call(flow));
		}
	],
	[
		'limit.after_reset',
		'failed',
		'two windows were not over',
		(log) => {
			const flow = log.session();
			log.probe('limited', {}, () => times(2, () => pause(log, flow, 2000, true)));
		}
	],
	[
		'limit.after_reset',
		'not_shown',
		'the client does not wait at all',
		(log) => {
			const flow = log.session();
			log.probe('limited', {}, () =>
				times(2, () => {
					log.call(flow, { headers: headers(log, 0, 9) });
					const { headers: rejected, ...part } = over(log, 8);
					times(6, () => log.call(flow, { ...part, headers: rejected }, 1000));
				})
			);
		}
	],
	[
		'limit.after_reset',
		'passed',
		'one window was not over',
		(log) => {
			const flow = log.session();
			log.probe('limited', {}, () => pause(log, flow, 2000, true));
		}
	],
	[
		'limit.after_reset',
		'passed',
		'a slow client learns of the limit by a 429, in two windows',
		(log) => {
			const flow = log.session();
			log.probe('limited', {}, () =>
				times(2, () => {
					log.call(flow, { headers: headers(log, 0, 6) });
					log.call(flow, { ...over(log), status: 429 }, 2000);
					log.at += 8000;
				})
			);
		}
	],
	[
		'limit.after_reset',
		'failed',
		'the time of a 429 was not over, in two windows',
		(log) => {
			const flow = log.session();
			log.probe('limited', {}, () =>
				times(2, () => {
					const part = { ...over(log), status: 429 };
					log.call(flow, part);
					log.call(flow, part, 2000);
					log.at += 8000;
				})
			);
		}
	],
	[
		'limit.after_reset',
		'passed',
		'calls return after it',
		(log) => {
			const flow = log.session();
			log.probe('limited', {}, () => times(2, () => pause(log, flow, 7000, false)));
		}
	],
	[
		'limit.after_reset',
		'not_shown',
		'no window is used up',
		(log) => {
			const flow = log.session();
			log.probe('limited', {}, () => log.call(flow));
		}
	],
	[
		'limit.cache',
		'advice',
		'five equal calls come in a minute',
		(log) => {
			const flow = log.session();
			log.probe('cache', { uses: 6 }, () => times(5, () => log.call(flow)));
		},
		{ text: '5 equal requests were sent in a minute.' }
	],
	[
		'limit.cache',
		'passed',
		'one call comes',
		(log) => {
			const flow = log.session();
			log.probe('cache', { uses: 6 }, () => log.call(flow));
		}
	],
	[
		'limit.cache',
		'not_shown',
		'the client was used twice',
		(log) => {
			const flow = log.session();
			log.probe('cache', { uses: 2 }, () => log.call(flow));
		}
	]
];

testCases(cases);
