import { resultOf } from '../evaluation/result-text.ts';
import type { Lesson } from '../lesson.ts';
import type { TrafficEntry } from '#api/control/traffic.ts';
import { CredentialHistory } from '#evidence/credential-history.ts';
import { learner } from '../evaluation/common-conditions.ts';
import type { Context } from '../evaluation/condition.ts';
import {
	endedGrants,
	exchangedCode,
	failedAt,
	isResourceRequest,
	issued,
	issuedCode,
	refreshedAfterExpiry,
	isTokenRequest
} from '#evidence/exchanges.ts';

/** The grant of a refresh token that was sent, and rejected because it no longer exists. */
function rejectedRefresh(entry: TrafficEntry, before: readonly TrafficEntry[]): string | undefined {
	if (!failedAt(entry, 'token.refresh_token_known') && !failedAt(entry, 'token.refresh_token_active')) return undefined;
	const history = new CredentialHistory(before);
	const events = entry.values.map(({ id }) => history.issueOf(id)?.event);
	return events.find((event) => event?.kind === 'refresh_token')?.grant;
}

/** The grants that requests to an endpoint ended. */
const endedAt = (endpoint: string, entries: readonly TrafficEntry[]) =>
	entries.filter((entry) => entry.endpoint === endpoint).flatMap(endedGrants);

/** The grant of a refresh after all access tokens had expired. */
function refreshedLater(entry: TrafficEntry, before: readonly TrafficEntry[]): string | undefined {
	const { grant } = entry;
	return grant !== undefined && refreshedAfterExpiry([...before, entry], grant).includes(entry) ? grant : undefined;
}

/** The grants whose copy was refreshed, oldest first. */
const refreshedGrants = ({ before }: Context) =>
	before.flatMap((entry, at) => (entry.endpoint === 'token' ? (refreshedLater(entry, before.slice(0, at)) ?? []) : []));

/** The application of this lesson does not refresh. Only the copy is sent. */
const isThief = (entry: TrafficEntry) => isTokenRequest(entry, 'refresh_token');

export const lesson: Lesson = {
	stage: {
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
	},
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
	conditions: [
		{
			id: 'offline_allowed',
			label: 'A user allowed access',
			unmet: 'No user has allowed access yet. Sign in with offline access.',
			user: learner,
			shows: issuedCode
		},
		{
			id: 'copy_made',
			label: 'The application got a refresh token',
			unmet: 'No application has a refresh token. Ask for offline access, and exchange the code.',
			user: learner,
			shows: (entry) => issued(entry, 'refresh_token') !== undefined
		},
		{
			id: 'copy_refreshed',
			label: 'A copied refresh token worked after the access token had expired',
			unmet: 'Move the clock by two hours, and refresh with the refresh token.',
			shows: (entry, { before }) => refreshedLater(entry, before) !== undefined
		},
		{
			id: 'revoked_by_application',
			label: 'The application revoked its access',
			unmet: 'The refresh token still works. Revoke it through the application.',
			shows: (entry, context) => {
				const grants = endedAt('revoke', [entry]);
				return grants.length > 0 && refreshedGrants(context).some((grant) => grants.includes(grant));
			}
		},
		{
			id: 'copy_rejected',
			label: 'The service rejected the copied refresh token',
			unmet: 'The application revoked its access. Send the copied refresh token again.',
			shows: (entry, context) => {
				const grant = rejectedRefresh(entry, context.before);
				if (grant === undefined || !endedAt('revoke', context.before).includes(grant)) return false;
				return refreshedGrants(context).includes(grant);
			}
		},
		{
			id: 'revoked_by_user',
			label: 'The user revoked the access in the account',
			unmet: 'The copy is useless now. Sign in again, and revoke the access on the account page.',
			why: (last) =>
				exchangedCode(last) ? 'The application has access again. Open the account, and revoke it there.' : undefined,
			user: learner,
			shows: (entry) => endedAt('account', [entry]).length > 0
		},
		{
			id: 'application_rejected',
			label: 'The service rejected a token of the application afterwards',
			unmet: 'The user revoked access. Let the application send one of its tokens.',
			shows: (entry, { before }) => {
				// An expired access token is rejected too, by another check.
				const isAccess = isResourceRequest(entry) && failedAt(entry, 'access_token.not_revoked');
				const grant = isAccess ? entry.grant : rejectedRefresh(entry, before);
				return grant !== undefined && endedAt('account', before).includes(grant);
			}
		}
	],
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
	notes: {
		discuss: 5,
		watch:
			'The longest lesson, with three parties. At each request, ask who sends it: the application, the thief or the user.',
		mistakes: [
			{
				belief: 'Signing out ends the access.',
				reply: 'Only if the application tells the service. Deleting a token removes one copy of it.'
			},
			{
				belief: 'The access ends when the access token expires.',
				reply: 'Only the access token does. The refresh token in the backup gets the next one.'
			}
		],
		questions: [
			{
				question: 'Your application gets invalid_grant at night. What should it do?',
				listenFor: 'Delete the token, stop, and tell the user at the next visit. No retry.'
			},
			{
				question: 'Who can revoke access, and from where?',
				listenFor: 'The application at sign-out, and the user in the account, without the application.'
			}
		]
	}
};
