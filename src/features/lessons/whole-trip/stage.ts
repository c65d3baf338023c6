import { exchangedCode } from '#evidence/exchanges.ts';
import type { Stage } from '../stage.ts';

export const stage: Stage = {
	intro: [
		'An application wants to read your character. It must not learn your password, so it sends your browser to the service. There you sign in to your account, and allow what it asks for on the consent page.',
		'Then the application gets an access token, and reads the character with it. In this lesson you follow one sign-in, and see what your browser carries from the service back to the application.'
	],
	terms: ['account', 'consent page', 'access token'],
	able: [
		'name each message of a sign-in, and who sends it',
		'say what the browser carries, and what it never sees',
		'find both ends of a request in the inspector'
	],
	known: [
		{ from: 'browser', to: 'authorization', label: 'GET auth · sign-in', reply: 'consent page' },
		{ from: 'browser', to: 'authorization', label: 'POST auth · allow' },
		{ from: 'application', to: 'resource', label: 'GET character', reply: '200 Mara Vell' }
	],
	predictionTitle: 'Back from the consent page',
	steps: [
		{
			title: 'Sign in as player-one',
			text: 'Select **Sign in with {brand}**, choose `player-one`, and allow access. You come back here.',
			tools: [{ kind: 'sign-in', access: 'online' }],
			condition: 'code_exchanged',
			expected: [
				{ from: 'browser', to: 'authorization', label: 'sign-in and consent' },
				{ from: 'application', to: 'authorization', label: 'POST token' }
			]
		},
		{
			title: 'Look up Mara Vell',
			text: 'The application has a token now. Select **Look up**.',
			tools: [{ kind: 'look-up', name: 'Mara Vell' }],
			condition: 'character_read',
			expected: [{ from: 'application', to: 'resource', label: 'GET character/Mara Vell' }]
		}
	],
	result: 'The browser carries a code',
	question: {
		title: 'Who brought the tokens?',
		text: 'The browser brought the code. Select the message that brought the tokens to the application.',
		solution: { condition: 'code_exchanged', part: 'response', accepts: exchangedCode },
		right: 'The service sent the tokens to the application directly. The browser did not see this message.',
		wrong: 'The tokens are in the response to the token request, which the application sends without the browser.'
	},
	learnt: {
		title: 'A code first, then the tokens',
		text: 'The browser carries a short-lived code. The application exchanges it for tokens in a separate request, with its secret. It never sees the password.',
		code: "const { access_token } = await exchange(url.searchParams.get('code'));\nfetch(character, { headers: { authorization: `OAuth ${access_token}` } });"
	}
};
