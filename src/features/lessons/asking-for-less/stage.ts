import type { Stage } from '../stage.ts';

export const stage: Stage = {
	intro: [
		'An application names the permissions that it needs, the scope, in each sign-in. What you allow is added to a grant that the service keeps for this application.',
		'The next sign-in may ask for less, or for something else. Does it ask you again? And what may the new access token do: all that you have ever allowed, or what was asked for this time? In this lesson you sign in four times.'
	],
	terms: ['scope', 'grant', 'access token'],
	able: [
		'say when the service shows the consent page again',
		'tell what a grant contains from what a token may do',
		'ask for one permission when a feature needs it'
	],
	known: [
		{ from: 'browser', to: 'authorization', label: 'GET auth · character_read', reply: 'consent page' },
		{ from: 'browser', to: 'authorization', label: 'GET auth · location_read' }
	],
	predictionTitle: 'One permission, then another',
	steps: [
		{
			title: 'Ask for character_read',
			text: 'Select **Open request**, sign in as `player-one`, and allow access.',
			tools: [{ kind: 'request', request: 'authorization', sets: { scope: 'character_read' }, marks: 'scope' }],
			condition: 'user_asked',
			expected: [{ from: 'browser', to: 'authorization', label: 'GET auth · character_read' }]
		},
		{
			title: 'Ask for the same again',
			text: 'Select **Open request** once more. Watch whether the service asks you.',
			tools: [{ kind: 'request', request: 'authorization', sets: { scope: 'character_read' }, marks: 'scope' }],
			condition: 'not_asked_again',
			expected: [{ from: 'browser', to: 'authorization', label: 'GET auth · character_read' }]
		},
		{
			title: 'Ask for location_read only',
			text: 'Select **Open request**, and allow access.',
			tools: [{ kind: 'request', request: 'authorization', sets: { scope: 'location_read' }, marks: 'scope' }],
			condition: 'other_scope_allowed',
			expected: [{ from: 'browser', to: 'authorization', label: 'GET auth · location_read' }],
			folds: 'Sign-in for location_read'
		},
		{
			title: 'Exchange the code',
			text: 'Select **Send request**, and read the scope of the token.',
			tools: [{ kind: 'request', request: 'exchange', marks: 'code' }],
			condition: 'smaller_token',
			expected: [{ from: 'application', to: 'authorization', label: 'POST token · code' }]
		},
		{
			title: 'Ask for all that was granted',
			text: 'Select **Open request**. It now contains `renew_previously_granted`.',
			tools: [
				{
					kind: 'request',
					request: 'authorization',
					sets: { scope: 'location_read', renew_previously_granted: 'yes' },
					marks: 'renew_previously_granted'
				}
			],
			condition: 'renewal_asked',
			expected: [{ from: 'browser', to: 'authorization', label: 'GET auth · renew' }],
			folds: 'Sign-in with renewal'
		},
		{
			title: 'Exchange this code too',
			text: 'Select **Send request**, and compare the scope with the one of step 4.',
			tools: [{ kind: 'request', request: 'exchange', marks: 'code' }],
			condition: 'renewed',
			expected: [{ from: 'application', to: 'authorization', label: 'POST token · code' }]
		}
	],
	result: 'The token covers its own request',
	question: {
		title: 'Which token may do more?',
		text: 'Both tokens came from requests for location_read. Select the response with the token that also reads characters.',
		solution: { condition: 'renewed', part: 'response' },
		right: 'Its request said renew_previously_granted=yes, so the token covers the whole grant.',
		wrong: 'Look for the last token response: its request asked for everything that was granted before.'
	},
	learnt: {
		title: 'Ask for little, when it is needed',
		text: 'The grant collects what a user has ever allowed. A token covers one request. Small requests are easier to accept, and a stolen small token does less harm.',
		code: "authorize({ scope: 'location_read' });\n// only when the map is opened"
	}
};
