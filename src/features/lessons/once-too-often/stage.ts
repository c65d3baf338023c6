import type { Stage } from '../stage.ts';

export const stage: Stage = {
	intro: [
		'After you allow access, your browser brings an authorization code to the application, which exchanges it for an access token. The code passes through your browser, so others may see it: in the history, in a log, on a shared screen.',
		'A code therefore works once. But it can be sent twice: by an attacker, or by your own application when a user reloads the callback page. In this lesson you send it twice.'
	],
	terms: ['authorization code', 'access token', 'callback page'],
	able: [
		'say what a second exchange does to the first token',
		'explain why a reload can sign your own user out',
		'write a callback page that is safe to reload'
	],
	known: [
		{ from: 'application', to: 'authorization', label: 'POST token · code 1', reply: '200 access token 1' },
		{ from: 'application', to: 'resource', label: 'GET character · access token 1', reply: '200 Mara Vell' },
		{ from: 'application', to: 'authorization', label: 'POST token · same code' }
	],
	predictionTitle: 'Two exchanges, one code',
	steps: [
		{
			title: 'Sign in as player-one',
			text: 'Select **Open request**, sign in as `player-one`, and allow access. You come back here with a code.',
			tools: [{ kind: 'request', request: 'authorization' }],
			condition: 'code_issued',
			expected: [{ from: 'browser', to: 'authorization', label: 'sign-in and consent' }],
			folds: 'Sign-in of player-one'
		},
		{
			title: 'Exchange the code',
			text: 'The code is filled in. Select **Send request**.',
			tools: [{ kind: 'request', request: 'exchange', marks: 'code' }],
			condition: 'code_exchanged',
			expected: [{ from: 'application', to: 'authorization', label: 'POST token · code' }]
		},
		{
			title: 'Read Mara Vell with the token',
			text: 'The token from step 2 is in the header. Select **Send request** to see that it works.',
			tools: [{ kind: 'request', request: 'character', marks: 'Authorization' }],
			condition: 'first_token_used',
			expected: [{ from: 'application', to: 'resource', label: 'GET character/Mara Vell' }]
		},
		{
			title: 'Send the same code again',
			text: 'Do not sign in again: the request still has the code from step 2. Pause at the code exchange, and select **Send request**. Release it unchanged.',
			tools: [
				{
					kind: 'pause',
					point: 'code_exchange',
					text: 'The second exchange waits. Its `code` and its secret are right, as in the first one.'
				},
				{ kind: 'request', request: 'exchange', marks: 'code', note: 'Same value as in step 2' }
			],
			condition: 'code_replayed',
			expected: [{ from: 'application', to: 'authorization', label: 'POST token · same code' }]
		},
		{
			title: 'Read Mara Vell with the first token',
			text: 'Now the token from step 2 once more. Select **Send request**.',
			tools: [{ kind: 'request', request: 'character', marks: 'Authorization', note: 'The token from step 2' }],
			condition: 'first_token_rejected',
			expected: [{ from: 'application', to: 'resource', label: 'GET character/Mara Vell' }]
		}
	],
	result: 'The token stopped working',
	question: {
		title: 'When did it stop?',
		text: 'The token worked in step 3 and failed in step 5. Select the request that ended it.',
		solution: { condition: 'code_replayed', part: 'request' },
		right: 'The second exchange revoked the token, before any request with the token was sent.',
		wrong: 'This message did not end it. The service revokes the tokens when it sees the code for the second time.'
	},
	learnt: {
		title: 'A second use ends everything',
		text: 'A replayed code revokes every token that came from it. A callback page that exchanges its code again on reload signs its own user out.',
		code: "sessionStorage.removeItem('state');\n// before the exchange"
	}
};
