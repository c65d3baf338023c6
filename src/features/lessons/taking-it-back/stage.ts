import { isTokenRequest } from '#evidence/exchanges.ts';
import type { TrafficEntry } from '#api/control/traffic.ts';
import type { Stage } from '../stage.ts';

/** The application of this lesson does not refresh. Only the copy is sent. */
const isThief = (entry: TrafficEntry) => isTokenRequest(entry, 'refresh_token');

export const stage: Stage = {
	intro: [
		'You sign out of an application, and it deletes its tokens. But a backup, or a thief, may have a copy of the refresh token. The service does not know, so the grant stays.',
		'A revocation ends it. The application can send it, or you can do it in your account. In this lesson you hold the stolen copy, and see when it stops working.'
	],
	terms: ['refresh token', 'grant', 'revocation'],
	able: [
		'tell deleting a token from revoking it',
		'revoke access from the application and from the account',
		'handle a token that is gone, without a retry'
	],
	known: [
		{ from: 'application', to: 'authorization', label: 'POST token · refresh token', reply: '200 access token' },
		{ from: 'thief', to: 'authorization', label: 'POST token · stolen copy' }
	],
	predictionTitle: 'A copy in a backup',
	isThief,
	steps: [
		{
			title: 'Get a refresh token',
			text: 'Select **Open request**, sign in as `player-one`, and allow access.',
			tools: [{ kind: 'request', request: 'authorization', sets: { access_type: 'offline' }, marks: 'access_type' }],
			condition: 'offline_allowed',
			expected: [{ from: 'browser', to: 'authorization', label: 'sign-in and consent' }],
			folds: 'Sign-in of player-one'
		},
		{
			title: 'Exchange the code',
			text: 'Select **Send request**. The refresh token in the response is now the copy in a stolen backup.',
			tools: [{ kind: 'request', request: 'exchange', marks: 'code' }],
			condition: 'copy_made',
			expected: [{ from: 'application', to: 'authorization', label: 'POST token · code' }]
		},
		{
			title: 'Use the copy after two hours',
			text: 'Select **Move 2 hours ahead**, so that the access token expires. Then select **Send request** as the thief.',
			tools: [
				{ kind: 'clock', hours: 2 },
				{ kind: 'request', request: 'refresh', sender: 'thief', marks: 'refresh_token' }
			],
			condition: 'copy_refreshed',
			expected: [{ from: 'thief', to: 'authorization', label: 'POST token · copy' }]
		},
		{
			title: 'Revoke it by the application',
			text: 'The user signs out, and the application revokes its access. Select **Send request**.',
			tools: [{ kind: 'request', request: 'revoke', marks: 'token' }],
			condition: 'revoked_by_application',
			expected: [{ from: 'application', to: 'authorization', label: 'GET revoke' }]
		},
		{
			title: 'Use the copy again',
			text: 'You are the thief again. Select **Send request**.',
			tools: [
				{
					kind: 'request',
					request: 'refresh',
					sender: 'thief',
					marks: 'refresh_token',
					note: 'The copy from step 2'
				}
			],
			condition: 'copy_rejected',
			expected: [{ from: 'thief', to: 'authorization', label: 'POST token · copy' }]
		},
		{
			title: 'Revoke it in the account',
			text: 'Select **Sign in with {brand}**. Then open the account in another tab, select **Revoke access…**, confirm, and come back.',
			tools: [{ kind: 'sign-in', access: 'online' }, { kind: 'account' }],
			condition: 'revoked_by_user',
			expected: [{ from: 'user', to: 'authorization', label: 'revoke on the account page' }]
		},
		{
			title: 'See how the application notices',
			text: 'The application does not know that yet. Select **Look up**.',
			tools: [{ kind: 'look-up', name: 'Mara Vell' }],
			condition: 'application_rejected',
			expected: [{ from: 'application', to: 'resource', label: 'GET character/Mara Vell' }]
		}
	],
	result: 'Valid until the revocation',
	question: {
		title: 'What ended the copy?',
		text: 'The thief got new tokens in step 3, and none in step 5. Select the request between them that made the difference.',
		solution: { condition: 'revoked_by_application', part: 'request' },
		right: 'The revocation ended the grant. Every copy of its tokens is useless since then.',
		wrong: 'This one did not end the copy. Look for the request to the revocation endpoint.'
	},
	learnt: {
		title: 'Revoke, do not only delete',
		text: 'Deleting removes one copy. Revoking ends all. Users can revoke without the application, so any request may find the access gone.',
		code: "if (error === 'invalid_grant') {\n\tforget(tokens);\n\toffer('Sign in again');\n}"
	}
};
