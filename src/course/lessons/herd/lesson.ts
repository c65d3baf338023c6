import type { ComparedRow, Lesson } from '../lesson.ts';
import type { TrafficEntry } from '#api/control/traffic.ts';
import { rateLimitOf } from '#evidence/rate-limit-headers.ts';
import { signedIn } from '../evaluation/common-conditions.ts';
import { callsUnder, isOverLimit } from '../evaluation/limit-exchanges.ts';

/** The limit of this lesson, in requests of a window. */
const limit = 5;
/** So many clients have to wait for the same reset, and to return. */
const clients = 15;
/** So many in one second are a herd, and at most so many are spread. */
const herd = 10;
const mostSpread = 7;
/** How long after the reset a request is a return, in milliseconds. */
const returns = 15_000;

/** The requests that returned after a reset that enough rejected ones had named, up to this one. */
function returnedUpTo(entry: TrafficEntry, before: readonly TrafficEntry[]): readonly TrafficEntry[] | undefined {
	if (entry.endpoint !== 'character') return undefined;
	const calls = callsUnder(limit, entry.address, [...before, entry]);
	if (calls.at(-1) !== entry || calls.length < 2 * clients) return undefined;
	const waiting = new Map<number, TrafficEntry[]>();
	for (const call of calls.filter(isOverLimit)) {
		const reset = rateLimitOf(call)?.reset ?? 0;
		waiting.set(reset, [...(waiting.get(reset) ?? []), call]);
	}
	for (const [reset, rejected] of [...waiting].toReversed()) {
		const from = reset * 1000;
		const found = calls.filter(({ at, seq }) => at >= from && at < from + returns && seq > (rejected[0]?.seq ?? 0));
		if (rejected.length >= clients && found.length >= clients && found.at(-1) === entry) return found;
	}
	return undefined;
}

/** How many came within one second, at most. */
function mostInOneSecond(calls: readonly TrafficEntry[]): number {
	return Math.max(0, ...calls.map(({ at }) => calls.filter((other) => other.at >= at && other.at < at + 1000).length));
}

export const lesson: Lesson = {
	stage: {
		intro: [
			'20 clients behind one address share a rate limit of 5 requests in ten seconds. 15 of them are rejected. All read the same reset time, and all are polite: they wait until then.',
			'In this lesson you watch them return, and count the requests of one second. Then each client adds jitter to its wait.'
		],
		terms: ['rate limit', 'reset time', 'jitter'],
		able: ['recognize a herd in a log', 'add jitter in the right direction', 'say what jitter does not change'],
		known: [
			{ from: 'application', to: 'resource', label: '20 requests', reply: '15 × 400' },
			{ from: 'application', to: 'resource', label: '15 retries' }
		],
		predictionTitle: 'The second after the reset',
		steps: [
			{
				title: 'Sign in as player-one',
				text: 'Select **Sign in with {brand}**, choose `player-one`, and allow access.',
				tools: [{ kind: 'sign-in', access: 'online' }],
				condition: 'signed_in',
				expected: [{ from: 'application', to: 'authorization', label: 'POST token · code' }],
				folds: 'Sign-in of player-one'
			},
			{
				title: 'Wait for the same reset',
				text: 'Select **Start 20 clients**, and wait until they have returned. It takes about 15 seconds.',
				tools: [{ kind: 'limit', action: 'herd', spread: 0 }],
				condition: 'herd_returned',
				expected: [{ from: 'application', to: 'resource', label: '15 retries' }]
			},
			{
				title: 'Add jitter above the reset',
				text: 'Select **Start 20 clients** again. Each adds up to ten seconds to its wait.',
				tools: [{ kind: 'limit', action: 'herd', spread: 10 }],
				condition: 'spread',
				expected: [{ from: 'application', to: 'resource', label: '15 retries' }]
			}
		],
		result: 'All at once, and rejected again',
		question: {
			title: 'Where is the herd?',
			text: 'Select the response of a client that waited as long as it should, and was rejected again.',
			solution: {
				condition: 'herd_returned',
				part: 'response',
				accepts: (entry, isShown) => isShown && isOverLimit(entry)
			},
			right: 'It waited for the reset, like 14 others. Five of them had used the new window before it.',
			wrong: 'Look at the retries after the first reset. One of them was rejected.'
		},
		learnt: {
			title: 'Jitter goes above the reset',
			text: 'Wait until the reset, then a random time more. Below the reset, each early request is rejected for certain. Jitter flattens the peak. It does not raise the limit: 15 requests still need three windows.',
			code: 'await sleep(untilReset + Math.random() * window);'
		}
	},
	start: { settings: { limits: { character: limit, window: 10, blacklist_after_refused: 1000 } } },
	prediction: {
		question:
			'15 clients were rejected, and wait for the same reset. The limit is 5. What does most of them get in the second after it?',
		shownBy: 'herd_returned',
		shows: 'X-RateLimit-Remaining',
		comparison: {
			columns: ['At the reset', 'With jitter'],
			rows: ({ shown }) => {
				const [together, apart] = [shown('herd_returned'), shown('spread')];
				const row = (label: string, of: (calls: readonly TrafficEntry[]) => number): ComparedRow => [
					label,
					of(together),
					of(apart)
				];
				return [
					row('Retries', (calls) => calls.length),
					row('Most in one second', mostInOneSecond),
					row('Over the limit again', (calls) => calls.filter(isOverLimit).length)
				];
			}
		},
		options: [
			{
				text: 'Their response: the window is new',
				implies: ['200 OK', 'X-RateLimit-Remaining: 4'],
				feedback: 'The window is new, and still has five requests. The first five get them.'
			},
			{
				text: 'Another rejection: five are accepted, and ten wait again',
				implies: ['400 Bad Request', 'X-RateLimit-Remaining: 0'],
				feedback: 'All arrive together, and the limit is used up at once. The next reset gathers the rest again.',
				isRight: true
			},
			{
				text: 'Their response a little later: networks spread them',
				implies: ['200 OK', 'X-RateLimit-Remaining: 0 to 4'],
				feedback: 'Networks differ by some milliseconds. All retries arrived in the same second.'
			},
			{
				text: 'No response: so many requests get the address blacklisted',
				implies: ['No response', 'The connection was closed.'],
				feedback: 'Not yet. But each rejection of a herd counts toward the blacklist.'
			}
		]
	},
	attempts: 'all',
	conditions: [
		signedIn,
		{
			id: 'herd_returned',
			label: 'At least ten clients returned in one second after the same reset',
			unmet: 'No herd yet: 15 requests have to be rejected, and to return within one second after their reset.',
			shows(entry, { before }) {
				const found = returnedUpTo(entry, before);
				return found !== undefined && mostInOneSecond(found) >= herd && found.slice(0, -1);
			}
		},
		{
			id: 'spread',
			label: 'At least 15 clients returned, and never more than seven in one second',
			unmet:
				'The retries are not spread yet. Let 15 rejected clients return after the reset, at most seven in one second.',
			shows(entry, { since }) {
				const found = returnedUpTo(entry, since);
				return found !== undefined && mostInOneSecond(found) <= mostSpread && found.slice(0, -1);
			}
		}
	],
	explanation:
		'Rejected clients read the same reset, so they return together. In one public report, 19 of 20 retries arrived at exactly 600.0 seconds. A random time above the reset flattens the peak. The share of rejected requests hardly falls, because the limit stays the same. Spacing requests by the headers avoids the rejections.',
	sections: ['8.4', '8.6', '8.9'],
	help: {
		hint: 'The second run needs the same button. Wait until the first one has ended, and look at the bars: they are the retries of each second.',
		call: 'sleep $(( RESET - NOW + RANDOM % 10 )); {curl} -s \'{base_url}/ws/v2.0/character/Mara%20Vell\' -H "Authorization: OAuth $ACCESS_TOKEN"'
	},
	ownClient: {
		steps: [
			'Send 20 requests at once. Let the 15 rejected ones wait until `X-RateLimit-Reset`, and send them again.',
			'Do it again, and add a random time of up to ten seconds to each wait.'
		],
		code: `async function client(jitter) {
	const response = await fetch('{base_url}/ws/v2.0/character/Mara%20Vell', { headers: { authorization } });
	if (response.ok) return;
	const wait = response.headers.get('x-ratelimit-reset') - Date.parse(response.headers.get('date')) / 1000;
	await new Promise((done) => setTimeout(done, 1000 * (wait + 1 + jitter * Math.random())));
	await fetch('{base_url}/ws/v2.0/character/Mara%20Vell', { headers: { authorization } });
}
await Promise.all(Array.from({ length: 20 }, () => client(0)));`
	},
	notes: {
		discuss: 6,
		watch:
			'Some groups expect that jitter gets more requests accepted. Let them compare the last row of both runs before you explain it.',
		mistakes: [
			{
				belief: 'A client that waits for the reset does nothing wrong.',
				reply: 'One does not. 15 of them are a peak that the service did not have before.'
			},
			{
				belief: 'Jitter may also shorten the wait.',
				reply: 'Every request before the reset is rejected for certain. Only time above it helps.'
			}
		],
		questions: [
			{
				question: 'The share of rejected requests stays almost the same. What is jitter good for then?',
				listenFor: 'The peak: the service, its database and its log see a few requests a second instead of all at once.'
			},
			{
				question: 'What would avoid the rejections?',
				listenFor: 'Spacing by Remaining and Reset, or a queue that the clients share.'
			}
		]
	}
};
