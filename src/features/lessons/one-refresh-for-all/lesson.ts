import { notes } from './notes.ts';
import type { Lesson } from '../lesson.ts';
import { conditions } from './conditions.ts';
import { stage } from './stage.ts';

export const lesson: Lesson = {
	stage,
	prediction: {
		question:
			'Twenty requests get 401 at the same moment. The application shares one refresh between them. What does the token endpoint receive?',
		shownBy: 'one_refresh',
		shows: 'body',
		options: [
			{
				text: 'Twenty refresh requests, one for each',
				implies: ['20 × 200 OK', '{"access_token":…}'],
				feedback: 'That is what happens without sharing. Nineteen of the new tokens would never be used.'
			},
			{
				text: 'One refresh request, for the first, and the others fail',
				implies: ['1 × 200 OK', 'and 19 × 401 Unauthorized'],
				feedback: 'The others do not fail. They wait for the result, and repeat with the new token.'
			},
			{
				text: 'One refresh request, and all twenty are repeated',
				implies: ['200 OK', '{"access_token":…} for all twenty'],
				feedback: 'One refresh is enough. A second one with the same token ends the session at services that rotate.',
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
