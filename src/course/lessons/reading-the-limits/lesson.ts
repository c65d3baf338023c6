import type { Lesson } from '../lesson.ts';
import { signedIn } from '../evaluation/common-conditions.ts';
import type { TrafficEntry } from '#api/control/traffic.ts';
import { parseRateLimits } from '#client/parse-rate-limits.ts';
import { parseJson } from '#client/rate-limit/json-value.ts';
import type { ValueCondition } from '../evaluation/condition.ts';
import { readCharacter } from '#evidence/exchanges.ts';
import { rateLimitOf, type RateLimitHeaders } from '#evidence/rate-limit-headers.ts';

const minCalls = 5;
/** How far a number may be off: in calls, and in seconds. */
const maxCallsOff = 1;
const maxSecondsOff = 5;

/** The last character response, if the number is the one that its headers say. */
const readFrom =
	(isRight: (value: number, limits: RateLimitHeaders) => boolean): ValueCondition['readFrom'] =>
	(value, before) => {
		const response = before.findLast(readCharacter);
		const limits = response && rateLimitOf(response);
		return limits !== undefined && /^\d+$/.test(value.trim()) && isRight(Number(value), limits) ? response : undefined;
	};

export const lesson: Lesson = {
	stage: {
		intro: [
			'The service counts the requests of each address. The rate limit says how many are allowed in a window of time. Over it, requests are rejected, and after too many rejections the address is put on a blacklist.',
			'Each response says how many requests are left, and the reset time. In this lesson you read both from the headers of one response. Beware of clocks: yours and the one of the service may differ.'
		],
		terms: ['rate limit', 'blacklist', 'reset time'],
		able: [
			'read from one response how many requests are left',
			'compute how long to wait, also with a wrong clock',
			'say what a request for the limits costs'
		],
		known: [
			{ from: 'application', to: 'resource', label: 'GET character', reply: '200, X-RateLimit-…' },
			{ from: 'application', to: 'resource', label: 'GET ratelimits' }
		],
		predictionTitle: 'The price of asking',
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
				title: 'Read 20 characters',
				text: 'Select **Load 20 in turn**.',
				tools: [{ kind: 'load', mode: 'inTurn', hidesGauges: true }],
				condition: 'calls_made',
				expected: [{ from: 'application', to: 'resource', label: '20 × GET character' }]
			},
			{
				title: 'Request the limits',
				text: 'Select **Request limits**. Compare both responses: each has a limit and a number of requests left.',
				tools: [{ kind: 'rate-limits' }, { kind: 'headers', isCompared: true }],
				condition: 'limits_requested',
				expected: [{ from: 'application', to: 'resource', label: 'GET ratelimits' }]
			},
			{
				title: 'Enter both numbers',
				text: 'How many character requests are left, and how many seconds until the reset? Subtract `Date` from `X-RateLimit-Reset`, in Unix seconds.',
				tools: [{ kind: 'fields' }, { kind: 'headers' }],
				condition: 'seconds_until_reset'
			}
		],
		result: 'A separate limit',
		question: {
			title: 'Where were the numbers?',
			text: 'Both numbers were in a response that you had anyway. Select it.',
			solution: { condition: 'calls_made', part: 'response', accepts: readCharacter },
			right:
				'Every character response has the numbers. The request for the limits was not needed, and has a separate limit.',
			wrong: 'The numbers are about character requests. Their responses carry them.'
		},
		learnt: {
			title: 'Every response tells the limit',
			text: 'Subtract the Date of the same response from its reset time. Both come from the clock of the service, so your own clock does not matter.',
			code: "const wait = headers.get('x-ratelimit-reset') - Date.parse(headers.get('date')) / 1000;"
		}
	},
	// The clock of the service differs from that of the learner, so only the Date header helps.
	start: { offset: 2 * 3600 },
	fields: [
		{ id: 'calls_left', label: 'Character requests left' },
		{ id: 'seconds_until_reset', label: 'Seconds until the reset' }
	],
	prediction: {
		question: 'You request /ws/v2.0/ratelimits to see how many requests are left. What does that cost?',
		shownBy: 'limits_requested',
		comparison: {
			columns: ['Before', 'After'],
			rows: ({ entries, shown }) => {
				const [limits] = shown('limits_requested');
				const before = entries.filter(({ seq }) => limits !== undefined && seq < limits.seq);
				const remaining = (entry: TrafficEntry | undefined) => entry && rateLimitOf(entry)?.remaining;
				const records = parseRateLimits(parseJson(limits?.response?.body ?? ''));
				const character = records.find(({ pattern }) => pattern.includes('character'));
				return [
					['Character requests left', remaining(before.findLast(readCharacter)), character?.remaining],
					[
						'Requests for the limits left',
						remaining(before.findLast(({ endpoint }) => endpoint === 'ratelimits')),
						remaining(limits)
					]
				];
			}
		},
		shows: 'X-RateLimit-Limit',
		options: [
			{
				text: 'Nothing, because only resources are counted',
				implies: ['200 OK', 'X-RateLimit-Limit: none'],
				feedback: 'The rate limits are a resource too. The response has its own X-RateLimit headers.'
			},
			{
				text: 'One of the 600 character requests',
				implies: ['200 OK', 'X-RateLimit-Limit: 600'],
				feedback: 'There is not one counter for all. The character limit did not move.'
			},
			{
				text: 'One request of a separate, smaller limit',
				implies: ['200 OK', 'X-RateLimit-Limit: below 600'],
				feedback: 'The headers of all other responses say the same, at no cost.',
				isRight: true
			},
			{
				text: 'Nothing, and the window starts again',
				implies: ['200 OK', 'X-RateLimit-Reset: later'],
				feedback: 'The reset is fixed when the window begins. Requests do not move it.'
			}
		]
	},
	attempts: 'all',
	conditions: [
		signedIn,
		{
			id: 'calls_made',
			label: 'Five characters were read',
			unmet: 'Fewer than five characters were read from one address. Read five.',
			shows: (entry, { since }) => {
				if (!readCharacter(entry) || rateLimitOf(entry) === undefined) return false;
				const own = since.filter((one) => readCharacter(one) && one.address === entry.address);
				return own.length >= minCalls - 1 && own.slice(1 - minCalls);
			}
		},
		{
			id: 'limits_requested',
			label: 'The rate limit records were requested after that',
			unmet: 'No client has requested /ws/v2.0/ratelimits after these requests. Request it once.',
			shows: ({ endpoint, response }) => endpoint === 'ratelimits' && response?.status === 200
		},
		{
			id: 'calls_left',
			label: 'You entered how many character requests were left',
			unmet:
				'The number of requests left is missing or wrong. Read X-RateLimit-Remaining in the last character response.',
			wrong: 'Not this number. Read X-RateLimit-Remaining in the last character response.',
			field: 'calls_left',
			readFrom: readFrom((value, { remaining }) => Math.abs(value - remaining) <= maxCallsOff)
		},
		{
			id: 'seconds_until_reset',
			label: 'You entered the seconds until the reset',
			unmet:
				'The seconds until the reset are missing or wrong. Subtract the Date of the last character response from its X-RateLimit-Reset.',
			wrong: 'Your clock differs from the service’s. Use the Date of the response, not your own time.',
			field: 'seconds_until_reset',
			readFrom: readFrom((value, { reset, date }) => Math.abs(value - (reset - date)) <= maxSecondsOff)
		}
	],
	explanation:
		'You need no extra request: every response says how many requests are left and when the window ends. The end is a time of the service’s clock, so subtract the Date of the same response. The clock of your machine may differ. All programs behind one public address share the limit.',
	sections: ['2.5', '8.2', '8.4', '8.5'],
	help: {
		hint: 'The clock of this sandbox is two hours ahead of yours. Both numbers that you subtract must come from the service.',
		call: '{curl} -si \'{base_url}/ws/v2.0/character/Mara%20Vell\' -H "Authorization: OAuth $ACCESS_TOKEN" | grep -i -e ratelimit -e ^date'
	},
	ownClient: {
		steps: [
			'Read five characters, and request `/ws/v2.0/ratelimits` once.',
			'Print the requests left and the seconds until the reset of the last character response, and enter both.'
		],
		code: `const { headers } = await fetch('{base_url}/ws/v2.0/character/Mara%20Vell', { headers: { authorization } });
const seconds = headers.get('x-ratelimit-reset') - Date.parse(headers.get('date')) / 1000;
console.log(headers.get('x-ratelimit-remaining'), seconds);`
	},
	notes: {
		discuss: 5,
		watch:
			'The clock of the sandbox is two hours ahead on purpose. Learners who use the clock of their own machine get a time that is far off.',
		mistakes: [
			{
				belief: 'Asking for the limits is free.',
				reply: 'It has a limit too. The headers of every response say the same, at no cost.'
			},
			{
				belief: 'The window starts again with each request.',
				reply: 'It ends at a fixed time. Compare X-RateLimit-Reset of two responses.'
			}
		],
		questions: [
			{
				question: 'Which clock do you subtract, and why?',
				listenFor: 'The Date of the same response. Clocks of clients are wrong more often than one thinks.'
			},
			{
				question: 'Two of your programs run behind one public address. What do they share?',
				listenFor: 'The whole limit, and the blacklist. Neither sees the requests of the other.'
			}
		]
	}
};
