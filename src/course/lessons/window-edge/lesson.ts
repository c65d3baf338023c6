import type { ComparedRow, Lesson } from '../lesson.ts';
import type { TrafficEntry } from '#api/control/traffic.ts';
import { limitAlgorithms } from '#api/limit-algorithm.ts';
import { readCharacter } from '#evidence/exchanges.ts';
import { rateLimitOf } from '#evidence/rate-limit-headers.ts';
import { signedIn } from '../evaluation/common-conditions.ts';
import { algorithmOf, callsUnder, isOverLimit } from '../evaluation/limit-exchanges.ts';

/** The limit of this lesson, in requests of a window. */
const limit = 20;
/** In milliseconds. */
const window = 3_600_000;
/** What is short beside a window, in milliseconds. */
const span = 600_000;
/** So many of a burst have to be accepted. */
const least = 15;

const isLogged = (entry: TrafficEntry) => algorithmOf(entry) === limitAlgorithms.sliding_log;

/** The accepted requests that the same algorithm counted up to this one, from the same address. */
const acceptedUpTo = (entry: TrafficEntry, before: readonly TrafficEntry[]) =>
	callsUnder(limit, entry.address, [...before, entry]).filter(
		(call) => readCharacter(call) && isLogged(call) === isLogged(entry)
	);

/** Those of the last ten minutes, if this one is accepted too. */
function burstUpTo(entry: TrafficEntry, before: readonly TrafficEntry[]): readonly TrafficEntry[] {
	if (!readCharacter(entry)) return [];
	const recent = before.filter(({ at }) => at > entry.at - span);
	return acceptedUpTo(entry, recent);
}

/** Whether a request was accepted between 50 and 60 minutes before a time. */
const isHourOld = (accepted: readonly TrafficEntry[], time: number) =>
	accepted.some(({ at }) => at <= time - window + span && at > time - window);

const row = (
	label: string,
	of: (entries: readonly TrafficEntry[]) => number,
	pair: readonly (readonly TrafficEntry[])[]
) => [label, of(pair[0] ?? []), of(pair[1] ?? [])] satisfies ComparedRow;

/** A step that moves to a time before or after the reset, and sends a burst there. @param minutes after the reset */
const burst = (title: string, minutes: number, condition: string): Lesson['stage']['steps'][number] => ({
	title,
	text: `Select **Move ${minutes < 0 ? 'to before' : 'past'} the reset**, then **Load 20 at once**.`,
	tools: [
		{ kind: 'limit', action: 'move', minutes },
		{ kind: 'load', mode: 'atOnce', hidesGauges: true }
	],
	condition,
	expected: [{ from: 'application', to: 'resource', label: '20 × GET character' }]
});

export const lesson: Lesson = {
	stage: {
		intro: [
			'A rate limit of 20 requests an hour sounds clear. A fixed window counts from its first request, and begins again at the reset time. What happened just before no longer counts then.',
			'In this lesson you send requests around that moment, and count how many are accepted. Then the same requests meet an algorithm without an edge.'
		],
		terms: ['rate limit', 'fixed window', 'reset time'],
		able: [
			'say how many requests a fixed window accepts at its edge',
			'explain why a service uses a log or a bucket',
			'plan requests for the limit that is meant'
		],
		known: [
			{ from: 'application', to: 'resource', label: '20 requests before the reset', reply: '20 × 200' },
			{ from: 'application', to: 'resource', label: '20 requests after it' }
		],
		predictionTitle: 'Around the reset',
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
				title: 'Open a window',
				text: 'Select **Send one request**. A window of one hour begins with it.',
				tools: [{ kind: 'limit', action: 'send', name: 'Mara Vell' }],
				condition: 'window_opened',
				expected: [{ from: 'application', to: 'resource', label: 'GET character' }]
			},
			burst('Send a burst before the reset', -5, 'late_burst'),
			burst('Send a burst after the reset', 1, 'past_limit'),
			{
				title: 'Change the algorithm',
				text: 'Select **Change to sliding log**, then **Send one request**. A new count begins.',
				tools: [
					{ kind: 'limit', action: 'algorithm', value: 'sliding_log' },
					{ kind: 'limit', action: 'send', name: 'Mara Vell' }
				],
				condition: 'log_opened',
				expected: [{ from: 'application', to: 'resource', label: 'GET character' }]
			},
			burst('Send the same burst', -5, 'log_burst'),
			burst('Send the second one', 1, 'log_rejects')
		],
		result: 'Almost twice the limit',
		question: {
			title: 'What did the log remember?',
			text: 'The same requests came again. Select a response that shows that the burst before still counts.',
			solution: {
				condition: 'log_rejects',
				part: 'response',
				accepts: (entry) => isOverLimit(entry) && isLogged(entry)
			},
			right:
				'The log keeps the time of each accepted request for an hour, so the burst of six minutes before still counts.',
			wrong: 'Look for a rejected request after the change of the algorithm.'
		},
		learnt: {
			title: 'A limit per window is no limit per hour',
			text: 'A fixed window is cheap and easy to explain, and accepts twice its limit around a reset. A log, a counter over two windows or a bucket has no such moment. A client does not know which one it meets, so plan for the limit, not for its edge.',
			code: 'const pause = window / limit; // even spacing fits into every algorithm'
		}
	},
	// Two hours pass, and the token is needed until the end.
	start: {
		settings: { limits: { character: limit, blacklist_after_refused: 1000 }, lifetimes: { access_token: 86_400 } }
	},
	prediction: {
		question:
			'The limit is 20 requests an hour. A client sends 20 shortly before the reset and 20 shortly after it. How does the last one end?',
		shownBy: 'past_limit',
		shows: 'X-RateLimit-Remaining',
		comparison: {
			columns: ['Fixed window', 'Sliding log'],
			rows: ({ entries, shown }) => {
				const calls = [shown('past_limit').at(-1), shown('log_rejects').at(-1)].map((last) =>
					callsUnder(limit, last?.address ?? '', entries).filter(
						(call) =>
							last !== undefined && Math.abs(call.at - last.at) < span && algorithmOf(call) === algorithmOf(last)
					)
				);
				return [
					row('Sent around the edge', (found) => found.length, calls),
					row('Accepted', (found) => found.filter(readCharacter).length, calls),
					row('Over the limit', (found) => found.filter(isOverLimit).length, calls)
				];
			}
		},
		options: [
			{
				text: 'Rejected: 20 of the last hour are used',
				implies: ['400 Bad Request', 'X-RateLimit-Remaining: 0'],
				feedback: 'A fixed window does not look at the last hour. It only knows the count since its beginning.'
			},
			{
				text: 'Rejected: half of the window before still counts',
				implies: ['400 Bad Request', 'X-RateLimit-Remaining: 0'],
				feedback: 'A sliding counter does that. A fixed window forgets everything at the reset.'
			},
			{
				text: 'Accepted: a new window has another 20 requests',
				implies: ['200 OK', 'X-RateLimit-Remaining: 5 or fewer'],
				feedback: 'The count starts again at the reset, whatever happened a minute before.',
				isRight: true
			},
			{
				text: 'Accepted, but the next window is shorter',
				implies: ['200 OK', 'X-RateLimit-Reset: earlier'],
				feedback: 'Each window is as long as the first. Nothing is carried over.'
			}
		]
	},
	attempts: 'all',
	conditions: [
		signedIn,
		{
			id: 'window_opened',
			label: 'A first request opened a window',
			unmet: 'No request has opened a window of 20 yet. Send one request.',
			shows: (entry) => !isLogged(entry) && burstUpTo(entry, []).length > 0
		},
		{
			id: 'late_burst',
			label: 'At least 15 requests were accepted in the last ten minutes of the window',
			unmet:
				'There was no burst in the last ten minutes of the window. Move to before the reset, then load 20 at once.',
			shows(entry, { before }) {
				const { reset = 0 } = rateLimitOf(entry) ?? {};
				if (isLogged(entry) || reset * 1000 - entry.at > span) return false;
				const burst = burstUpTo(entry, before).filter((call) => rateLimitOf(call)?.reset === reset);
				return burst.length >= least && burst.slice(0, -1);
			}
		},
		{
			id: 'past_limit',
			label: 'More than the limit was accepted within ten minutes',
			unmet: 'Fewer than 30 requests were accepted within ten minutes. Move past the reset, then load 20 at once.',
			shows(entry, { before }) {
				const burst = isLogged(entry) ? [] : burstUpTo(entry, before);
				return burst.length >= 2 * least && burst.slice(0, -1);
			}
		},
		{
			id: 'log_opened',
			label: 'The sliding log counts',
			unmet: 'The algorithm is still the fixed window. Change it to the sliding log, then send one request.',
			shows: (entry) => isLogged(entry) && burstUpTo(entry, []).length > 0
		},
		{
			id: 'log_burst',
			label: 'The log accepted the first burst',
			unmet: 'The log has not seen the burst yet. Move to before the reset, then load 20 at once.',
			shows(entry, { before }) {
				if (!isLogged(entry)) return false;
				const burst = burstUpTo(entry, before);
				const isLate = burst.length >= least && isHourOld(acceptedUpTo(entry, before), entry.at);
				return isLate && burst.slice(0, -1);
			}
		},
		{
			id: 'log_rejects',
			label: 'The log rejected the second burst',
			unmet: 'The hour after the first request is not over. Move past the reset, then load 20 at once.',
			shows(entry, { before }) {
				if (!isOverLimit(entry) || !isLogged(entry)) return false;
				const accepted = acceptedUpTo(entry, before);
				const recent = accepted.filter(({ at }) => at > entry.at - span);
				// In a fixed window, a new one would have begun.
				return recent.length >= least && isHourOld(accepted, entry.at - span);
			}
		}
	],
	explanation:
		'A fixed window starts a new count at its reset, so twice the limit fits around it. A sliding log keeps the time of each accepted request, and rejects what exceeds the limit in any hour. It needs more memory. A client cannot see the algorithm, so it spaces its requests evenly.',
	sections: ['8.2', '8.4', '8.6'],
	help: {
		hint: 'The clock of the sandbox moves, so no learner waits an hour. The buttons read the reset from the last response.',
		call: '{curl} -si \'{base_url}/ws/v2.0/character/Mara%20Vell\' -H "Authorization: OAuth $ACCESS_TOKEN" | grep -i ratelimit'
	},
	ownClient: {
		steps: [
			'Send one request. Move the clock of the sandbox 55 minutes ahead, and send 20.',
			'Move it 6 minutes ahead, and send 20 more.',
			'Set `limit_algorithm` to `sliding_log` in the settings, and do all of it again.'
		],
		code: `{curl} {base_url}/control/clock -d '{"advance": 3300}'
for i in $(seq 20); do {curl} -s '{base_url}/ws/v2.0/character/Mara%20Vell' -H "Authorization: OAuth $ACCESS_TOKEN"; done
{curl} {base_url}/control/settings -X PATCH -d '{"limit_algorithm": "sliding_log"}'`
	},
	notes: {
		discuss: 5,
		watch:
			'One request of the first burst is over the limit, because the request that opened the window counts too. Ask the group why, before a learner reports it as a fault.',
		mistakes: [
			{
				belief: 'A limit of 20 an hour means that no hour has more than 20.',
				reply: 'That is true of a sliding log. A fixed window promises it for its own windows only.'
			},
			{
				belief: 'Then a client should aim at the edge.',
				reply:
					'The next service has another algorithm, and rejects half of the requests. Even spacing works with all of them.'
			}
		],
		questions: [
			{
				question: 'What does the log cost the service that the window does not?',
				listenFor: 'The time of every accepted request instead of one number. Buckets and GCRA need one number too.'
			},
			{
				question: 'Where does twice the limit hurt?',
				listenFor:
					'Where the limit protects something with a fixed capacity: a database, or a service that is billed per request.'
			}
		]
	}
};
