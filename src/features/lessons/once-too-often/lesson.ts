import { resultOf } from '../evaluation/result-text.ts';
import type { TrafficEntry } from '#api/control/traffic.ts';
import { learner } from '../evaluation/common-conditions.ts';
import {
	endedGrants,
	exchangedCode,
	failedAt,
	isResourceRequest,
	issued,
	issuedCode,
	readCharacter
} from '#evidence/exchanges.ts';
import type { Lesson } from '../lesson.ts';

const familyOf = (exchange: TrafficEntry) => issued(exchange, 'access_token')?.family;

/** A character was read with a token of this exchange. */
const isReadAfter = (exchange: TrafficEntry, entry: TrafficEntry) =>
	readCharacter(entry) && entry.family === familyOf(exchange);

/** The exchange whose tokens a second use of its code ended. Access that was revoked before does not count. */
function replayedBy(entry: TrafficEntry, before: readonly TrafficEntry[]): TrafficEntry | undefined {
	const family = entry.credentials.find((event) => event.type === 'ended' && event.reason === 'replayed')?.id;
	if (family === undefined) return undefined;
	return before.find((exchange) => {
		const { grant = '' } = issued(exchange, 'access_token') ?? {};
		return (
			exchangedCode(exchange) &&
			familyOf(exchange) === family &&
			before.some((one) => isReadAfter(exchange, one)) &&
			!before.some((one) => endedGrants(one).includes(grant))
		);
	});
}

export const lesson: Lesson = {
	stage: {
		intro: [
			'After you allow access, your browser brings an authorization code to the application, which exchanges it for an access token. The code passes through your browser, so others may see it: in the history, in a log, on a shared screen.',
			'A code therefore works once. But it can be sent twice: by an attacker, or by your own application when a user reloads the callback page. In this lesson you send it twice.'
		],
		terms: ['authorization code', 'access token', 'callback page'],
		able: [
			'say what a second exchange does to the first token',
			'explain why a reload can sign your own user out',
			'write a callback page that is safe to reload'
		],
		known: [
			{ from: 'application', to: 'authorization', label: 'POST token · code 1', reply: '200 access token 1' },
			{ from: 'application', to: 'resource', label: 'GET character · access token 1', reply: '200 Mara Vell' },
			{ from: 'application', to: 'authorization', label: 'POST token · same code' }
		],
		predictionTitle: 'Two exchanges, one code',
		steps: [
			{
				title: 'Sign in as player-one',
				text: 'Select **Open request**, sign in as `player-one`, and allow access. You come back here with a code.',
				tools: [{ kind: 'request', request: 'authorization' }],
				condition: 'code_issued',
				expected: [{ from: 'browser', to: 'authorization', label: 'sign-in and consent' }],
				folds: 'Sign-in of player-one'
			},
			{
				title: 'Exchange the code',
				text: 'The code is filled in. Select **Send request**.',
				tools: [{ kind: 'request', request: 'exchange', marks: 'code' }],
				condition: 'code_exchanged',
				expected: [{ from: 'application', to: 'authorization', label: 'POST token · code' }]
			},
			{
				title: 'Read Mara Vell with the token',
				text: 'The token from step 2 is in the header. Select **Send request** to see that it works.',
				tools: [{ kind: 'request', request: 'character', marks: 'Authorization' }],
				condition: 'first_token_used',
				expected: [{ from: 'application', to: 'resource', label: 'GET character/Mara Vell' }]
			},
			{
				title: 'Send the same code again',
				text: 'Do not sign in again: the request still has the code from step 2. Pause at the code exchange, and select **Send request**. Release it unchanged.',
				tools: [
					{
						kind: 'pause',
						point: 'code_exchange',
						text: 'The second exchange waits. Its `code` and its secret are right, as in the first one.'
					},
					{ kind: 'request', request: 'exchange', marks: 'code', note: 'Same value as in step 2' }
				],
				condition: 'code_replayed',
				expected: [{ from: 'application', to: 'authorization', label: 'POST token · same code' }]
			},
			{
				title: 'Read Mara Vell with the first token',
				text: 'Now the token from step 2 once more. Select **Send request**.',
				tools: [{ kind: 'request', request: 'character', marks: 'Authorization', note: 'The token from step 2' }],
				condition: 'first_token_rejected',
				expected: [{ from: 'application', to: 'resource', label: 'GET character/Mara Vell' }]
			}
		],
		result: 'The token stopped working',
		question: {
			title: 'When did it stop?',
			text: 'The token worked in step 3 and failed in step 5. Select the request that ended it.',
			solution: { condition: 'code_replayed', part: 'request' },
			right: 'The second exchange revoked the token, before any request with the token was sent.',
			wrong: 'This message did not end it. The service revokes the tokens when it sees the code for the second time.'
		},
		learnt: {
			title: 'A second use ends everything',
			text: 'A replayed code revokes every token that came from it. A callback page that exchanges its code again on reload signs its own user out.',
			code: "sessionStorage.removeItem('state');\n// before the exchange"
		}
	},
	prediction: {
		question: 'The service rejects the second exchange of a code. What happens to the token from the first one?',
		shownBy: 'first_token_rejected',
		shows: 'body',
		comparison: {
			columns: ['Before the second exchange', 'After it'],
			rows: ({ shown }) => [
				['The first token', resultOf(shown('first_token_used').at(-1)), resultOf(shown('first_token_rejected').at(-1))]
			]
		},
		options: [
			{
				text: 'It keeps working, because it was obtained correctly',
				implies: ['200 OK', '{"name":"Mara Vell",…}'],
				feedback: 'The service does not know which exchange was the correct one.'
			},
			{
				text: 'It stops working',
				implies: ['401 Unauthorized', '{"error":"invalid_token",…}'],
				feedback: 'The second use ends everything that the code led to.',
				isRight: true
			},
			{
				text: 'It works, and the second exchange gets a token too',
				implies: ['200 OK', '{"name":"Mara Vell",…}'],
				feedback: 'A code works once. Repeating the request is not harmless.'
			},
			{
				text: 'It works until it expires, but cannot be refreshed',
				implies: ['200 OK', '{"name":"Mara Vell",…}'],
				feedback: 'This service checks at each request whether a token was revoked. It does not have to wait.'
			}
		]
	},
	attempts: 'all',
	conditions: [
		{
			id: 'code_issued',
			label: 'The service issued a code',
			unmet: 'No code was issued yet. Sign in and allow access.',
			user: learner,
			shows: issuedCode
		},
		{
			id: 'code_exchanged',
			label: 'A client exchanged a code',
			unmet: 'You have a code. Send the code exchange. If it failed, sign in again.',
			user: learner,
			shows: exchangedCode
		},
		{
			id: 'first_token_used',
			label: 'A character was read with its token',
			unmet: 'You have a token. Read a character with it, so that you see it work.',
			user: learner,
			shows: (entry, { before }) => before.some((one) => exchangedCode(one) && isReadAfter(one, entry))
		},
		{
			id: 'code_replayed',
			label: 'The service rejected the second exchange of the code',
			unmet: 'The code was exchanged once. Exchange the same code again with the credentials of the same application.',
			shows: (entry, { before }) => {
				const exchange = replayedBy(entry, before);
				return exchange !== undefined && [exchange];
			}
		},
		{
			id: 'first_token_rejected',
			label: 'The service rejected the token from the first exchange',
			unmet: 'The second exchange was rejected. Send the access token from the first exchange to a resource.',
			shows: (entry, { before }) =>
				isResourceRequest(entry) &&
				failedAt(entry, 'access_token.not_revoked') &&
				before.some((one, at) => {
					const exchange = replayedBy(one, before.slice(0, at));
					return exchange !== undefined && familyOf(exchange) === entry.family;
				})
		}
	],
	explanation:
		'Two uses mean that two parties may have the code, and the service cannot know which of them is the attacker. It ends all tokens that came from the code. The same happens when a callback page exchanges the code again on reload: the application signs its own user out.',
	sections: ['3.1', 'RFC 6749 §4.1.2', 'RFC 6749 §10.5'],
	help: {
		hint: 'The second exchange needs the same code, not a new one. The request builder keeps the code until you change it.',
		call: "{curl} '{base_url}/ws/oauth2/token/' -d grant_type=authorization_code -d client_id=character-viewer -d client_secret=viewer-secret -d redirect_uri={base_url}/viewer/callback -d code=$CODE"
	},
	ownClient: {
		steps: [
			'Sign a user in, and read a character.',
			'Exchange the same code again, with curl or by a reload of your callback page.',
			'Read a character again. After this lesson, make your callback page ignore a code that it has seen.'
		],
		code: `{curl} '{base_url}/ws/oauth2/token/' -d grant_type=authorization_code -d code="$CODE" -d client_id="$CLIENT_ID" \\
  -d client_secret="$CLIENT_SECRET" --data-urlencode "redirect_uri=$REDIRECT_URI"
{curl} '{base_url}/ws/v2.0/character/Mara%20Vell' -H "Authorization: OAuth $ACCESS_TOKEN"`
	},
	notes: {
		discuss: 7,
		watch:
			'A learner who signs in again between the two exchanges sends a new code, and nothing is rejected. The request must be repeated unchanged.',
		mistakes: [
			{
				belief: 'Only the second exchange is affected.',
				reply: 'Send the first token again. The service cannot tell which of the two was honest, so it ends both.'
			},
			{
				belief: 'An access token cannot be recalled.',
				reply:
					'This service checks at each request. Others use tokens that stay valid until they expire, so lifetimes differ.'
			}
		],
		questions: [
			{
				question: 'How can an honest application send a code twice?',
				listenFor: 'A user reloads the callback page, a proxy repeats a request, or two tabs open the same link.'
			},
			{
				question: 'What does a callback page do that is safe to reload?',
				listenFor: 'It exchanges the code once and then redirects to an address without it.'
			}
		]
	}
};
