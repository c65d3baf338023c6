import { notes } from './notes.ts';
import { learner } from '../evaluation/common-conditions.ts';
import { exchangedCode, issuedCode, readCharacter } from '#evidence/exchanges.ts';
import type { Lesson } from '../lesson.ts';
import { stage } from './stage.ts';

export const lesson: Lesson = {
	stage,
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
	notes
};
