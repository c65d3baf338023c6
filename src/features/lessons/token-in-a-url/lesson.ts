import { resultOf } from '../evaluation/result-text.ts';
import type { TrafficEntry } from '#api/control/traffic.ts';
import { learner, signedIn } from '../evaluation/common-conditions.ts';
import { contains, endedGrants, failedAt, isResourceRequest, used } from '#evidence/exchanges.ts';
import type { Lesson } from '../lesson.ts';

const isInQuery = ({ request }: TrafficEntry) => /[?&]access_token=/.test(request.target);
const isServed = (entry: TrafficEntry) => isResourceRequest(entry) && entry.response?.status === 200;

/** A resource was read with the token in the URL. */
const isLeak = (entry: TrafficEntry) => isServed(entry) && isInQuery(entry);

/** An expired token is unknown, and a revoked one is known. */
const isRejected = (entry: TrafficEntry) =>
	isResourceRequest(entry) && (failedAt(entry, 'access_token.known') || failedAt(entry, 'access_token.not_revoked'));

export const lesson: Lesson = {
	stage: {
		intro: [
			'An access token works for any sender. It belongs in the Authorization header. The service also accepts it in the query of the URL, for callers that cannot set a header.',
			'TLS encrypts the URL on its way. But URLs are stored in the browser history, in logs, and passed on in the Referer header. In this lesson you leak a token, and then make it worthless by revocation.'
		],
		terms: ['access token', 'Referer header', 'revocation'],
		able: [
			'name the places where a URL is stored',
			'send a token in the Authorization header',
			'make a leaked token useless'
		],
		known: [
			{ from: 'application', to: 'resource', label: 'GET · Authorization: OAuth …', reply: '200 Mara Vell' },
			{ from: 'browser', to: 'resource', label: 'GET ?access_token=…' }
		],
		predictionTitle: 'A token in the address bar',
		steps: [
			{
				title: 'Sign in with offline access',
				text: 'Select **Sign in with {brand}**, choose `player-one`, and allow access.',
				tools: [{ kind: 'sign-in', access: 'offline' }],
				condition: 'signed_in',
				expected: [{ from: 'application', to: 'authorization', label: 'POST token · code' }],
				folds: 'Sign-in of player-one'
			},
			{
				title: 'Open a URL with the token',
				text: 'Select **Open character**. Find the URL in the history of your browser, keep the tab, and come back.',
				tools: [
					{ kind: 'leak', page: 'character' },
					{ kind: 'leak', page: 'image' }
				],
				condition: 'token_in_query',
				expected: [{ from: 'browser', to: 'resource', label: 'GET ?access_token=…' }]
			},
			{
				title: 'Send it in a header',
				text: 'Select **Look up**. The application sends the token in the Authorization header.',
				tools: [{ kind: 'look-up', name: 'Half/Life' }],
				condition: 'token_in_header',
				expected: [{ from: 'application', to: 'resource', label: 'GET · Authorization' }]
			},
			{
				title: 'Revoke the access',
				text: 'The token has leaked. Select **Sign out**, which revokes the access.',
				tools: [{ kind: 'sign-out' }],
				condition: 'access_revoked',
				expected: [{ from: 'application', to: 'authorization', label: 'GET revoke' }]
			},
			{
				title: 'Try the leaked URL again',
				text: 'Go to the tab with the character, and reload it. Then come back.',
				tools: [{ kind: 'account' }],
				condition: 'leaked_token_rejected',
				expected: [{ from: 'browser', to: 'resource', label: 'GET ?access_token=… again' }]
			}
		],
		result: 'The token was stored too',
		question: {
			title: 'What made it worthless?',
			text: 'The same URL worked in step 2 and failed in step 5. Select the request that changed that.',
			solution: { condition: 'access_revoked', part: 'request' },
			right: 'The revocation ended the grant, and every copy of its tokens with it.',
			wrong: 'This message did not end the token. Look for the revocation.'
		},
		learnt: {
			title: 'URLs are kept, headers are not',
			text: 'Browsers, servers and proxies store URLs, and pages pass them on. You cannot collect the copies of a leaked token, but you can revoke the access.',
			code: 'fetch(url, { headers: { authorization: `OAuth ${token}` } });'
		}
	},
	prediction: {
		question: 'TLS encrypts the whole URL on its way. Who can still read a token in it?',
		shownBy: 'token_in_query',
		shows: 'body',
		comparison: {
			columns: ['Before the revocation', 'After it'],
			rows: ({ shown }) => [
				[
					'The URL with the token',
					resultOf(shown('token_in_query').at(-1)),
					resultOf(shown('leaked_token_rejected').at(-1))
				]
			]
		},
		options: [
			{
				text: 'No one besides the client and the service',
				implies: ['200 OK', 'seen by two parties'],
				feedback: 'TLS protects the connection. The URL is stored at both ends of it, in plain text.'
			},
			{
				text: 'Others in the same Wi-Fi',
				implies: ['200 OK', 'seen in the Wi-Fi'],
				feedback: 'They see encrypted data. The danger is where the URL is stored afterwards.'
			},
			{
				text: 'Anyone who reads the browser history, the server log or the Referer header',
				implies: ['200 OK', 'and the URL is stored, with the token'],
				feedback: 'URLs are kept and passed on in many places. None of them treats a URL as a secret.',
				isRight: true
			},
			{
				text: 'No one: the service rejects such a request',
				implies: ['400 Bad Request', '{"error":"invalid_request",…}'],
				feedback: 'It accepts the query as well, for callers that cannot set a header.'
			}
		]
	},
	attempts: 'all',
	conditions: [
		signedIn,
		{
			id: 'token_in_query',
			label: 'A resource was read with the token in the query',
			unmet: 'Request a character with ?access_token= and a valid token.',
			user: learner,
			shows: isLeak
		},
		{
			id: 'token_in_header',
			label: 'The same user’s data was read with the token in the header',
			unmet: 'The token was in a URL. Now send a token of the same user in the Authorization header.',
			shows: (entry, { before }) =>
				isServed(entry) && !isInQuery(entry) && before.some((leak) => isLeak(leak) && leak.grant === entry.grant)
		},
		{
			id: 'access_revoked',
			label: 'The access was revoked',
			unmet: 'The token from the URL still works. Revoke the access.',
			shows: (entry, { before }) => {
				const ended = endedGrants(entry);
				return before.some((leak) => isLeak(leak) && leak.grant !== undefined && ended.includes(leak.grant));
			}
		},
		{
			id: 'leaked_token_rejected',
			label: 'The service rejected the token from the URL',
			unmet: 'The access is revoked. Send the token from the URL once more: reload its tab.',
			shows: (entry, { before }) => {
				const ended = before.flatMap(endedGrants);
				const leaks = before.filter((leak) => isLeak(leak) && leak.grant !== undefined && ended.includes(leak.grant));
				return isRejected(entry) && leaks.some((leak) => contains(entry, used(leak, 'access_token') ?? ''));
			}
		}
	],
	explanation:
		'Browsers, servers and proxies store URLs, users share them, and the Referer header passes them to other sites. The query is for callers that cannot set headers. Everyone else sends Authorization: OAuth. You cannot collect the copies of a leaked token, but you can revoke access, so that they stop working.',
	sections: ['5.3', 'RFC 6750 §5.3', 'RFC 9700 §4.3'],
	help: {
		hint: 'Keep the tab with the token in its URL. After you revoke access, reload it, or open the URL from the history.',
		call: '{curl} "{base_url}/ws/v2.0/character/Mara%20Vell?access_token=$ACCESS_TOKEN"'
	},
	ownClient: {
		steps: [
			'Request a character with the token in the query.',
			'Let your client send the token in the `Authorization` header instead.',
			'Revoke access, and request the first URL again.'
		],
		code: `{curl} "{base_url}/ws/v2.0/character/Mara%20Vell?access_token=$ACCESS_TOKEN"
{curl} '{base_url}/ws/v2.0/character/Mara%20Vell' -H "Authorization: OAuth $ACCESS_TOKEN"
{curl} "{base_url}/ws/oauth2/revoke?token=$REFRESH_TOKEN&client_id=$CLIENT_ID"
{curl} "{base_url}/ws/v2.0/character/Mara%20Vell?access_token=$ACCESS_TOKEN"`
	},
	notes: {
		discuss: 5,
		watch: 'Many close the tab with the character too early. They reload it at the end, after the access was revoked.',
		mistakes: [
			{
				belief: 'TLS hides the URL, so it is safe.',
				reply: 'It hides it on the way. History, server log and referrer are at the ends.'
			},
			{
				belief: 'The service rejects such a request.',
				reply: 'It allows it for callers that cannot set headers. Allowed is not recommended.'
			}
		],
		questions: [
			{
				question: 'Where would you look for leaked tokens in your own systems?',
				listenFor: 'Access logs, error trackers, analytics, chat, screenshots, browser history.'
			},
			{ question: 'A token was leaked. What do you do first?', listenFor: 'Revoke it. Copies cannot be collected.' }
		]
	}
};
