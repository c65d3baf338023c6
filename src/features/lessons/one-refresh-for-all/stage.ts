import { refreshed } from '#evidence/exchanges.ts';
import type { Stage } from '../stage.ts';

export const stage: Stage = {
	intro: [
		'An access token can end at any time. The next request gets 401, and the application uses its refresh token to get a new one. So far, so simple.',
		'But pages send many requests at once. Twenty of them get 401 at the same moment, and each could refresh on its own. With offline access that works here. At other services it signs the user out.'
	],
	terms: ['access token', 'refresh token', 'offline access'],
	able: [
		'see how many refreshes a burst of 401 causes',
		'explain why many refreshes can sign a user out',
		'write a refresh that all requests share'
	],
	known: [
		{ from: 'application', to: 'resource', label: '20 × GET character', reply: '20 × 401' },
		{ from: 'application', to: 'authorization', label: 'POST token · refresh token' }
	],
	predictionTitle: 'Twenty times 401',
	steps: [
		{
			title: 'Sign in with offline access',
			text: 'Select **Sign in with {brand}**, choose `player-one`, and allow access.',
			tools: [{ kind: 'sign-in', access: 'offline' }],
			condition: 'refresh_token_issued',
			expected: [{ from: 'application', to: 'authorization', label: 'POST token · code' }],
			folds: 'Sign-in of player-one'
		},
		{
			title: 'Let each request refresh',
			text: 'Turn **Share one refresh** off. Select **Revoke access token**, then **Load 20 at once**. The application does not know that its token has ended.',
			tools: [
				{ kind: 'end-tokens' },
				{ kind: 'load', mode: 'atOnce', setting: 'shareRefresh', isOn: false, hidesGauges: true }
			],
			condition: 'calls_repeated',
			expected: [
				{ from: 'application', to: 'resource', label: '20 × GET character' },
				{ from: 'application', to: 'authorization', label: 'POST token · refresh token' }
			]
		},
		{
			title: 'Let them share one',
			text: 'Turn **Share one refresh** on. Revoke the token and load again, and compare.',
			tools: [
				{ kind: 'end-tokens' },
				{ kind: 'load', mode: 'atOnce', setting: 'shareRefresh', isOn: true, hidesGauges: true }
			],
			condition: 'one_refresh',
			expected: [
				{ from: 'application', to: 'resource', label: '20 × GET character' },
				{ from: 'application', to: 'authorization', label: 'POST token · refresh token' }
			]
		}
	],
	result: 'Every refresh got a token',
	question: {
		title: 'Who got the new token?',
		text: 'In step 3, all requests waited for one message. Select it.',
		solution: { condition: 'one_refresh', part: 'response', accepts: (entry, isShown) => isShown && refreshed(entry) },
		right: 'One request started the refresh. The others waited for this response, and then repeated once.',
		wrong: 'Look in step 3 for the one response that brings a new access token.'
	},
	learnt: {
		title: 'One refresh, shared by all',
		text: 'The first 401 starts the refresh. All others wait for it, and repeat once. Services that rotate refresh tokens take a second refresh for theft.',
		code: 'refreshing ??= refresh().finally(() => (refreshing = undefined));\nawait refreshing;'
	}
};
