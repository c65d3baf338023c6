import type { ComparedRow, Lesson } from '../lesson.ts';
import type { TrafficEntry } from '#api/control/traffic.ts';
import { readCharacter } from '#evidence/exchanges.ts';
import { rateLimitOf } from '#evidence/rate-limit-headers.ts';
import { signedIn } from '../evaluation/common-conditions.ts';
import type { Context } from '../evaluation/condition.ts';
import { callsUnder, isOverLimit } from '../evaluation/limit-exchanges.ts';

/** The limit of this lesson, in requests of a window. */
const limit = 90;
/** How many requests a slow one counts as. */
const cost = 50;

/** The last character request of the same window before this one. */
const previous = (entry: TrafficEntry, { before }: Pick<Context, 'before'>) =>
	callsUnder(limit, entry.address, before).findLast((call) => rateLimitOf(call)?.reset === rateLimitOf(entry)?.reset);

const remainingOf = (entry: TrafficEntry | undefined) => entry && rateLimitOf(entry)?.remaining;

/** How many requests this one took from the limit. NaN under another limit. */
function takenBy(entry: TrafficEntry, context: Pick<Context, 'before'>): number {
	const [own] = callsUnder(limit, entry.address, [entry]);
	return (remainingOf(previous(entry, context)) ?? limit) - (remainingOf(own) ?? NaN);
}

export const lesson: Lesson = {
	stage: {
		intro: [
			'Not all requests are equal work. Some services let a search count as many reads, so a rate limit of 90 may be one search and some reads.',
			'Here, one slow name counts as 50 requests of a window. The headers say what is left, and the reset time says when that changes. In this lesson you find out what a request gets that costs more than what is left. Rejected ones count toward the blacklist, whatever they cost.'
		],
		terms: ['rate limit', 'reset time', 'blacklist'],
		able: [
			'read the cost of a request from two responses',
			'say what a rejected request takes',
			'go on with cheap requests when an expensive one is rejected'
		],
		known: [
			{ from: 'application', to: 'resource', label: 'GET character · slow', reply: '200, 39 left' },
			{ from: 'application', to: 'resource', label: 'GET character · slow' }
		],
		predictionTitle: 'One too expensive',
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
				title: 'Send a cheap request',
				text: 'Select **Send one request**, and read how many are left.',
				tools: [{ kind: 'limit', action: 'send', name: 'Mara Vell' }],
				condition: 'cheap_read',
				expected: [{ from: 'application', to: 'resource', label: 'GET character' }]
			},
			{
				title: 'Send an expensive one',
				text: 'Select **Send one request**. `Test Slow` takes three seconds, and costs more.',
				tools: [{ kind: 'limit', action: 'send', name: 'Test Slow' }],
				condition: 'expensive_read',
				expected: [{ from: 'application', to: 'resource', label: 'GET character · slow' }]
			},
			{
				title: 'Send another one',
				text: 'Select **Send one request** once more.',
				tools: [{ kind: 'limit', action: 'send', name: 'Test Slow' }],
				condition: 'expensive_rejected',
				expected: [{ from: 'application', to: 'resource', label: 'GET character · slow' }]
			},
			{
				title: 'Go on with a cheap one',
				text: 'Select **Send one request**, and compare what is left.',
				tools: [{ kind: 'limit', action: 'send', name: 'Mara Vell' }],
				condition: 'cheap_after',
				expected: [{ from: 'application', to: 'resource', label: 'GET character' }]
			}
		],
		result: 'Rejected, and nothing taken',
		question: {
			title: 'Where did you learn the price?',
			text: 'The service does not announce what a request costs. Select the response that shows it.',
			solution: { condition: 'expensive_read', part: 'response' },
			right: 'Its X-RateLimit-Remaining is 50 less than in the response before. Two responses tell the price.',
			wrong: 'Look for the response after which much less was left than before.'
		},
		learnt: {
			title: 'Left is not enough',
			text: 'A request is accepted if what is left covers its cost. A client that only looks at zero sends requests that cannot succeed. Remember the price of each kind of request, and let cheap ones pass an expensive one that waits.',
			code: 'if (remaining < cost[kind]) await untilReset(); else await send(request);'
		}
	},
	start: { settings: { limits: { character: limit, slow_cost: cost } } },
	prediction: {
		question: 'A request costs 50, and 39 are left. What comes back?',
		shownBy: 'expensive_rejected',
		shows: 'X-RateLimit-Remaining',
		comparison: {
			columns: ['Expensive', 'Cheap, after it'],
			rows: ({ entries, shown }) => {
				const pair = [shown('expensive_rejected').at(-1), shown('cheap_after').at(-1)];
				const values = (of: (entry: TrafficEntry, before: readonly TrafficEntry[]) => string | number | undefined) =>
					pair.map(
						(entry) =>
							entry &&
							of(
								entry,
								entries.filter(({ seq }) => seq < entry.seq)
							)
					);
				const row = (label: string, [one, other]: readonly (string | number | undefined)[]): ComparedRow => [
					label,
					one,
					other
				];
				return [
					row(
						'Left before',
						values((entry, before) => remainingOf(previous(entry, { before })))
					),
					row(
						'Status',
						values(({ response }) => response?.status)
					),
					row('Left after', values(remainingOf))
				];
			}
		},
		options: [
			{
				text: '200, and nothing is left',
				implies: ['200 OK', 'X-RateLimit-Remaining: 0'],
				feedback: 'The service does not sell on credit. 39 do not cover a cost of 50.'
			},
			{
				text: '400, and 39 are still left',
				implies: ['400 Bad Request', 'X-RateLimit-Remaining: 39'],
				feedback: 'A rejected request takes nothing, so 39 cheap ones still fit.',
				isRight: true
			},
			{
				text: '400, and the 39 are gone',
				implies: ['400 Bad Request', 'X-RateLimit-Remaining: 0'],
				feedback: 'A rejected request takes nothing. It counts toward the blacklist only.'
			},
			{
				text: '200, but only after the reset',
				implies: ['200 OK', 'X-RateLimit-Remaining: 40'],
				feedback: 'A fixed window has no queue. The response comes at once.'
			}
		]
	},
	attempts: 'all',
	conditions: [
		signedIn,
		{
			id: 'cheap_read',
			label: 'A cheap request was accepted',
			unmet: 'No character was read yet. Send one request for a usual name.',
			shows: (entry) => readCharacter(entry) && callsUnder(limit, entry.address, [entry]).length > 0
		},
		{
			id: 'expensive_read',
			label: 'One request took 50 of the limit',
			unmet: 'No request has taken 50 of the limit. Send one for Test Slow.',
			shows: (entry, context) => readCharacter(entry) && takenBy(entry, context) === cost
		},
		{
			id: 'expensive_rejected',
			label: 'Another one was rejected, although requests were left',
			unmet: 'No expensive request was rejected yet. Send another one for Test Slow.',
			shows: (entry, context) => isOverLimit(entry) && takenBy(entry, context) === 0 && (remainingOf(entry) ?? 0) > 0
		},
		{
			id: 'cheap_after',
			label: 'A cheap request was accepted after it',
			unmet: 'The rest of the limit is still there. Send one request for a usual name.',
			shows: (entry, context) => readCharacter(entry) && takenBy(entry, context) === 1
		}
	],
	explanation:
		'Services that count costs accept a request if what is left covers it. The headers count requests of cost 1. A rejected request takes nothing, so cheaper ones still succeed. The reset of a rejected request is the time at which that very request is accepted.',
	sections: ['8.2', '8.4'],
	help: {
		hint: 'Compare X-RateLimit-Remaining of two responses that follow each other. The difference is the cost.',
		call: '{curl} -si \'{base_url}/ws/v2.0/character/Test%20Slow\' -H "Authorization: OAuth $ACCESS_TOKEN" | grep -i -e HTTP -e remaining'
	},
	ownClient: {
		steps: [
			'Read one character, then `Test Slow` twice, and print `X-RateLimit-Remaining` each time.',
			'After the rejection, read one character of a usual name.'
		],
		code: `for (const name of ['Mara Vell', 'Test Slow', 'Test Slow', 'Mara Vell']) {
	const response = await fetch('{base_url}/ws/v2.0/character/' + encodeURIComponent(name), { headers: { authorization } });
	console.log(name, response.status, response.headers.get('x-ratelimit-remaining'));
}`
	},
	notes: {
		discuss: 5,
		watch:
			'The slow request takes three seconds. Groups press the button again, and the second one is rejected before they have read the first response.',
		mistakes: [
			{
				belief: 'Rejected means that nothing is left.',
				reply: 'X-RateLimit-Remaining of that very response says 39.'
			},
			{
				belief: 'The rejected request has used up the rest.',
				reply: 'The next cheap request is accepted. A rejected one takes nothing.'
			}
		],
		questions: [
			{
				question:
					'A queue sends requests in their order, and the first one is too expensive. What happens to the others?',
				listenFor: 'They wait although they would be accepted. Let cheap ones pass, or keep a queue for each kind.'
			},
			{
				question: 'How does a client learn what a request costs?',
				listenFor: 'From the documentation, or from the difference of two responses. No header of this service says it.'
			}
		]
	}
};
