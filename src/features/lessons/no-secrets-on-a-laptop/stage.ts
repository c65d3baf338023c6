import type { Stage, Tool } from '../stage.ts';
import { isThief } from './conditions.ts';

type RequestTool = Extract<Tool, { kind: 'request' }>;

/** An authorization request of the companion, whose code comes to a port that nothing listens on. */
const onPort: RequestTool = {
	kind: 'request',
	request: 'authorization',
	client: 'companion',
	sets: { redirect_uri: 'http://localhost:50123' },
	opensTab: true
};

/** The exchange of a code that was seen, with the secret that every copy of the program contains. */
const theft: RequestTool = {
	kind: 'request',
	request: 'exchange',
	client: 'companion',
	sender: 'thief',
	edits: ['code'],
	marks: 'client_secret'
};

export const stage: Stage = {
	intro: [
		'An installed application runs on the computer of its user. Each copy contains the same client secret, so any user can read it. A thief who sees a code on its way has all that an exchange needs.',
		'PKCE makes a secret for each sign-in: the code verifier. Only its hash goes ahead. In this lesson you steal a code without PKCE, then try the same with PKCE, and sign in with the verifier.'
	],
	terms: ['installed application', 'client secret', 'code verifier'],
	able: [
		'say why a program cannot keep a secret',
		'explain what PKCE adds to a sign-in',
		'sign in with a localhost port and a verifier'
	],
	known: [
		{ from: 'application', to: 'authorization', label: 'POST token · code, secret', reply: '200 tokens' },
		{ from: 'thief', to: 'authorization', label: 'POST token · stolen code, secret' }
	],
	predictionTitle: 'A stolen code, and a known secret',
	isThief,
	steps: [
		{
			title: 'Sign in with the companion',
			text: 'Select **Open sign-in window**, and sign in as `player-one`. The companion reads the code from the window.',
			tools: [{ kind: 'companion' }],
			condition: 'code_copied',
			expected: [{ from: 'application', to: 'authorization', label: 'POST token · code, secret' }],
			folds: 'Sign-in with the companion'
		},
		{
			title: 'Get a code without PKCE',
			text: 'Select **Open request**, and allow access. Nothing listens at localhost, so copy the URL of the page that did not load.',
			tools: [{ ...onPort, marks: 'redirect_uri', note: 'Without code_challenge' }],
			condition: 'plain_code_sent',
			expected: [{ from: 'browser', to: 'authorization', label: 'GET auth' }],
			folds: 'Sign-in without a challenge'
		},
		{
			title: 'Steal it',
			text: 'You are the thief, and know the secret from your own copy of the program. Paste the URL as `code`, and select **Send request**.',
			tools: [theft],
			condition: 'code_stolen',
			expected: [{ from: 'thief', to: 'authorization', label: 'POST token · code, secret' }]
		},
		{
			title: 'Get a code with PKCE',
			text: 'The same request, with a `code_challenge`. Select **Open request**, allow access, and copy the URL.',
			tools: [{ ...onPort, usesPkce: true, marks: 'code_challenge' }],
			condition: 'challenge_sent',
			expected: [{ from: 'browser', to: 'authorization', label: 'GET auth · challenge' }],
			folds: 'Sign-in with a challenge'
		},
		{
			title: 'Try to steal this one',
			text: 'You are the thief again, with the same secret. Paste the URL as `code`, and select **Send request**.',
			tools: [{ ...theft, note: 'Without code_verifier' }],
			condition: 'thief_rejected',
			expected: [{ from: 'thief', to: 'authorization', label: 'POST token · code, secret' }]
		},
		{
			title: 'Get another code with PKCE',
			text: 'The failed exchange ended the code. Select **Open request** again, allow access, and copy the URL.',
			tools: [{ ...onPort, usesPkce: true, marks: 'code_challenge' }],
			condition: 'second_challenge_sent',
			expected: [{ from: 'browser', to: 'authorization', label: 'GET auth · challenge' }],
			folds: 'Second sign-in with a challenge'
		},
		{
			title: 'Exchange it with the verifier',
			text: 'You are the companion, which kept the verifier. Paste the URL as `code`, and select **Send request**.',
			tools: [
				{
					kind: 'request',
					request: 'exchange',
					client: 'companion',
					edits: ['code'],
					usesPkce: true,
					marks: 'code_verifier'
				}
			],
			condition: 'verifier_sent',
			expected: [{ from: 'application', to: 'authorization', label: 'POST token · code, verifier' }]
		}
	],
	result: 'The verifier is missing',
	question: {
		title: 'Where does PKCE help?',
		text: 'Select the message in which the service noticed that the thief is not the one who asked for the code.',
		solution: { condition: 'thief_rejected', part: 'response' },
		right: 'The service compared the verifier with the hash from the authorization request. None was sent.',
		wrong: 'The service did not notice it here. Look for a response to the thief that is red.'
	},
	learnt: {
		title: 'A new secret for each sign-in',
		text: 'A secret in a program is public. PKCE proves that the exchange comes from the application that started the sign-in. One failed exchange ends the code.',
		code: "const challenge = createHash('sha256').update(verifier).digest('base64url');"
	}
};
