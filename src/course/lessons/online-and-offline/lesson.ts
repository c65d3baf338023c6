import type { TrafficEntry } from '#api/control/traffic.ts';
import {
	issued,
	authorizationRequestOf,
	exchangedCode,
	parameter,
	refreshedAfterExpiry,
	used
} from '#evidence/exchanges.ts';
import type { Lesson } from '../lesson.ts';
import { learner } from '../evaluation/common-conditions.ts';
import type { Context } from '../evaluation/condition.ts';

const grantOf = (exchange: TrafficEntry) => issued(exchange, 'access_token')?.grant;
const hasRefreshToken = (exchange: TrafficEntry) => issued(exchange, 'refresh_token') !== undefined;

/** An installed application asks for offline access in the token request. */
function isOffline(exchange: TrafficEntry, before: readonly TrafficEntry[]): boolean {
	return [exchange, authorizationRequestOf(before, exchange)].some(
		(entry) => entry !== undefined && parameter(entry, 'access_type') === 'offline'
	);
}

/** An online exchange, which brings no refresh token. */
const isOnline = (entry: TrafficEntry, before: readonly TrafficEntry[]) =>
	exchangedCode(entry) && !hasRefreshToken(entry) && !isOffline(entry, before);

/** The exchanges before under the same grant: whether a refresh token is issued depends on it. */
const exchangesBefore = (entry: TrafficEntry, { before }: Context) =>
	before.filter((one) => exchangedCode(one) && grantOf(one) === grantOf(entry));

export const lesson: Lesson = {
	stage: {
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
			{
				from: 'application',
				to: 'authorization',
				label: 'POST token · offline',
				reply: '200 access and refresh token'
			},
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
	},
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
	conditions: [
		{
			id: 'online_exchanged',
			label: 'An online exchange brought no refresh token',
			unmet: 'Sign in with online access, which is the default, and exchange the code.',
			user: learner,
			shows: (entry, { before }) => isOnline(entry, before)
		},
		{
			id: 'first_offline_exchanged',
			label: 'The first offline exchange brought a refresh token',
			unmet: 'You have seen the online response. Sign the same user in again with access_type=offline.',
			user: learner,
			shows: (entry, context) =>
				exchangedCode(entry) &&
				hasRefreshToken(entry) &&
				exchangesBefore(entry, context).some((one) => isOnline(one, context.before))
		},
		{
			id: 'second_offline_exchanged',
			label: 'The second offline exchange brought none',
			unmet: 'The application has a refresh token. Sign the same user in once more with access_type=offline.',
			user: learner,
			shows: (entry, context) =>
				exchangedCode(entry) &&
				!hasRefreshToken(entry) &&
				isOffline(entry, context.before) &&
				exchangesBefore(entry, context).some(hasRefreshToken)
		},
		{
			id: 'refreshed_later',
			label: 'The application went on after all access tokens had expired',
			unmet:
				'No refresh after the access tokens expired yet. Move the clock by two hours, and use the refresh token of the first offline response.',
			user: learner,
			shows: (entry, { before }) => {
				const token = used(entry, 'refresh_token');
				const first = before.find((one) => exchangedCode(one) && issued(one, 'refresh_token')?.id === token);
				if (token === undefined || first === undefined || entry.grant === undefined) return false;
				return refreshedAfterExpiry([...before, entry], entry.grant).includes(entry);
			}
		}
	],
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
	notes: {
		discuss: 5,
		watch:
			'Three sign-ins look alike. Ask for a table before the clock moves: sign-in, access type, which tokens came back.',
		mistakes: [
			{
				belief: 'The second response brings a new refresh token.',
				reply: 'That is rotation, which other services do. Here the first one stays valid until access is revoked.'
			},
			{
				belief: 'The response repeats the same refresh token.',
				reply: 'The service stores a digest only, so it cannot.'
			}
		],
		questions: [
			{
				question: 'Your program saves each token response as it comes. What happens at the second sign-in?',
				listenFor:
					'The stored refresh token is overwritten with nothing. The nightly job fails when the access token expires.'
			},
			{
				question: 'Which of your features really need offline access?',
				listenFor: 'Those that run while the user is away. All others can ask for a sign-in.'
			}
		]
	}
};
