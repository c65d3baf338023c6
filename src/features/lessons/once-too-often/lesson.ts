import { notes } from './notes.ts';
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
import { stage } from './stage.ts';

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
	stage,
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
	notes
};
