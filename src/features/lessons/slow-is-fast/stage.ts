import type { Stage } from '../stage.ts';
import { isOverLimit } from './conditions.ts';

export const stage: Stage = {
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
			tools: [{ kind: 'load', mode: 'inTurn', setting: 'throttle' }],
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
};
