import type { TrafficEntry } from '#api/control/traffic.ts';
import { checkOf, failedAt, issued, issuedCode, parameter, passed } from '#evidence/exchanges.ts';
import { learner } from '../evaluation/common-conditions.ts';
import type { Context } from '../evaluation/condition.ts';
import type { Lesson } from '../lesson.ts';

const isPushed = (entry: TrafficEntry) => passed(entry, 'par.request_stored');

/** Whether an exchange belongs to a request that was pushed before. */
const wasPushed = ({ flow }: TrafficEntry, { before }: Context) =>
	flow !== undefined && before.some((one) => isPushed(one) && one.flow === flow);

const isReused = (entry: TrafficEntry) => checkOf(entry, 'auth.request_uri_valid')?.cause === 'already_used';

const opened = { from: 'browser', to: 'authorization' } as const;
const open = { kind: 'request', request: 'authorization', marks: 'request_uri' } as const;

export const lesson: Lesson = {
	stage: {
		intro: [
			'An authorization request travels through the browser of the user, in its address bar. The user, an extension or a page on the way can change its scope or its redirect URI, and the service cannot tell.',
			'With a pushed request the application sends all parameters to the service first, with its client secret. The browser brings only a reference to them. In this lesson you push a request, and then you change it on its way.'
		],
		terms: ['scope', 'redirect URI', 'client secret'],
		able: [
			'say what a browser still carries of a pushed request',
			'explain why a changed address is rejected',
			'tell how often and how long a reference works'
		],
		known: [
			{
				from: 'application',
				to: 'authorization',
				label: 'POST par · all parameters',
				reply: '201 request_uri'
			},
			{ ...opened, label: 'GET auth · request_uri, more scope' }
		],
		predictionTitle: 'A changed address',
		steps: [
			{
				title: 'Push the request',
				text: 'Select **Send request**. The application sends all parameters with its secret, and gets a `request_uri`.',
				tools: [{ kind: 'request', request: 'pushed', marks: 'scope', usesPkce: true }],
				condition: 'pushed',
				expected: [{ from: 'application', to: 'authorization', label: 'POST par · all parameters' }]
			},
			{
				title: 'Change it in the browser',
				text: 'The scope `location_read` was added to the address. Select **Open request**, read the page, and close the new tab.',
				tools: [
					{
						...open,
						sets: { request_uri: 'again', scope: 'character_read location_read' },
						edits: ['scope'],
						marks: 'scope',
						opensTab: true
					}
				],
				condition: 'change_rejected',
				expected: [{ ...opened, label: 'GET auth · request_uri, more scope' }]
			},
			{
				title: 'Open it unchanged',
				text: 'Select **Open request**, choose `player-one`, and allow access. The page lists what the application pushed.',
				tools: [{ ...open, sets: { request_uri: 'again' } }],
				condition: 'code_issued',
				expected: [{ ...opened, label: 'GET auth · request_uri' }]
			},
			{
				title: 'Use the reference again',
				text: 'Select **Open request**. A thief found the address in the history of the browser.',
				tools: [{ ...open, sets: { request_uri: 'again' }, sender: 'thief', opensTab: true }],
				condition: 'reuse_rejected',
				expected: [{ from: 'thief', to: 'authorization', label: 'GET auth · copy' }]
			}
		],
		isThief: isReused,
		result: 'The change was rejected',
		question: {
			title: 'Where was the scope decided?',
			text: 'The user allowed one permission. Select the request that named it.',
			solution: { condition: 'pushed', part: 'request' },
			right: 'The application sent it from server to server, with its secret. The browser has only the reference.',
			wrong: 'This message cannot name a permission. Look for the one that the application sent first.'
		},
		learnt: {
			title: 'Push it, then refer to it',
			text: 'The reference works once, and only for 90 seconds. Push the request when the user starts the sign-in, redirect at once, and push again for each new try. The browser sees no scope, no redirect URI and no state.',
			code: 'const { request_uri } = await post(pushed_authorization_request_endpoint, parameters);\nlocation = `${authorization_endpoint}?${new URLSearchParams({ client_id, request_uri })}`;'
		}
	},
	start: { settings: { dialect: 'standard' } },
	prediction: {
		question: 'An attacker adds a second scope to the address, beside the request_uri. What does the browser show?',
		shownBy: 'change_rejected',
		shows: 'body',
		options: [
			{
				text: 'The sign-in page, for both permissions',
				implies: ['200 OK', '“Sign in”'],
				feedback: 'The service takes permissions from the pushed request only.'
			},
			{
				text: 'The sign-in page, for the pushed permission',
				implies: ['200 OK', '“Sign in”'],
				feedback: 'Another service may ignore what is beside the reference. This one shows the mistake.'
			},
			{
				text: 'An error page of the service',
				implies: ['400 Bad Request', 'an error page'],
				feedback: 'Beside a request_uri only the client_id is allowed. The reference stays unused.',
				isRight: true
			},
			{
				text: 'The page of the application, with an error',
				implies: ['303 See Other', 'Location: /viewer/callback?error=invalid_request'],
				feedback: 'The service does not follow a request that was changed, so it redirects nowhere.'
			}
		]
	},
	attempts: 'all',
	conditions: [
		{
			id: 'pushed',
			label: 'The application pushed its request',
			unmet: 'No request was pushed yet. Send the pushed request.',
			shows: isPushed
		},
		{
			id: 'change_rejected',
			label: 'A changed address was rejected',
			unmet: 'The address was not changed. Open the request with one more scope.',
			shows: (entry, { before }) =>
				failedAt(entry, 'auth.request_uri_alone') &&
				parameter(entry, 'scope') !== undefined &&
				before.some((one) => isPushed(one) && one.client_id === entry.client_id)
		},
		{
			id: 'code_issued',
			label: 'The user allowed the pushed request',
			unmet: 'The pushed request led to no code. Open it, and allow access.',
			user: learner,
			shows: (entry, context) =>
				issuedCode(entry) && wasPushed(entry, context) && issued(entry, 'code')?.scopes.length === 1
		},
		{
			id: 'reuse_rejected',
			label: 'The second use of the reference was rejected',
			unmet: 'The reference was used once. Open the same request again.',
			shows: (entry, context) => isReused(entry) && wasPushed(entry, context)
		}
	],
	explanation:
		'The service keeps the pushed parameters, and the reference leads to them and to nothing else. What is added beside it is rejected, so no one on the way decides what the application asks for. The first use ends the reference, and the clock ends it soon after.',
	sections: ['RFC 9126 §2.2', 'RFC 9126 §4', 'RFC 9126 §7.3'],
	help: {
		hint: 'Each new sign-in needs a new reference. Go back to the first step for one, also after you denied access.',
		call: '{curl} {base_url}/ws/oauth2/par -d response_type=code -d client_id=character-viewer -d client_secret=viewer-secret -d scope=character_read -d code_challenge_method=S256 -d code_challenge=$CHALLENGE -d redirect_uri={base_url}/viewer/callback'
	},
	ownClient: {
		steps: [
			'Push a request for `character_read`, and open its reference with one more `scope`.',
			'Open the reference unchanged, and allow access as `player-one`.',
			'Open the same reference again.'
		],
		code: '{curl} {base_url}/ws/oauth2/par -d response_type=code -d scope=character_read \\\n  -d client_id="$CLIENT_ID" -d client_secret="$CLIENT_SECRET" -d redirect_uri="$REDIRECT_URI" \\\n  -d code_challenge="$CHALLENGE" -d code_challenge_method=S256\n# Then open {base_url}/ws/oauth2/auth/?client_id=…&request_uri=…'
	},
	notes: {
		discuss: 5,
		watch:
			'A learner who denies access, or waits for more than 90 seconds, needs a new reference. The first step gets one.',
		mistakes: [
			{
				belief: 'The pushed request is encrypted.',
				reply: 'It is a form over TLS, as a token request. What is new is that the browser does not carry it.'
			},
			{
				belief: 'With PAR, PKCE is no longer needed.',
				reply: 'PAR protects the request. PKCE protects the code on its way back.'
			}
		],
		questions: [
			{
				question: 'What did the service know before the user saw a page?',
				listenFor: 'Which application asks, proved by its secret, and that the request has no mistake.'
			},
			{
				question: 'Which of your requests are too long or too private for an address bar?',
				listenFor: 'Many resources, details of a payment, or the name of the user as a hint.'
			}
		]
	}
};
