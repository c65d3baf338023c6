import type { Case, Log } from './log.ts';
import { testCases } from './test-cases.ts';

/** The headers of a response with this many requests left, in a window that ends at a time. @param end Unix seconds */
const headers = (log: Log, remaining: number, end: number) => ({
	'X-RateLimit-Limit': '3',
	'X-RateLimit-Remaining': `${remaining}`,
	'X-RateLimit-Reset': `${end}`,
	Date: new Date(log.at).toUTCString()
});

/** What the exam knows about the uses of a step. */
type Uses = {
	/** Whether the uses that used the window up had ended before the next ones. */
	readonly hasSettled: boolean;
	/** Milliseconds. */
	readonly slowest: number;
	/** From the last response of the window to the first call after it, in milliseconds. */
	readonly delay: number;
	/** How many calls follow, and the milliseconds in between. */
	readonly count: number;
	readonly gap?: number;
};

/** A window of a minute that is used up, calls that are rejected, and one of the next window. */
function window(log: Log, { hasSettled, slowest, delay, count, gap = 300 }: Uses): void {
	const flow = log.session();
	const end = Math.ceil(log.at / 1000) + 60;
	const from = log.entries.length + 1;
	log.call(flow, { headers: headers(log, 1, end) });
	log.call(flow, { headers: headers(log, 0, end) });
	const settled = log.entries.length;
	const rejected = { status: 400, failed: 'rate_limit.not_exceeded' };
	for (let at = 0; at < count; at++)
		log.call(flow, { ...rejected, headers: headers(log, 0, end) }, at === 0 ? delay : gap);
	log.call(flow, { headers: headers(log, 2, end + 60) }, Math.max(1000, end * 1000 + 1000 - log.at));
	log.marks.push({ probe: 'limited', from, to: log.entries.length, slowest, ...(hasSettled ? { settled } : {}) });
}

const cases: readonly Case[] = [
	[
		'limit.stop_at_zero',
		'passed',
		'a slow client had not ended when it sent the calls',
		(log) => window(log, { hasSettled: false, slowest: 4000, delay: 800, count: 6 })
	],
	[
		'limit.stop_at_zero',
		'failed',
		'a slow client had every response before it sent the calls',
		(log) => window(log, { hasSettled: true, slowest: 4000, delay: 800, count: 6 })
	],
	[
		'limit.stop_at_zero',
		'failed',
		'a slow client had not ended, but went on for longer than it takes',
		(log) => window(log, { hasSettled: false, slowest: 4000, delay: 800, count: 20 })
	],
	[
		'limit.stop_at_zero',
		'not_shown',
		'all calls of a slow client may have been under way',
		(log) => window(log, { hasSettled: false, slowest: 90_000, delay: 800, count: 20, gap: 3000 }),
		{
			text: 'Not shown. 20 requests got an error, but your client was so slow that it may have sent them before it had the last response of the window.'
		}
	],
	[
		'limit.stop_at_zero',
		'passed',
		'the calls of a client that had ended began before it can have had the response',
		(log) => window(log, { hasSettled: true, slowest: 300, delay: 100, count: 4, gap: 50 })
	]
];

testCases(cases);
