import { notes } from './notes.ts';
import type { Lesson } from '../lesson.ts';
import { comparison, conditions } from './conditions.ts';
import { stage } from './stage.ts';

export const lesson: Lesson = {
	stage,
	prediction: {
		question:
			'Twenty requests get 401 at the same moment, and each of them refreshes. What does the token endpoint do?',
		shownBy: 'separate_refreshes',
		shows: 'body',
		comparison,
		options: [
			{
				text: 'It accepts the first refresh, and rejects the others',
				implies: ['400 Bad Request', '{"error":"invalid_grant",…}'],
				feedback: 'Services that rotate refresh tokens do that, and end the session. This one does not rotate them.'
			},
			{
				text: 'It returns the same access token to all of them',
				implies: ['200 OK', '{"access_token":"the same",…}'],
				feedback: 'Each refresh issues another access token.'
			},
			{
				text: 'It accepts each refresh, with a new access token',
				implies: ['200 OK', '{"access_token":"new",…}'],
				feedback: 'It works here. At services that rotate refresh tokens, the second one signs the user out.',
				isRight: true
			},
			{
				text: 'Nothing, because the application signs in again',
				implies: ['303 See Other', 'Location: /ws/oauth2/auth/'],
				feedback: 'The refresh token gets a new access token without the user.'
			}
		]
	},
	attempts: 'flow',
	conditions,
	explanation:
		'One request starts the refresh. All others that got 401 wait for its result, and then repeat once with the new token. This service accepts every refresh, but many others replace the refresh token each time. There, the second refresh with the old one ends the session of your user.',
	sections: ['3.1', '5.4', 'RFC 6749 §6', 'RFC 9700 §4.14'],
	help: {
		hint: 'Use offline access, because an online sign-in has no refresh token. Revoke the access token again before each load.',
		call: 'for i in $(seq 20); do {curl} -s \'{base_url}/ws/v2.0/character/Mara%20Vell\' -H "Authorization: OAuth $ACCESS_TOKEN" & done; wait'
	},
	ownClient: {
		steps: [
			'Sign in with `access_type=offline`, and revoke the access token under Tokens.',
			'Send at least four requests at once. Refresh for each of them, and repeat it.',
			'Revoke the token again. Send the requests at once, refresh once, and repeat each of them.'
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
