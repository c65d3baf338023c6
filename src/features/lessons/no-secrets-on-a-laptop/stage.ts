import type { Stage } from '../stage.ts';

export const stage: Stage = {
	intro: [
		'An installed application runs on the computer of its user. Each copy contains the same client secret, so any user can read it. An attacker who sees a code on its way has all that an exchange needs.',
		'PKCE makes a secret for each sign-in: the code verifier. Only its hash goes ahead. In this lesson you sign in with the companion, then with PKCE, and then you are the thief.'
	],
	terms: ['installed application', 'client secret', 'code verifier'],
	able: [
		'say why a program cannot keep a secret',
		'explain what PKCE adds to a sign-in',
		'sign in with a localhost port and a verifier'
	],
	known: [
		{ from: 'application', to: 'authorization', label: 'POST token · code, verifier', reply: '200 tokens' },
		{ from: 'user', to: 'authorization', label: 'POST token · code, secret' }
	],
	predictionTitle: 'A stolen code, and a known secret',
	steps: [
		{
			title: 'Sign in with the companion',
			text: 'Select **Open sign-in window**, and sign in as `player-one`. The companion reads the code from the window.',
			tools: [{ kind: 'companion' }],
			condition: 'code_copied',
			expected: [{ from: 'application', to: 'authorization', label: 'POST token · code, secret' }]
		},
		{
			title: 'Get a code with PKCE',
			text: 'Select **Open request**, and allow access. Nothing listens at localhost, so copy the URL of the page that did not load.',
			tools: [
				{
					kind: 'request',
					request: 'authorization',
					client: 'companion',
					sets: { redirect_uri: 'http://localhost:50123' },
					usesPkce: true,
					marks: 'code_challenge',
					opensTab: true
				}
			],
			condition: 'challenge_sent',
			expected: [{ from: 'browser', to: 'authorization', label: 'GET auth · challenge' }],
			folds: 'Sign-in with a challenge'
		},
		{
			title: 'Exchange it with the verifier',
			text: 'Paste the URL as `code`, and select **Send request**. The verifier is filled in.',
			tools: [{ kind: 'request', request: 'exchange', client: 'companion', edits: ['code'], marks: 'code_verifier' }],
			condition: 'verifier_sent',
			expected: [{ from: 'application', to: 'authorization', label: 'POST token · code, verifier' }]
		},
		{
			title: 'Get another code',
			text: 'Select **Open request** again, allow access, and copy the URL. This is the code that a thief sees.',
			tools: [
				{
					kind: 'request',
					request: 'authorization',
					client: 'companion',
					sets: { redirect_uri: 'http://localhost:50123' },
					usesPkce: true,
					marks: 'code_challenge',
					opensTab: true
				}
			],
			condition: 'second_challenge_sent',
			expected: [{ from: 'browser', to: 'authorization', label: 'GET auth · challenge' }],
			folds: 'Second sign-in'
		},
		{
			title: 'Send it as the thief',
			text: 'You know the secret, but not the verifier. Paste the URL as `code`, and select **Send request**.',
			tools: [
				{
					kind: 'request',
					request: 'exchange',
					client: 'companion',
					edits: ['code'],
					omits: 'code_verifier',
					marks: 'client_secret',
					note: 'Without code_verifier'
				}
			],
			condition: 'thief_rejected',
			expected: [{ from: 'application', to: 'authorization', label: 'POST token · code, secret' }]
		}
	],
	result: 'Nothing, because the verifier is missing',
	question: {
		title: 'Where does PKCE help?',
		text: 'Select the message in which the service noticed that the thief is not the one who asked for the code.',
		solution: { condition: 'thief_rejected', part: 'response' },
		right: 'The service compared the verifier with the hash from the authorization request. None was sent.',
		wrong: 'The service accepted this one. Look for the response that is red.'
	},
	learnt: {
		title: 'A new secret for each sign-in',
		text: 'A secret in a program is public. PKCE proves that the exchange comes from the application that started the sign-in. One failed exchange ends the code.',
		code: "const challenge = createHash('sha256').update(verifier).digest('base64url');"
	}
};
