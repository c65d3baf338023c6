import { notes } from './notes.ts';
import { resultOf } from '../evaluation/result-text.ts';
import type { Lesson } from '../lesson.ts';
import { conditions } from './conditions.ts';
import { stage } from './stage.ts';

export const lesson: Lesson = {
	stage,
	prediction: {
		question:
			'An application deletes its tokens at sign-out and sends no request. A thief has a backup with the refresh token and the secret. What can the thief do?',
		shownBy: 'copy_refreshed',
		shows: 'body',
		comparison: {
			columns: ['Before the revocation', 'After it'],
			rows: ({ shown }) => [
				['The stolen copy', resultOf(shown('copy_refreshed').at(-1)), resultOf(shown('copy_rejected').at(-1))]
			]
		},
		options: [
			{
				text: 'Nothing, because the user has signed out',
				implies: ['400 Bad Request', '{"error":"invalid_grant",…}'],
				feedback: 'The service received no request. For the service, the access continues.'
			},
			{
				text: 'Use the access token until it expires',
				implies: ['400 Bad Request', '{"error":"invalid_grant",…}'],
				feedback: 'The refresh token in the backup gets new access tokens after that.'
			},
			{
				text: 'Get new access tokens until access is revoked',
				implies: ['200 OK', '{"access_token":…}'],
				feedback: 'A refresh token does not expire. Only a revocation ends it.',
				isRight: true
			},
			{
				text: 'Nothing after the next restart of the service',
				implies: ['200 OK', '{"access_token":…} until a restart'],
				feedback: 'A refresh token is stored like an account. It survives a restart.'
			}
		]
	},
	attempts: 'all',
	conditions,
	explanation:
		'Deleting tokens removes one copy. Revoking ends the grant, and with it every copy. Users can also revoke access in their account, without the application, so any request may find it gone. After invalid_grant, delete the token, tell the user, and offer a new sign-in. A retry cannot succeed.',
	sections: ['3.1', '4', '5.4', 'RFC 7009 §2.1'],
	help: {
		hint: 'The revocation takes the refresh token, not the access token. The account page lists every application with access.',
		call: '{curl} "{base_url}/ws/oauth2/revoke?client_id=character-viewer&token=$REFRESH_TOKEN"'
	},
	ownClient: {
		steps: [
			'Sign a user in offline. Move the clock of the sandbox by two hours, and refresh.',
			'Sign the user out: send the refresh token to the revocation endpoint. Then try to refresh with it.',
			'Sign the user in again, revoke the access at `{base_url}/account`, and let your client make a request.'
		],
		code: `{curl} '{base_url}/ws/oauth2/token/' -d grant_type=refresh_token -d refresh_token="$REFRESH_TOKEN" \\
  -d client_id="$CLIENT_ID" -d client_secret="$CLIENT_SECRET"
{curl} "{base_url}/ws/oauth2/revoke?client_id=$CLIENT_ID&token=$REFRESH_TOKEN"
open '{base_url}/account'`
	},
	notes
};
