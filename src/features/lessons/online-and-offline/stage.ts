import type { Stage } from '../stage.ts';

export const stage: Stage = {
	intro: [
		'An access token expires. While you are there, the application can simply send you to sign in again. That is online access.',
		'With offline access the application also gets a refresh token. It goes on while you are away, and does not expire. But watch what the service returns when you sign in for the second time: many applications lose their access there.'
	],
	terms: ['access token', 'offline access', 'refresh token'],
	able: [
		'say when a refresh token comes, and when it does not',
		'go on after an access token has expired',
		'store tokens so that a second sign-in loses nothing'
	],
	known: [
		{ from: 'application', to: 'authorization', label: 'POST token · offline', reply: '200 access and refresh token' },
		{ from: 'application', to: 'authorization', label: 'POST token · offline again' }
	],
	predictionTitle: 'Offline, for the second time',
	steps: [
		{
			title: 'Sign in with online access',
			text: 'Select **Sign in with {brand}**, choose `player-one`, and allow access.',
			tools: [{ kind: 'sign-in', access: 'online' }],
			condition: 'online_exchanged',
			expected: [{ from: 'application', to: 'authorization', label: 'POST token · online' }]
		},
		{
			title: 'Sign in with offline access',
			text: 'Select **Sign in with {brand}** again, choose `player-one`, and allow the access while you are away.',
			tools: [{ kind: 'sign-in', access: 'offline', isOther: true }],
			condition: 'first_offline_exchanged',
			expected: [{ from: 'application', to: 'authorization', label: 'POST token · offline' }]
		},
		{
			title: 'Sign in with offline access again',
			text: 'The same again, as `player-one`. The service does not ask for permission this time.',
			tools: [{ kind: 'sign-in', access: 'offline', isOther: true }],
			condition: 'second_offline_exchanged',
			expected: [{ from: 'application', to: 'authorization', label: 'POST token · offline again' }]
		},
		{
			title: 'Go on after two hours',
			text: 'Move the clock, so that all access tokens expire. Then select **Refresh now**.',
			tools: [{ kind: 'clock', hours: 2 }, { kind: 'refresh' }],
			condition: 'refreshed_later',
			expected: [{ from: 'application', to: 'authorization', label: 'POST token · refresh token' }]
		}
	],
	result: 'No second refresh token',
	question: {
		title: 'Where did it come from?',
		text: 'The refresh in step 4 used a refresh token. Select the response that brought it.',
		solution: { condition: 'first_offline_exchanged', part: 'response' },
		right: 'The first offline response brought it, and no other one repeats it. It works until access is revoked.',
		wrong: 'The refresh token of step 4 did not come with this message. Look at the labels of the token responses.'
	},
	learnt: {
		title: 'Keep the refresh token that you have',
		text: 'The service issues one refresh token, at the first offline exchange. Later responses do not repeat it. An application that stores the empty field loses the access.',
		code: 'stored.refresh_token = tokens.refresh_token ?? stored.refresh_token;'
	}
};
