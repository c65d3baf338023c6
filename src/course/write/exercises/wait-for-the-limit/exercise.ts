import type { Facts } from '#evidence/facts.ts';
import { rateLimitOf } from '#evidence/rate-limit-headers.ts';
import { isRejected } from '#evidence/rules/used-windows.ts';
import type { Evidence, Exercise } from '../../exercise.ts';
import { withGiven } from '../given-parts.ts';
import { failedBy, kindIn, metBy, nearMissesOf, signsIn } from '../judgments.ts';
import { allCharacters, signedIn } from '../results.ts';
import own from './solution.ts.txt?raw';
import start from './start.ts.txt?raw';

const limit = 10;
const names = Array.from({ length: 40 }, (_, index) => `Visitor ${index + 1}`);
const solution = withGiven(own, 'send', 'signIn', 'request', 'checkResponse', 'exchange');
const wait = 'await clock.sleep(timeToReset(response));';

const callsOf = (evidence: Evidence) => kindIn(evidence, 'read', 'call');
const resetOf = ({ entry }: Facts) => (rateLimitOf(entry)?.reset ?? NaN) * 1000;

/** A call after a window that was used up. Times in milliseconds. */
type Return = {
	readonly call: Facts;
	/** When that window ended. */
	readonly reset: number;
	/** How long it waited. */
	readonly wait: number;
};

/** The first call after each window that was used up. */
function returnsOf(calls: readonly Facts[]): Return[] {
	return calls.flatMap((call, at) => {
		const before = calls[at - 1];
		const isUsedUp = before !== undefined && rateLimitOf(before.entry)?.remaining === 0;
		return isUsedUp && !isRejected(call) ? [{ call, reset: resetOf(before), wait: call.begin - before.entry.at }] : [];
	});
}

/** Whether a time of the returns is the same each time, or in both readings. Random times differ by more. */
function isConstant(first: readonly number[], second: readonly number[]): boolean {
	const isSame = (times: readonly number[]) => Math.max(...times) - Math.min(...times) < 100;
	return isSame(first) || first.every((time, at) => Math.abs(time - (second[at] ?? Infinity)) < 100);
}

/** The calls that came back before the reset, after a wait that was nearly long enough. */
const earlyIn = (calls: readonly Facts[]): Facts[] =>
	calls.filter((call, at) => {
		const before = calls[at - 1];
		const left = resetOf(call) - call.begin;
		return isRejected(call) && before !== undefined && left < 10_000 && call.begin - before.entry.at > 2 * left;
	});

/** The rejected calls of the window with the most, without those that came back nearly in time. */
function mostRejected(calls: readonly Facts[]): readonly Facts[] {
	const early = earlyIn(calls);
	const windows = new Map<number, Facts[]>();
	for (const call of calls.filter((one) => isRejected(one) && !early.includes(one)))
		windows.set(resetOf(call), [...(windows.get(resetOf(call)) ?? []), call]);
	return [...windows.values()].sort((a, b) => b.length - a.length)[0] ?? [];
}

export const exercise: Exercise = {
	text: 'Write `readAll()`: read 40 characters, and return them. The limit is 10 requests per minute. Over it, the service responds with `400` and `X-RateLimit-Remaining: 0`. Wait by `clock` until the window ends, and a random time more: other clients wait for the same moment.',
	start: withGiven(start, 'send', 'signIn', 'request', 'checkResponse', 'exchange'),
	solution,
	differences: [
		{
			title: 'Adds the random time',
			text: 'Less than the time to the reset would meet the same limit again.',
			at: /jitter =/
		},
		{
			title: 'Reads the end of the window',
			text: '`X-RateLimit-Reset` says when it is. A guess is too short or too long.',
			at: /X-RateLimit-Reset/
		},
		{
			title: 'Tells a limit from other errors',
			text: 'Waiting does not help against a name that does not exist.',
			at: /!ok &&/
		}
	],
	writesAt: /^export async function readAll/,
	preset: {
		settings: { limits: { character: limit, window: 60, blacklist_after_refused: 1000 } },
		characters: names
	},
	async use(run) {
		run.step('sign_in');
		const result = await run.call('signIn', signedIn);
		if (result.error !== undefined) return;
		run.step('read', { probe: 'limited' });
		await run.call('readAll', allCharacters(names), names);
		// What is random differs the second time.
		run.step('again');
		run.clock.advance(120_000);
		await run.call('readAll', allCharacters(names), names);
		run.step('over');
	},
	result: 'All characters are returned',
	conditions: [
		signsIn('The client has an access token'),
		{
			id: 'first',
			title: '10 characters are read before the limit',
			needs: 'signs_in',
			judge(evidence) {
				const calls = callsOf(evidence);
				const end = calls.findIndex((call) => rateLimitOf(call.entry)?.remaining === 0);
				const first = calls.slice(0, end + 1);
				const [begin] = first;
				if (end < 0 || begin === undefined) return 'open';
				const pauses = first.filter(({ begin: at }, index) => at - (first[index - 1]?.entry.at ?? at) >= 1000);
				if (pauses.length > 1)
					return failedBy(
						pauses,
						'a pause before the limit',
						'Requests were left, and your client waited all the same. It never comes near the limit, and takes much longer.'
					);
				return metBy(first);
			}
		},
		{
			id: 'quiet',
			title: 'No request is sent while you wait',
			needs: 'first',
			judge(evidence) {
				const calls = callsOf(evidence);
				const most = mostRejected(calls);
				if (most.length > 1)
					return failedBy(
						most,
						'tries in place of waiting',
						`${most.length} requests of one window were rejected. The first rejection said when the window ends. Each further one counts toward the blacklist.`
					);
				return returnsOf(calls).length === 0 ? 'open' : metBy(returnsOf(calls).map(({ call }) => call));
			}
		},
		{
			id: 'after_reset',
			title: 'Requests return after the reset',
			needs: 'quiet',
			judge(evidence) {
				const calls = callsOf(evidence);
				const early = earlyIn(calls);
				const late = returnsOf(calls).filter(({ call, reset }) => call.begin > reset + 30_000);
				if (late.length > 0)
					return failedBy(
						late.map(({ call }) => call),
						'a wait that is too long',
						`The window had ended ${durationOf((late[0]?.call.begin ?? 0) - (late[0]?.reset ?? 0))} before. \`X-RateLimit-Reset\` had said so: it is a time in seconds since 1970.`
					);
				const [wrong] = early;
				if (wrong !== undefined)
					return failedBy(
						early,
						'back before the reset',
						`This request came ${durationOf(resetOf(wrong) - wrong.begin)} before the window ended, so it was rejected again.`
					);
				const returns = returnsOf(calls);
				return returns.length === 0 ? 'open' : metBy(returns.map(({ call }) => call));
			}
		},
		{
			id: 'spread',
			title: 'The moment of the return varies',
			needs: 'after_reset',
			judge(evidence) {
				const returns = returnsOf(callsOf(evidence));
				const again = returnsOf(kindIn(evidence, 'again', 'call'));
				if (returns.length < 3 || evidence.step('over') === undefined) return 'open';
				const delayOf = ({ call, reset }: Return) => call.begin - reset;
				if (isConstant(returns.map(delayOf), again.map(delayOf)))
					return failedBy(
						returns.map(({ call }) => call),
						'always the same moment',
						`Your client came back ${durationOf(Math.max(0, ...returns.slice(0, 1).map(delayOf)))} after the reset. No random time is in its returns: they are the same each time, or in a second reading. A thousand clients that do the same come back all at once.`
					);
				const waitOf = ({ wait }: Return) => wait;
				if (isConstant(returns.map(waitOf), again.map(waitOf)))
					return failedBy(
						returns.map(({ call }) => call),
						'always the same wait',
						`Your client waited ${durationOf(returns[0]?.wait ?? 0)}. No random time is in its waits: they are the same each time, or in a second reading. A thousand clients that do the same come back all at once.`
					);
				return metBy(returns.map(({ call }) => call));
			}
		},
		{
			id: 'all',
			title: 'All 40 characters are read',
			needs: 'first',
			judge(evidence) {
				const calls = callsOf(evidence);
				const read = new Set(calls.filter(({ ok }) => ok).map(({ entry }) => entry.request.target));
				if (read.size >= names.length) return metBy(calls.filter(({ ok }) => ok));
				const lost = calls.filter((call) => isRejected(call) && !read.has(call.entry.request.target));
				if (
					evidence.step('again') === undefined ||
					mostRejected(calls).length > 1 ||
					lost.length === 0 ||
					calls.some(({ status }) => status === 401)
				)
					return 'open';
				return failedBy(
					lost,
					'the limit ends the reading',
					`${read.size} of 40 characters were read. Others were rejected, and your client did not get them later.`
				);
			}
		}
	],
	rules: ['limit.stop_at_zero', 'limit.few_refused', 'limit.not_a_sign_out', 'limit.after_reset'],
	nearMisses: nearMissesOf(solution, [
		[
			'the limit ends the reading',
			'all',
			[
				`while (isOverLimit(response)) {\n      ${wait}\n      response = await send(name);\n    }`,
				'if (isOverLimit(response)) break;'
			]
		],
		['a try each 5 seconds', 'quiet', [wait, 'await clock.sleep(5000 + Math.random() * 2000);']],
		[
			'the sleep is not awaited',
			'quiet',
			[
				`while (isOverLimit(response)) {\n      ${wait}`,
				`for (let tries = 0; tries < 20 && isOverLimit(response); tries++) {\n      clock.sleep(timeToReset(response));`
			]
		],
		[
			'a random part in both directions',
			'after_reset',
			['1000 + Math.random() * 4000', '(Math.random() < 2 ? -1 : 1) * (1000 + Math.random() * 4000)'],
			[wait, 'await clock.sleep(Math.max(timeToReset(response), 6000));']
		],
		['a duration', 'after_reset', ['return reset - clock.now() + jitter;', 'return reset / 1e6 + jitter;']],
		['the same moment', 'spread', ['1000 + Math.random() * 4000', '1000']],
		[
			'a pause before each request',
			'first',
			['let response = await send(name);', 'await clock.sleep(2000);\n    let response = await send(name);']
		]
	]),
	hints: [
		'`X-RateLimit-Reset` says when the window ends, in seconds since 1970. `clock.now()` is in milliseconds.',
		'After a rejected response, `await clock.sleep(reset - clock.now())`, and send the same request again.',
		'Add a random part that only makes the wait longer: `const jitter = 1000 + Math.random() * 4000;`.'
	]
};

/** A duration in words: `3.2 seconds`. */
function durationOf(milliseconds: number): string {
	if (milliseconds < 120_000) return `${(milliseconds / 1000).toFixed(1)} seconds`;
	return `${Math.round(milliseconds / 60_000).toLocaleString('en')} minutes`;
}
