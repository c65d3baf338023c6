import { characterViewer } from '#client/demo-clients.ts';
import type { Stage } from '../stage.ts';

const path = new URL(characterViewer('https://localhost').redirect_uri).pathname;

export const stage: Stage = {
	intro: [
		'After you allow access, the service sends your browser to the redirect URI, with the authorization code. The application registers this address beforehand, so that no other address gets the code.',
		`A web server often treats \`${path}\` and \`${path}/\` alike. Does the service? In this lesson you change one character of the address at a time, and see what an installed application may change.`.replaceAll(
			'`',
			''
		)
	],
	terms: ['redirect URI', 'authorization code', 'installed application'],
	able: [
		'say which differences of a redirect URI matter',
		'explain why a wrong one gets an error page, not a redirect',
		'use a free port in an installed application'
	],
	known: [
		{ from: 'browser', to: 'authorization', label: 'GET auth · registered URI', reply: '303 to the redirect URI' },
		{ from: 'browser', to: 'authorization', label: 'GET auth · one character more' }
	],
	predictionTitle: 'One character more',
	steps: [
		{
			title: 'Add a slash',
			text: 'Add a `/` to the end of `redirect_uri`, and select **Open request**. Look at the page in the new tab, then come back.',
			tools: [
				{ kind: 'request', request: 'authorization', edits: ['redirect_uri'], marks: 'redirect_uri', opensTab: true }
			],
			condition: 'slash_rejected',
			expected: [{ from: 'browser', to: 'authorization', label: 'GET auth · URI with /' }]
		},
		{
			title: 'Change the letter case',
			text: 'Remove the slash. Change one letter of the path to a capital, and select **Open request**.',
			tools: [
				{ kind: 'request', request: 'authorization', edits: ['redirect_uri'], marks: 'redirect_uri', opensTab: true }
			],
			condition: 'letter_case_rejected',
			expected: [{ from: 'browser', to: 'authorization', label: 'GET auth · a capital' }]
		},
		{
			title: 'Change the scheme',
			text: 'Restore the letter. Select **Pause at redirect out**, then **Open request**. In the new tab, write `{other_scheme}` instead of `{scheme}`, and select **Release with changes**.',
			tools: [
				{
					kind: 'pause',
					point: 'authorization_request',
					text: 'The request waits in the new tab. Change `redirect_uri` there, and read which check should fail.'
				},
				{ kind: 'request', request: 'authorization', edits: ['redirect_uri'], marks: 'redirect_uri', opensTab: true }
			],
			condition: 'scheme_rejected',
			expected: [{ from: 'browser', to: 'authorization', label: 'GET auth · other scheme' }]
		},
		{
			title: 'Use two ports of localhost',
			text: 'Pocket Companion is an installed application. Select **Open request**, then change the port to `4181`, and open it again.',
			tools: [
				{
					kind: 'request',
					request: 'authorization',
					client: 'companion',
					sets: { redirect_uri: 'http://localhost:4180' },
					edits: ['redirect_uri'],
					marks: 'redirect_uri',
					opensTab: true
				}
			],
			condition: 'port_accepted',
			expected: [{ from: 'browser', to: 'authorization', label: 'GET auth · two ports' }]
		}
	],
	result: 'An error page, and no redirect',
	question: {
		title: 'Which one may vary?',
		text: 'Three of your requests differ from the registered address and were rejected. Select the response to one that differs and was accepted.',
		solution: { condition: 'port_accepted', part: 'response', accepts: (_, isShown) => isShown },
		right: 'The port of an installed application on localhost is free: the listener runs on the computer of the user.',
		wrong: 'The service rejected this one. Look for a response that is not red.'
	},
	learnt: {
		title: 'Every character counts',
		text: 'The code goes to the redirect URI, so the service compares it character by character. An unknown address gets nothing, not even an error.',
		code: "// Exactly as registered, in both requests:\nconst redirect_uri = 'https://app.example/callback';"
	}
};
