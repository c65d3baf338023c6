import type { ComparedRow, Lesson } from '../lesson.ts';
import type { TrafficEntry } from '#api/control/traffic.ts';
import { contains, exchangedCode, issued, readCharacter } from '#evidence/exchanges.ts';
import { rateLimitOf } from '#evidence/rate-limit-headers.ts';
import { learner, signedIn } from '../evaluation/common-conditions.ts';
import { callsUnder, isOverLimit } from '../evaluation/limit-exchanges.ts';

/** The limit of this lesson, in requests of a window. */
const limit = 20;
const neighbor = 'player-two';

/** The access tokens of the other user that a request contains. A rejected request does not say whose token it has. */
function tokensIn(entry: TrafficEntry, before: readonly TrafficEntry[]): readonly string[] {
	const signIns = before.filter((one) => exchangedCode(one) && one.username === neighbor);
	return signIns.flatMap((one) => issued(one, 'access_token')?.id ?? []).filter((id) => contains(entry, id));
}

export const lesson: Lesson = {
	stage: {
		intro: [
			'A rate limit counts for a key: an address, an access token, an application or an account. All that have the same key share the limit. Offices, phone networks and build servers put many users behind one address.',
			'In this lesson one user uses up a limit. Then another one signs in, with a new token, and has not sent a single request. You find out what the key of this service is, and who else the blacklist would hit.'
		],
		terms: ['rate limit', 'access token', 'blacklist'],
		able: [
			'find the key of a limit by changing one thing at a time',
			'say who shares a limit with your program',
			'find the key in a response'
		],
		known: [
			{ from: 'application', to: 'resource', label: 'player-one · 20 requests', reply: '20 × 200' },
			{ from: 'application', to: 'resource', label: 'player-two · first request' }
		],
		predictionTitle: 'A user without requests',
		steps: [
			{
				title: 'Sign in as player-one',
				text: 'Select **Sign in with {brand}**, choose `player-one`, and allow access.',
				tools: [{ kind: 'sign-in', access: 'online' }],
				condition: 'signed_in',
				expected: [{ from: 'application', to: 'authorization', label: 'POST token · code' }],
				folds: 'Sign-in of player-one'
			},
			{
				title: 'Use up the limit',
				text: 'Select **Load 20 at once**.',
				tools: [{ kind: 'load', mode: 'atOnce' }],
				condition: 'used_up',
				expected: [{ from: 'application', to: 'resource', label: '20 × GET character' }]
			},
			{
				title: 'Sign in as player-two',
				text: 'Select **Sign in with {brand}**, choose `player-two`, and allow access.',
				tools: [{ kind: 'sign-in', access: 'online', isOther: true }],
				condition: 'other_signed_in',
				expected: [{ from: 'application', to: 'authorization', label: 'POST token · code' }],
				folds: 'Sign-in of player-two'
			},
			{
				title: 'Send the first request',
				text: 'Select **Send one request**. It has the token of `player-two`.',
				tools: [{ kind: 'limit', action: 'send', name: 'Mara Vell' }],
				condition: 'innocent_rejected',
				expected: [{ from: 'application', to: 'resource', label: 'GET character' }]
			},
			{
				title: 'Change the address only',
				text: 'Select **Send one request**. The token is the same, and the address is `192.0.2.200`.',
				tools: [{ kind: 'limit', action: 'send', name: 'Mara Vell', address: '192.0.2.200' }],
				condition: 'other_address',
				expected: [{ from: 'application', to: 'resource', label: 'GET character' }]
			}
		],
		result: 'Rejected for the requests of another user',
		question: {
			title: 'What is the key?',
			text: 'Select the response that shows what the service counts by.',
			solution: { condition: 'other_address', part: 'response' },
			right: 'Only the address was another one, and the limit was untouched. X-Tollgate-Address names the key.',
			wrong: 'Look for two requests that differ in one thing, and the one that was accepted.'
		},
		learnt: {
			title: 'The key is the address',
			text: 'All users, tokens and applications behind one address share the limit, and the blacklist. A cache, one queue for all programs and few parallel workers help all users there. A second token does not.',
			code: "const key = response.headers.get('x-tollgate-address');"
		}
	},
	start: { settings: { limits: { character: limit } } },
	prediction: {
		question:
			'player-one has used up the limit. player-two signs in on the same network and sends a first request. What comes back?',
		shownBy: 'innocent_rejected',
		shows: 'X-RateLimit-Remaining',
		comparison: {
			columns: ['Same address', 'Other address'],
			rows: ({ shown }) => {
				const pair = [shown('innocent_rejected').at(-1), shown('other_address').at(-1)];
				const row = (label: string, of: (entry: TrafficEntry) => string | number | undefined): ComparedRow => {
					const [one, other] = pair.map((entry) => entry && of(entry));
					return [label, one, other];
				};
				return [
					row('Address', ({ address }) => address),
					row('Status', ({ response }) => response?.status),
					row('Left', (entry) => rateLimitOf(entry)?.remaining)
				];
			}
		},
		options: [
			{
				text: '200: each user has a limit',
				implies: ['200 OK', 'X-RateLimit-Remaining: 19'],
				feedback: 'Nothing is counted for a user. The new token changed nothing.'
			},
			{
				text: '200: each access token has a limit',
				implies: ['200 OK', 'X-RateLimit-Remaining: 19'],
				feedback: 'The token was new, and the request was rejected. Tokens are not the key here.'
			},
			{
				text: '400: the address has used up its limit',
				implies: ['400 Bad Request', 'X-RateLimit-Remaining: 0'],
				feedback: 'The service counts by address, for each user and each token.',
				isRight: true
			},
			{
				text: '401: two users on one address are suspicious',
				implies: ['401 Unauthorized', 'X-RateLimit-Remaining: none'],
				feedback: 'The token is valid. A limit says nothing about who you are.'
			}
		]
	},
	attempts: 'all',
	conditions: [
		signedIn,
		{
			id: 'used_up',
			label: 'One user used up the limit',
			unmet: 'Requests are left. Load 20 at once as player-one.',
			user: learner,
			shows: (entry) =>
				readCharacter(entry) &&
				callsUnder(limit, entry.address, [entry]).length > 0 &&
				rateLimitOf(entry)?.remaining === 0
		},
		{
			id: 'other_signed_in',
			label: 'Another user signed in',
			unmet: 'No other user has signed in. Sign in as player-two.',
			user: neighbor,
			shows: exchangedCode
		},
		{
			id: 'innocent_rejected',
			label: 'A request of that user was rejected at the same address',
			unmet: 'The other user has sent nothing yet. Send one request as player-two.',
			shows: (entry, { before, shown }) =>
				isOverLimit(entry) && entry.address === shown('used_up').at(-1)?.address && tokensIn(entry, before).length > 0
		},
		{
			id: 'other_address',
			label: 'The same token was accepted from another address',
			unmet: 'Only the address may change. Send the same request, with the same token, from another address.',
			user: neighbor,
			shows(entry, { before, shown }) {
				const rejected = shown('innocent_rejected').at(-1);
				if (!readCharacter(entry) || rejected === undefined || entry.address === rejected.address) return false;
				const known = tokensIn(rejected, before);
				return tokensIn(entry, before).some((id) => known.includes(id));
			}
		}
	],
	explanation:
		'This service counts by the address that a request comes from, so one busy program can lock out a whole office. Other services count by token, application or account. Change one thing at a time to find the key. In the dialect of today’s standards, the RateLimit header names it.',
	sections: ['8.2', '8.7'],
	help: {
		hint: 'The header X-Tollgate-Address makes a request count for another address, as if it came from there.',
		call: "{curl} -si '{base_url}/ws/v2.0/character/Mara%20Vell' -H \"Authorization: OAuth $ACCESS_TOKEN\" -H 'X-Tollgate-Address: 192.0.2.200'"
	},
	ownClient: {
		steps: [
			'Send 20 requests with the token of `player-one`.',
			'Get a token of `player-two`, and send one request with it. Then send it again with `X-Tollgate-Address: 192.0.2.200`.'
		],
		code: `const url = '{base_url}/ws/v2.0/character/Mara%20Vell';
await fetch(url, { headers: { authorization } });
await fetch(url, { headers: { authorization, 'x-tollgate-address': '192.0.2.200' } });`
	},
	notes: {
		discuss: 6,
		watch:
			'Choose player-two on the sign-in page. The service remembers player-one, so groups that press too quickly sign in as the same user again.',
		mistakes: [
			{
				belief: 'A second application or token gets around the limit.',
				reply: 'The first request with a new token was rejected. The address is the key.'
			},
			{
				belief: 'A limit by address is unfair, so no service does it.',
				reply: 'It works before a sign-in, and a token costs nothing to replace. Many services count by both.'
			}
		],
		questions: [
			{
				question: 'Your build server runs 30 jobs at once. What do they share?',
				listenFor: 'One address, so one limit and one blacklist entry. They need a shared queue or a cache.'
			},
			{
				question: 'Who is hit when an address is blacklisted?',
				listenFor: 'All users behind it, also those who never sent a request. That is the ban of the innocent.'
			}
		]
	}
};
