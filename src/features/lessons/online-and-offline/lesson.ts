import { notes } from './notes.ts';
import type { TrafficEntry } from '#api/control/traffic.ts';
import { issued } from '#evidence/exchanges.ts';
import type { Lesson } from '../lesson.ts';
import { conditions } from './conditions.ts';
import { stage } from './stage.ts';

export const lesson: Lesson = {
	stage,
	prediction: {
		question: 'A user signs in with `access_type=offline` for the second time. What is in the token response?',
		shownBy: 'second_offline_exchanged',
		shows: 'body',
		comparison: {
			columns: ['First offline sign-in', 'Second one'],
			rows: ({ shown }) => {
				const exchanges = [shown('first_offline_exchanged').at(-1), shown('second_offline_exchanged').at(-1)] as const;
				const got = (kind: 'access_token' | 'refresh_token', exchange: TrafficEntry | undefined) =>
					exchange && (issued(exchange, kind) === undefined ? 'none' : 'a new one');
				return [
					['access_token', got('access_token', exchanges[0]), got('access_token', exchanges[1])],
					['refresh_token', got('refresh_token', exchanges[0]), got('refresh_token', exchanges[1])]
				];
			}
		},
		options: [
			{
				text: 'A new refresh token, and the old one ends',
				implies: ['200 OK', '{"refresh_token":"new",…}'],
				feedback: 'Servers that rotate refresh tokens do that. This one issues a single refresh token.'
			},
			{
				text: 'The same refresh token again',
				implies: ['200 OK', '{"refresh_token":"the same",…}'],
				feedback: 'The service keeps only a digest of it. It cannot show the token a second time.'
			},
			{
				text: 'An access token and no refresh token',
				implies: ['200 OK', '{"access_token":…} without a refresh token'],
				feedback: 'The refresh token from the first time is still valid, so a second one is not needed.',
				isRight: true
			},
			{
				text: 'An error, because offline access was granted before',
				implies: ['400 Bad Request', '{"error":"invalid_grant",…}'],
				feedback: 'A user may sign in as often as they like. The request is valid.'
			}
		]
	},
	attempts: 'application',
	conditions,
	explanation:
		'An online application can ask its user to sign in again. An offline application works without the user, so it gets a refresh token at the first exchange, valid until access is revoked. Later responses do not repeat it. An application that overwrites the stored token with nothing loses its access.',
	sections: ['3.1', '5.5', 'RFC 6749 §6'],
	help: {
		hint: 'All sign-ins must be by the same user. Only the first offline one brings the refresh token that works later.',
		call: "{curl} '{base_url}/ws/oauth2/token/' -d grant_type=refresh_token -d client_id=character-viewer -d client_secret=viewer-secret -d refresh_token=$REFRESH_TOKEN"
	},
	ownClient: {
		steps: [
			'Sign a user in online, and exchange the code.',
			'Sign the same user in with `access_type=offline`, twice. Store the refresh token if there is one, and keep it if there is none.',
			'Move the clock of the sandbox forward by two hours, and refresh without the user. A web application is needed: an installed one gets a refresh token each time.'
		],
		code: `for access_type in online offline offline; do
  open "{base_url}/ws/oauth2/auth/?response_type=code&client_id=$CLIENT_ID&redirect_uri=$REDIRECT_URI&scope=character_read&state=$STATE&access_type=$access_type"
  read -r -p 'Code: ' code
  {curl} '{base_url}/ws/oauth2/token/' -d grant_type=authorization_code -d code="$code" -d client_id="$CLIENT_ID" \\
    -d client_secret="$CLIENT_SECRET" --data-urlencode "redirect_uri=$REDIRECT_URI"
done
{curl} '{base_url}/ws/oauth2/token/' -d grant_type=refresh_token -d refresh_token="$REFRESH_TOKEN" \\
  -d client_id="$CLIENT_ID" -d client_secret="$CLIENT_SECRET"`
	},
	notes
};
