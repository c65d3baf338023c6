import type { Stage } from '../stage.ts';

export const stage: Stage = {
	intro: [
		'An access token works for any sender. It belongs in the Authorization header. The service also accepts it in the query of the URL, for callers that cannot set a header.',
		'TLS encrypts the URL on its way. But URLs are stored in the browser history, in logs, and passed on in the Referer header. In this lesson you leak a token, and then make it worthless by revocation.'
	],
	terms: ['access token', 'Referer header', 'revocation'],
	able: [
		'name the places where a URL is stored',
		'send a token in the Authorization header',
		'make a leaked token useless'
	],
	known: [
		{ from: 'application', to: 'resource', label: 'GET · Authorization: OAuth …', reply: '200 Mara Vell' },
		{ from: 'browser', to: 'resource', label: 'GET ?access_token=…' }
	],
	predictionTitle: 'A token in the address bar',
	steps: [
		{
			title: 'Sign in with offline access',
			text: 'Select **Sign in with {brand}**, choose `player-one`, and allow access.',
			tools: [{ kind: 'sign-in', access: 'offline' }],
			condition: 'signed_in',
			expected: [{ from: 'application', to: 'authorization', label: 'POST token · code' }],
			folds: 'Sign-in of player-one'
		},
		{
			title: 'Open a URL with the token',
			text: 'Select **Open character**. Find the URL in the history of your browser, keep the tab, and come back.',
			tools: [
				{ kind: 'leak', page: 'character' },
				{ kind: 'leak', page: 'image' }
			],
			condition: 'token_in_query',
			expected: [{ from: 'browser', to: 'resource', label: 'GET ?access_token=…' }]
		},
		{
			title: 'Send it in a header',
			text: 'Select **Look up**. The application sends the token in the Authorization header.',
			tools: [{ kind: 'look-up', name: 'Half/Life' }],
			condition: 'token_in_header',
			expected: [{ from: 'application', to: 'resource', label: 'GET · Authorization' }]
		},
		{
			title: 'Revoke the access',
			text: 'The token has leaked. Select **Sign out**, which revokes the access.',
			tools: [{ kind: 'sign-out' }],
			condition: 'access_revoked',
			expected: [{ from: 'application', to: 'authorization', label: 'GET revoke' }]
		},
		{
			title: 'Try the leaked URL again',
			text: 'Go to the tab with the character, and reload it. Then come back.',
			tools: [{ kind: 'account' }],
			condition: 'leaked_token_rejected',
			expected: [{ from: 'browser', to: 'resource', label: 'GET ?access_token=… again' }]
		}
	],
	result: 'The token was stored too',
	question: {
		title: 'What made it worthless?',
		text: 'The same URL worked in step 2 and failed in step 5. Select the request that changed that.',
		solution: { condition: 'access_revoked', part: 'request' },
		right: 'The revocation ended the grant, and every copy of its tokens with it.',
		wrong: 'This message did not end the token. Look for the revocation.'
	},
	learnt: {
		title: 'URLs are kept, headers are not',
		text: 'Browsers, servers and proxies store URLs, and pages pass them on. You cannot collect the copies of a leaked token, but you can revoke the access.',
		code: 'fetch(url, { headers: { authorization: `OAuth ${token}` } });'
	}
};
