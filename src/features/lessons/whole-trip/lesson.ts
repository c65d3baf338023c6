import { learner } from '../evaluation/common-conditions.ts';
import { exchangedCode, issuedCode, readCharacter } from '#evidence/exchanges.ts';
import type { Lesson } from '../lesson.ts';

export const lesson: Lesson = {
	stage: {
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
	},
	prediction: {
		question: 'Your browser comes back from the consent page to the application. What does it carry?',
		shownBy: 'code_issued',
		shows: 'Location',
		options: [
			{
				text: 'My password, for the application to use',
				implies: ['303 See Other', 'Location: /viewer/callback?username=…&password=…'],
				feedback: 'The password went to the service only. The application never sees it.'
			},
			{
				text: 'The access token',
				implies: ['303 See Other', 'Location: /viewer/callback#access_token=…'],
				feedback: 'Then the history and the extensions of the browser would see the token, which any sender can use.'
			},
			{
				text: 'A short-lived code and the state',
				implies: ['303 See Other', 'Location: /viewer/callback?code=…&state=…'],
				feedback: 'The code is exchanged for tokens in a request that the browser does not see.',
				isRight: true
			},
			{
				text: 'A cookie that opens the resource',
				implies: ['303 See Other', 'Set-Cookie: session=…'],
				feedback: 'The cookie belongs to your session at the service. The resource asks for a token.'
			}
		]
	},
	attempts: 'flow',
	conditions: [
		{
			id: 'code_issued',
			label: 'The service issued a code',
			unmet: 'No user has allowed access yet. Sign in and allow it.',
			user: learner,
			shows: issuedCode
		},
		{
			id: 'code_exchanged',
			label: 'The application exchanged the code for tokens',
			unmet: 'You allowed access and the service issued a code. No client has exchanged it.',
			shows: exchangedCode
		},
		{
			id: 'character_read',
			label: 'The application read a character with the token',
			unmet: 'The application has a token. It has not read a character with it.',
			shows: readCharacter
		}
	],
	explanation:
		'Others can see what a browser carries, so it carries only a code. The code is useless without the secret of the application, works once, and expires soon. The tokens go from the service to the application directly. The application never sees the password.',
	sections: ['3.1', '5.2', 'RFC 6749 §4.1'],
	help: {
		hint: 'Use the button in the viewer. After you allow access, the page returns here automatically.',
		call: '{curl} \'{base_url}/ws/v2.0/character/Mara%20Vell\' -H "Authorization: OAuth $ACCESS_TOKEN"'
	},
	ownClient: {
		steps: [
			'Send the user to the authorization endpoint with your client ID, your redirect URI, a scope and a state.',
			'Exchange the code at the token endpoint.',
			'Read one character with the token.'
		],
		code: 'open "{base_url}/ws/oauth2/auth/?response_type=code&client_id=$CLIENT_ID&redirect_uri=$REDIRECT_URI&scope=character_read&state=$STATE"'
	},
	notes: {
		discuss: 7,
		watch:
			'The requests are done before anyone has read an arrow. Before the question at the end, ask for the message that carries the token.',
		mistakes: [
			{
				belief: 'The application signs in with the password of the user.',
				reply: 'The password field is on a page of the service. Show the address bar at that moment.'
			},
			{
				belief: 'The token comes back through the browser.',
				reply:
					'It did in the implicit flow, which many tutorials still show. Here the redirect carries a code, and the token is in a response that the browser never sees.'
			}
		],
		questions: [
			{
				question: 'Who sees the code, who sees the token, and who sees the password?',
				listenFor:
					'Browser and application see the code. Only application and service see the token. Only browser and service see the password.'
			},
			{
				question: 'Why does the exchange need a secret if the code is already short-lived?',
				listenFor: 'The code passes through the browser, its history and logs. The secret does not.'
			}
		]
	}
};
