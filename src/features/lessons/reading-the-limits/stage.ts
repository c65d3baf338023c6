import { readCharacter } from '#evidence/exchanges.ts';
import type { Stage } from '../stage.ts';

export const stage: Stage = {
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
};
