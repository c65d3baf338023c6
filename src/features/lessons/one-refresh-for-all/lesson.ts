import { notes } from './notes.ts';
import type { Lesson } from '../lesson.ts';
import { conditions } from './conditions.ts';

export const lesson: Lesson = {
	panels: ['viewer', 'tokens', 'diagram', 'timeline'],
	steps: [
		{ text: 'Choose **Offline** access, and sign in as `player-one`.', panel: 'viewer' },
		{ text: 'Press **Load 20 at once**. Every request returns a character.', panel: 'viewer' },
		{ text: 'Find the access token and press **Revoke**. The viewer does not know about it.', panel: 'tokens' },
		{ text: 'Press **Load 20 at once** again.', panel: 'viewer' },
		{ text: 'Count the requests to `/ws/oauth2/token/` between the requests.', panel: 'timeline' },
		{
			text: 'Optional: turn **Share one refresh** off, revoke the token, and load again. Count again.',
			panel: 'viewer'
		}
	],
	prediction: {
		question:
			'Twenty requests get 401 at the same moment. Suppose each of them refreshes on its own. This service does not change the refresh token. What is the harm?',
		shownBy: 'one_refresh',
		options: [
			{
				text: 'None, because the refresh token stays the same',
				feedback: 'Nineteen of the new tokens are never used, and each refresh can fail independently.'
			},
			{
				text: 'Nineteen refreshes are rejected',
				feedback: 'A code works once. A refresh token works here until access is revoked.'
			},
			{
				text: 'Twenty new tokens here, and a sign-out at services that rotate refresh tokens',
				feedback: 'A service that rotates takes the second use of a refresh token for theft, and ends the access.',
				isRight: true
			},
			{
				text: 'The newest access token ends the other nineteen',
				feedback: 'Access tokens are independent here. Each one works until it expires or is revoked.'
			}
		]
	},
	attempts: 'flow',
	conditions,
	goal: [
		{ from: 'application', to: 'resource', label: '20 × GET /ws/v2.0/character/', condition: 'calls_rejected' },
		{
			from: 'resource',
			to: 'application',
			label: '20 × 401',
			isReply: true,
			isRejected: true,
			condition: 'calls_rejected'
		},
		{ from: 'application', to: 'authorization', label: '1 × POST /ws/oauth2/token/', condition: 'one_refresh' },
		{ from: 'authorization', to: 'application', label: '200 access token', isReply: true, condition: 'one_refresh' },
		{ from: 'application', to: 'resource', label: '20 × GET /ws/v2.0/character/', condition: 'calls_repeated' }
	],
	explanation:
		'One request starts the refresh. All others that got 401 wait for its result, and then repeat once with the new token. This service accepts twenty refreshes as well, but many others replace the refresh token each time. There, the second refresh with the old one ends the session of your user.',
	sections: ['3.1', '5.4', 'RFC 6749 §6', 'RFC 9700 §4.14'],
	help: {
		hint: 'Use offline access, because an online sign-in has no refresh token. Stay on this page after you revoke the token. A viewer that was hidden checks its token, and refreshes it before your requests.',
		call: 'for i in $(seq 20); do {curl} -s \'{base_url}/ws/v2.0/character/Mara%20Vell\' -H "Authorization: OAuth $ACCESS_TOKEN" & done; wait'
	},
	ownClient: {
		steps: [
			'Sign in with `access_type=offline`.',
			'Revoke the access token under Tokens.',
			'Send at least four requests at once, refresh once, and repeat each request.'
		],
		code: `let refreshing;
async function get(url) {
	const send = () => fetch(url, { headers: { authorization: \`OAuth \${tokens.access_token}\` } });
	const response = await send();
	if (response.status !== 401) return response;
	refreshing ??= refresh().finally(() => (refreshing = undefined));
	await refreshing;
	return send();
}
await Promise.all(Array.from({ length: 20 }, () => get('{base_url}/ws/v2.0/character/Mara%20Vell')));`
	},
	notes
};
