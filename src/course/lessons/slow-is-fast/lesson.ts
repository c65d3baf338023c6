import type { Lesson, ComparedRow } from '../lesson.ts';
import type { TrafficEntry } from '#api/control/traffic.ts';
import { signedIn } from '../evaluation/common-conditions.ts';
import type { Context } from '../evaluation/condition.ts';
import { isOverLimit } from '../evaluation/limit-exchanges.ts';
import { readCharacter } from '#evidence/exchanges.ts';
import { rateLimitOf } from '#evidence/rate-limit-headers.ts';

/** The limit of this lesson, in calls per window. */
const limit = 20;
const calls = 2 * limit;
const maxRejected = 2;

/** A character request, or another one between them. */
type Call = { readonly entry: TrafficEntry; readonly reset: number };

/** Character requests of one address under the limit of the lesson. A learner may have changed it. */
function callsOf(entries: readonly TrafficEntry[], address: string): Call[] {
	return entries.flatMap((entry) => {
		const found = entry.endpoint === 'character' && entry.address === address ? rateLimitOf(entry) : undefined;
		return found !== undefined && found.limit <= limit ? [{ entry, reset: found.reset }] : [];
	});
}

/** Whether a request was over the limit after all requests of its window had a response. */
function meetsLimit(entry: TrafficEntry, before: readonly TrafficEntry[]): boolean {
	if (!isOverLimit(entry)) return false;
	const [own] = callsOf([entry], entry.address);
	const window = callsOf(before, entry.address).filter(
		(call) => call.reset === own?.reset && readCharacter(call.entry)
	);
	return own !== undefined && window.length === limit;
}

/** As many successful requests as two windows allow, up to this one, with hardly any over the limit. */
function slowRun(entry: TrafficEntry, { since, shown }: Context): readonly TrafficEntry[] | undefined {
	if (!readCharacter(entry) || shown('limit_met').at(-1)?.address !== entry.address) return undefined;
	const own = callsOf([...since, entry], entry.address);
	let successful = 0;
	const start = own.findLastIndex((call) => readCharacter(call.entry) && ++successful === calls);
	if (start < 0) return undefined;
	const run = own.slice(start);
	const isSlow = run.filter((call) => isOverLimit(call.entry)).length <= maxRejected;
	const windows = new Set(run.map(({ reset }) => reset)).size;
	return isSlow && windows > 1 && !signsInAfterRejection(since, run) ? run.map((call) => call.entry) : undefined;
}

/** Whether the client took a call over the limit for a problem with its token: a sign-in or a refresh came before the next call. */
function signsInAfterRejection(entries: readonly TrafficEntry[], run: readonly Call[]): boolean {
	return run.some(({ entry }, index) => {
		const next = run[index + 1]?.entry;
		if (!isOverLimit(entry) || next === undefined) return false;
		return entries.some(({ endpoint, seq }) => endpoint === 'token' && seq > entry.seq && seq < next.seq);
	});
}

export const lesson: Lesson = {
	stage: {
		intro: [
			'The rate limit of this lesson is 20 requests in ten seconds. You need 40 responses. The obvious way is to send all requests at once.',
			'Over the limit the service responds with 400, a status that other services use for malformed requests. The body says what it means. With throttling, the same 40 responses arrive without rejections. Too many rejections lead to the blacklist.'
		],
		terms: ['rate limit', 'throttling', 'blacklist'],
		able: [
			'recognize the rate limit behind a status 400',
			'say what a rejected request costs',
			'spread requests so that none is rejected'
		],
		known: [
			{ from: 'application', to: 'resource', label: 'requests 1 to 20', reply: '20 × 200' },
			{ from: 'application', to: 'resource', label: 'request 21' }
		],
		predictionTitle: 'Request 21',
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
				title: 'Send too many',
				text: 'Select **Load 20 at once** twice, within ten seconds.',
				tools: [{ kind: 'load', mode: 'atOnce' }],
				condition: 'limit_met',
				expected: [{ from: 'application', to: 'resource', label: 'request 21' }]
			},
			{
				title: 'Send them at the right speed',
				text: 'Leave **Throttle requests** on. Select **Load 20 in turn**, wait until it ends, and select it once more.',
				tools: [{ kind: 'load', mode: 'inTurn', setting: 'throttle', isOn: true }],
				condition: 'forty_characters',
				expected: [{ from: 'application', to: 'resource', label: '40 × GET character' }]
			}
		],
		result: 'The limit, not a malformed request',
		question: {
			title: 'How do you recognize it?',
			text: 'Select the message that says that the limit was reached.',
			solution: { condition: 'limit_met', part: 'response', accepts: isOverLimit },
			right: 'Its status is 400, and its body says rate_limit_exceeded. The headers say when the window ends.',
			wrong: 'This one is not about the limit. Look for a response that is red.'
		},
		learnt: {
			title: 'Slow is fast',
			text: 'Read the error code, not the status. Spread the requests that are left over the time that is left. Rejected requests gain nothing, and count toward the blacklist.',
			code: "if (body.error === 'rate_limit_exceeded') await sleep(untilReset);"
		}
	},
	// A short window: no user has to wait an hour for a reset.
	start: { settings: { limits: { character: limit, window: 10 } } },
	prediction: {
		question: 'The 21st request comes back with status 400. What should a client conclude?',
		shownBy: 'limit_met',
		shows: 'body',
		comparison: {
			columns: ['Step 2', 'Step 3'],
			rows: ({ entries, shown }) => {
				const [over] = shown('limit_met');
				const slow = shown('forty_characters').filter(({ endpoint }) => endpoint === 'character');
				const fast = callsOf(entries, over?.address ?? '')
					.map(({ entry }) => entry)
					.filter(({ seq }) => seq < (slow[0]?.seq ?? Infinity));
				const row = (label: string, isCounted: (entry: TrafficEntry) => boolean): ComparedRow => [
					label,
					fast.filter(isCounted).length,
					slow.filter(isCounted).length
				];
				return [row('Requests', () => true), row('Accepted', readCharacter), row('Over the limit', isOverLimit)];
			}
		},
		options: [
			{
				text: 'The request is malformed. Fix it.',
				implies: ['400 Bad Request', '{"error":"invalid_request",…}'],
				feedback: 'It is the same request as the 20 before it. The body says rate_limit_exceeded.'
			},
			{
				text: 'The token is bad. Sign in again.',
				implies: ['401 Unauthorized', '{"error":"invalid_token",…}'],
				feedback: 'A bad token gets 401. A new sign-in changes nothing about the limit of your address.'
			},
			{
				text: 'Nothing yet. Read the body, then wait until the reset.',
				implies: ['400 Bad Request', '{"error":"rate_limit_exceeded",…}'],
				feedback: 'The body names the limit, and the headers say when it resets.',
				isRight: true
			},
			{
				text: 'The network failed. Send it again at once.',
				implies: ['No response', 'The connection failed.'],
				feedback: 'A response arrived, so the network works. Each repeat counts toward the blacklist.'
			}
		]
	},
	attempts: 'all',
	conditions: [
		signedIn,
		{
			id: 'limit_met',
			label: 'Request 21 of a window was rejected',
			unmet: 'No request was over the limit yet. Send more than 20 requests in one window.',
			shows: (entry, { before }) => meetsLimit(entry, before)
		},
		{
			id: 'forty_characters',
			label: 'The same address got 40 responses over two windows, with at most two rejected requests',
			unmet: 'Now select Load 20 in turn twice. At most two requests may be rejected.',
			shows: (entry, context) => slowRun(entry, context)?.slice(0, -1) ?? false
		}
	],
	explanation:
		'Where others send 429, this service sends 400, so a client has to read the body. A rejected request brings nothing and counts toward the blacklist. Divide the time until the reset by the requests that are left, and pause that long between requests. After the reset, start with a small random delay.',
	sections: ['3.3', '7', '8.6', '8.9'],
	help: {
		hint: 'Loading at once ignores the limit. Loading in turn respects it, and continues automatically after the reset.',
		call: 'for i in $(seq 40); do {curl} -s \'{base_url}/ws/v2.0/character/Mara%20Vell\' -H "Authorization: OAuth $ACCESS_TOKEN"; sleep 1; done'
	},
	ownClient: {
		steps: [
			'Send requests until one of them is over the limit of 20.',
			'Wait for the reset. Then get 40 responses with at most two rejected requests, without signing in again.'
		],
		code: `for (let characters = 0; characters < 40; ) {
	const response = await fetch('{base_url}/ws/v2.0/character/Mara%20Vell', { headers: { authorization } });
	if (response.ok) characters++;
	const wait = response.headers.get('x-ratelimit-reset') - Date.parse(response.headers.get('date')) / 1000;
	const left = response.headers.get('x-ratelimit-remaining');
	await new Promise((done) => setTimeout(done, (1000 * wait) / Math.max(1, left)));
}`
	},
	notes: {
		discuss: 7,
		watch:
			'The window is ten seconds. Groups talk, the window ends, and nothing is rejected. Press the button twice quickly, then talk.',
		mistakes: [
			{
				belief: 'Status 400 means a malformed request.',
				reply: 'The same request worked twenty times. Read the body before you decide.'
			},
			{ belief: 'Trying again at once costs nothing.', reply: 'Each rejected request counts toward the blacklist.' }
		],
		questions: [
			{
				question: 'Forty requests, a limit of twenty in ten seconds. How long does the fastest polite client take?',
				listenFor: 'Between ten and twenty seconds: the second twenty wait for the next window.'
			},
			{
				question: 'Why should all clients not start exactly at the reset?',
				listenFor: 'They would all send at once. Spread the requests over the window.'
			}
		]
	}
};
