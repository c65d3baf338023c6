import type { TrafficEntry } from '#api/control/traffic.ts';
import {
	checkOf,
	exchangedCode,
	failedAt,
	issued,
	issuedCode,
	isTokenRequest,
	readCharacter,
	used
} from '#evidence/exchanges.ts';
import type { Lesson } from '../lesson.ts';
import { learner } from '../evaluation/common-conditions.ts';
import type { Context } from '../evaluation/condition.ts';
import { narrow, wide } from './script.ts';

const isExchange = (entry: TrafficEntry) => isTokenRequest(entry, 'urn:ietf:params:oauth:grant-type:token-exchange');

const scopesOf = (entry: TrafficEntry) => issued(entry, 'access_token')?.scopes ?? [];

/** Whether an exchange led to a token with fewer permissions than the one that it was exchanged for. */
function isNarrower(entry: TrafficEntry, { before }: Pick<Context, 'before'>): boolean {
	const token = issued(entry, 'access_token');
	const subject = before.find((one) => issued(one, 'access_token')?.id === token?.from);
	return (
		isExchange(entry) && token !== undefined && subject !== undefined && token.scopes.length < scopesOf(subject).length
	);
}

/** The narrower tokens that were issued before. */
const narrowerTokens = ({ before }: Context) =>
	before.flatMap((one, at) =>
		isNarrower(one, { before: before.slice(0, at) }) ? (issued(one, 'access_token') ?? []) : []
	);

const exchange = { kind: 'request', request: 'token_exchange', marks: 'scope' } as const;
const exchanged = { from: 'application', to: 'authorization' } as const;

export const lesson: Lesson = {
	stage: {
		intro: [
			'An application often calls another service for its user. If it passes on the access token, that service can do everything that the user allowed, and a log shows only the user.',
			'Token exchange gets a second access token for the same user: with one scope less, for a shorter time, and with the name of the one who acts. In this lesson Character Viewer makes a smaller token for a helper, and the helper tries to widen it.'
		],
		terms: ['access token', 'scope'],
		able: [
			'exchange the token of a user for a smaller one',
			'say what delegation and impersonation show to others',
			'explain why a chain of tokens never gets wider'
		],
		known: [
			{ ...exchanged, label: 'POST token · access token', reply: '200 smaller access token' },
			{ ...exchanged, label: 'POST token · smaller token, more scope' }
		],
		predictionTitle: 'The way back',
		steps: [
			{
				title: 'Ask for two permissions',
				text: 'Select **Open request**, choose `player-one`, and allow access.',
				tools: [{ kind: 'request', request: 'authorization', sets: { scope: wide }, marks: 'scope', usesPkce: true }],
				condition: 'code_issued',
				expected: [{ from: 'browser', to: 'authorization', label: 'GET auth · two permissions' }],
				folds: 'Sign-in of player-one'
			},
			{
				title: 'Get the token of the user',
				text: 'Select **Send request**. This token has both permissions.',
				tools: [{ kind: 'request', request: 'exchange', marks: 'code', usesPkce: true }],
				condition: 'user_token',
				expected: [{ ...exchanged, label: 'POST token · code' }]
			},
			{
				title: 'Exchange it for a smaller one',
				text: 'Select **Send request**. The `subject_token` is that of the user, and `scope` names one permission.',
				tools: [{ ...exchange, sets: { scope: narrow } }],
				condition: 'narrowed',
				expected: [{ ...exchanged, label: 'POST token · access token' }]
			},
			{
				title: 'Use the smaller token',
				text: 'Select **Send request**. The helper reads a character.',
				tools: [{ kind: 'request', request: 'character', marks: 'Authorization' }],
				condition: 'called',
				expected: [{ from: 'application', to: 'resource', label: 'GET character' }]
			},
			{
				title: 'Try to widen it',
				text: 'Select **Send request**. The `subject_token` is the smaller one now, and `scope` names both permissions.',
				tools: [{ ...exchange, sets: { scope: wide } }],
				condition: 'not_widened',
				expected: [{ ...exchanged, label: 'POST token · more scope' }]
			}
		],
		result: 'It never gets wider',
		question: {
			title: 'Where did it get smaller?',
			text: 'Select the response that brought the token with one permission.',
			solution: { condition: 'narrowed', part: 'response' },
			right: 'It names the scope of the new token. The token of the user stays as it was.',
			wrong: 'This message brought no token with one permission. Look for the first token exchange.'
		},
		learnt: {
			title: 'Delegate, and pass on less',
			text: 'The new token acts for the user, and its `act` names the application. Introspection and logs show both. An application that may impersonate gets a token without `act`, and no service can tell it from the user.',
			code: '{ "sub": "player-one",\n  "scope": "character_read",\n  "act": { "sub": "client:character-viewer" } }'
		}
	},
	start: { settings: { dialect: 'standard' } },
	prediction: {
		question:
			'The helper exchanges the smaller token again, and asks for both permissions of the user. What comes back?',
		shownBy: 'not_widened',
		shows: 'body error',
		options: [
			{
				text: 'A token with both: the user allowed them',
				implies: ['200 OK', '"scope":"character_read location_read"'],
				feedback: 'The user allowed both for the application. What counts is the token that is exchanged.'
			},
			{
				text: 'A token with one: the rest is left out',
				implies: ['200 OK', '"scope":"character_read"'],
				feedback: 'The service does not guess what the client meant. It rejects the request.'
			},
			{
				text: 'invalid_scope: the token has fewer permissions',
				implies: ['400 Bad Request', '"error":"invalid_scope"'],
				feedback: 'Each exchange can only keep or lose permissions, however long the chain is.',
				isRight: true
			},
			{
				text: 'invalid_grant: a token is exchanged once',
				implies: ['400 Bad Request', '"error":"invalid_grant"'],
				feedback: 'Codes work once. A token can be exchanged until it ends.'
			}
		]
	},
	attempts: 'all',
	conditions: [
		{
			id: 'code_issued',
			label: 'The user allowed two permissions',
			unmet: 'No code covers two permissions. Open the request and allow access.',
			user: learner,
			shows: (entry) => issuedCode(entry) && (issued(entry, 'code')?.scopes.length ?? 0) >= 2
		},
		{
			id: 'user_token',
			label: 'The application got the token of the user',
			unmet: 'You allowed access. The code was not exchanged.',
			user: learner,
			shows: (entry) => exchangedCode(entry) && scopesOf(entry).length >= 2
		},
		{
			id: 'narrowed',
			label: 'It was exchanged for a token with fewer permissions',
			unmet: 'No token has fewer permissions. Exchange the token of the user with a smaller scope.',
			user: learner,
			shows: isNarrower
		},
		{
			id: 'called',
			label: 'The smaller token was used',
			unmet: 'The smaller token was not used. Read a character with it.',
			user: learner,
			shows: (entry, context) =>
				readCharacter(entry) && narrowerTokens(context).some(({ id }) => id === used(entry, 'access_token'))
		},
		{
			id: 'not_widened',
			label: 'The service rejected more permissions',
			unmet: 'The helper has not tried to widen the token. Exchange the smaller token with both permissions.',
			user: learner,
			// The log does not name the token, but what it allowed.
			shows: (entry, context) =>
				isExchange(entry) &&
				failedAt(entry, 'token.scope_narrowed') &&
				narrowerTokens(context).some(
					({ scopes }) => scopes.join(' ') === checkOf(entry, 'token.scope_narrowed')?.expected
				)
		}
	],
	explanation:
		'A token exchange makes a second token for the same user. It has at most the permissions, the resources and the life of the first one, and ends with the access that the user gave. With delegation it names the application as the one who acts. With impersonation it names the user only.',
	sections: ['RFC 8693 §1.1', 'RFC 8693 §2.1', 'RFC 8693 §4.1'],
	help: {
		hint: 'The request builder puts the newest access token into subject_token. After the first exchange that is the smaller one.',
		call: '{curl} {base_url}/ws/oauth2/token/ -d grant_type=urn:ietf:params:oauth:grant-type:token-exchange -d subject_token=$ACCESS_TOKEN -d subject_token_type=urn:ietf:params:oauth:token-type:access_token -d scope=character_read -d client_id=character-viewer -d client_secret=viewer-secret'
	},
	ownClient: {
		steps: [
			'Sign `player-one` in with `character_read` and `location_read`.',
			'Exchange the access token for one with `character_read`, and read a character with it.',
			'Exchange the smaller token with both permissions, and read the error.'
		],
		code: '{curl} {base_url}/ws/oauth2/token/ \\\n  -d grant_type=urn:ietf:params:oauth:grant-type:token-exchange \\\n  -d subject_token="$ACCESS_TOKEN" -d scope=character_read \\\n  -d subject_token_type=urn:ietf:params:oauth:token-type:access_token \\\n  -d client_id="$CLIENT_ID" -d client_secret="$CLIENT_SECRET"'
	},
	notes: {
		discuss: 6,
		watch:
			'A learner who signs in again puts a wide token into the last request, which is then accepted. The smaller token must be the newest one.',
		mistakes: [
			{
				belief: 'Passing the token on is the same.',
				reply: 'The other service then has all permissions, and nothing shows that it was not the user.'
			},
			{
				belief: 'Token exchange needs the user.',
				reply: 'The user has decided before. The application needs the token, its own credentials and nothing else.'
			}
		],
		questions: [
			{
				question: 'Which of your services pass on a token of a user today?',
				listenFor: 'Gateways and background jobs. Each is a place where a smaller token for one resource fits.'
			},
			{
				question: 'When is impersonation right?',
				listenFor: 'Rarely, such as support staff with a record elsewhere. Others should see who acts.'
			}
		]
	}
};
