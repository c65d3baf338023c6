import type { Stage } from '../stage.ts';

export const stage: Stage = {
	intro: [
		'A program that ignores the rate limit goes on sending. After a number of rejected requests the service puts its address on the blacklist.',
		'What does a client see then? And how does it get out? Waiting does not help. In this lesson you get blacklisted on purpose, find out what happened, and write a support ticket. You also own this sandbox, so you decide the ticket yourself.'
	],
	terms: ['rate limit', 'blacklist', 'support ticket'],
	able: [
		'recognize that an address is blacklisted',
		'ask for the status of an address',
		'write a ticket that gets it unblocked'
	],
	known: [
		{ from: 'application', to: 'resource', label: 'over the limit', reply: '400 rate_limit_exceeded' },
		{ from: 'application', to: 'resource', label: 'one request too many' }
	],
	predictionTitle: 'The next request',
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
			title: 'Ignore the limit',
			text: 'Select **Start load test**, and let it run until it ends.',
			tools: [{ kind: 'load', mode: 'untilBlacklisted' }],
			condition: 'no_response',
			expected: [{ from: 'application', to: 'resource', label: '30 requests over the limit' }]
		},
		{
			title: 'Find out what happened',
			text: 'One path still responds. Select **Check status**.',
			tools: [{ kind: 'status' }],
			condition: 'status_read',
			expected: [{ from: 'application', to: 'resource', label: 'GET ratelimiting' }]
		},
		{
			title: 'File a ticket',
			text: 'Say why it happened and what you changed, then select **File ticket**.',
			tools: [{ kind: 'tickets', shows: 'file' }],
			condition: 'ticket_filed',
			expected: [{ from: 'application', to: 'authorization', label: 'POST tickets' }]
		},
		{
			title: 'Decide it as the owner',
			text: 'You also own this sandbox. Read the ticket, and select **Unblock**.',
			tools: [{ kind: 'tickets', shows: 'decide' }],
			condition: 'unblocked',
			expected: [{ from: 'application', to: 'authorization', label: 'POST tickets · decision' }]
		},
		{
			title: 'Read a character again',
			text: 'Select **Look up**.',
			tools: [{ kind: 'look-up', name: 'Mara Vell' }],
			condition: 'reads_again',
			expected: [{ from: 'application', to: 'resource', label: 'GET character/Mara Vell' }]
		}
	],
	result: 'No response at all',
	question: {
		title: 'Which request still worked?',
		text: 'While the address was blacklisted, the application asked what had happened. Select the response.',
		solution: { condition: 'status_read', part: 'response' },
		right:
			'The status path responds to blacklisted addresses too. Requests to all other paths of the service end without a response.',
		wrong: 'Look for the status between the requests without a response and the ticket.'
	},
	learnt: {
		title: 'When all is silent, stop and ask',
		text: 'A blacklisted address looks like a broken network, and waiting does not end it. Stop all requests, read the status, change the program, then write the ticket.',
		code: "if (noResponse) {\n\tqueue.pause();\n\tawait fetch('/ratelimiting');\n}"
	}
};
