import type { Lesson } from '../lesson.ts';
import { outOfBandUri } from '#client/oauth/client-registration.ts';
import type { TrafficEntry } from '#api/control/traffic.ts';
import { learner } from '../evaluation/common-conditions.ts';
import { resultOf } from '../evaluation/result-text.ts';
import {
	authorizationRequestOf,
	checkOf,
	ended,
	exchangedCode,
	isTokenRequest,
	issuedCode,
	parameter,
	passed
} from '#evidence/exchanges.ts';
import type { Tool } from '../stage.ts';

const verifier = 'token.code_verifier_matches';
/** Why the exchange of a code with a challenge fails. */
const thiefCauses = ['missing_verifier', 'wrong_verifier', 'verifier_is_challenge', 'verifier_too_short'];

const outOfBand = (entry: TrafficEntry) => exchangedCode(entry) && parameter(entry, 'redirect_uri') === outOfBandUri;

const isOnPort = (entry: TrafficEntry) => /^http:\/\/localhost:\d+/.test(parameter(entry, 'redirect_uri') ?? '');
const hasVerifier = (entry: TrafficEntry) => (parameter(entry, 'code_verifier') ?? '') !== '';

const withVerifier = (entry: TrafficEntry) =>
	exchangedCode(entry) && isOnPort(entry) && passed(entry, verifier) && hasVerifier(entry);

/** A code of a localhost port was sent without a verifier: all that a thief has. */
const isThief = (entry: TrafficEntry) =>
	isTokenRequest(entry, 'authorization_code') && isOnPort(entry) && !hasVerifier(entry);

const isRejected = (entry: TrafficEntry) =>
	thiefCauses.includes(checkOf(entry, verifier)?.cause ?? '') && ended(entry, 'failed_exchange');

/** A code that came to a localhost port, after a request with a challenge or without one. */
function cameToPort(entry: TrafficEntry, before: readonly TrafficEntry[], isChallenged: boolean): boolean {
	if (!issuedCode(entry)) return false;
	const request = authorizationRequestOf(before, entry) ?? entry;
	return isOnPort(request) && (parameter(request, 'code_challenge') !== undefined) === isChallenged;
}

/** An authorization request of the companion, whose code comes to a port that nothing listens on. */
const onPort = {
	kind: 'request',
	request: 'authorization',
	client: 'companion',
	sets: { redirect_uri: 'http://localhost:50123' },
	opensTab: true
} satisfies Tool;

/** The exchange of a code that was seen, with the secret that every copy of the program contains. */
const theft = {
	kind: 'request',
	request: 'exchange',
	client: 'companion',
	sender: 'thief',
	edits: ['code'],
	marks: 'client_secret'
} satisfies Tool;

export const lesson: Lesson = {
	stage: {
		intro: [
			'An installed application runs on the computer of its user. Each copy contains the same client secret, so any user can read it. A thief who sees a code on its way has all that an exchange needs.',
			'PKCE makes a secret for each sign-in: the code verifier. Only its hash goes ahead. In this lesson you steal a code without PKCE, then try the same with PKCE, and sign in with the verifier.'
		],
		terms: ['installed application', 'client secret', 'code verifier'],
		able: [
			'say why a program cannot keep a secret',
			'explain what PKCE adds to a sign-in',
			'sign in with a localhost port and a verifier'
		],
		known: [
			{ from: 'application', to: 'authorization', label: 'POST token · code, secret', reply: '200 tokens' },
			{ from: 'thief', to: 'authorization', label: 'POST token · stolen code, secret' }
		],
		predictionTitle: 'A stolen code, and a known secret',
		isThief,
		steps: [
			{
				title: 'Sign in with the companion',
				text: 'Select **Open sign-in window**, and sign in as `player-one`. The companion reads the code from the window.',
				tools: [{ kind: 'companion' }],
				condition: 'code_copied',
				expected: [{ from: 'application', to: 'authorization', label: 'POST token · code, secret' }],
				folds: 'Sign-in with the companion'
			},
			{
				title: 'Get a code without PKCE',
				text: 'Select **Open request**, and allow access. Nothing listens at localhost, so copy the URL of the page that did not load.',
				tools: [{ ...onPort, marks: 'redirect_uri', note: 'Without code_challenge' }],
				condition: 'plain_code_sent',
				expected: [{ from: 'browser', to: 'authorization', label: 'GET auth' }],
				folds: 'Sign-in without a challenge'
			},
			{
				title: 'Steal it',
				text: 'You are the thief, and know the secret from your own copy of the program. Paste the URL as `code`, and select **Send request**.',
				tools: [theft],
				condition: 'code_stolen',
				expected: [{ from: 'thief', to: 'authorization', label: 'POST token · code, secret' }]
			},
			{
				title: 'Get a code with PKCE',
				text: 'The same request, with a `code_challenge`. Select **Open request**, allow access, and copy the URL.',
				tools: [{ ...onPort, usesPkce: true, marks: 'code_challenge' }],
				condition: 'challenge_sent',
				expected: [{ from: 'browser', to: 'authorization', label: 'GET auth · challenge' }],
				folds: 'Sign-in with a challenge'
			},
			{
				title: 'Try to steal this one',
				text: 'You are the thief again, with the same secret. Paste the URL as `code`, and select **Send request**.',
				tools: [{ ...theft, note: 'Without code_verifier' }],
				condition: 'thief_rejected',
				expected: [{ from: 'thief', to: 'authorization', label: 'POST token · code, secret' }]
			},
			{
				title: 'Get another code with PKCE',
				text: 'The failed exchange ended the code. Select **Open request** again, allow access, and copy the URL.',
				tools: [{ ...onPort, usesPkce: true, marks: 'code_challenge' }],
				condition: 'second_challenge_sent',
				expected: [{ from: 'browser', to: 'authorization', label: 'GET auth · challenge' }],
				folds: 'Second sign-in with a challenge'
			},
			{
				title: 'Exchange it with the verifier',
				text: 'You are the companion, which kept the verifier. Paste the URL as `code`, and select **Send request**.',
				tools: [
					{
						kind: 'request',
						request: 'exchange',
						client: 'companion',
						edits: ['code'],
						usesPkce: true,
						marks: 'code_verifier'
					}
				],
				condition: 'verifier_sent',
				expected: [{ from: 'application', to: 'authorization', label: 'POST token · code, verifier' }]
			}
		],
		result: 'The verifier is missing',
		question: {
			title: 'Where does PKCE help?',
			text: 'Select the message in which the service noticed that the thief is not the one who asked for the code.',
			solution: { condition: 'thief_rejected', part: 'response' },
			right: 'The service compared the verifier with the hash from the authorization request. None was sent.',
			wrong: 'The service did not notice it here. Look for a response to the thief that is red.'
		},
		learnt: {
			title: 'A new secret for each sign-in',
			text: 'A secret in a program is public. PKCE proves that the exchange comes from the application that started the sign-in. One failed exchange ends the code.',
			code: "const challenge = createHash('sha256').update(verifier).digest('base64url');"
		}
	},
	prediction: {
		question:
			'A thief reads a code on the way to the companion. The secret of the companion is in every copy of the program. The request used PKCE. What does the thief get?',
		shownBy: 'thief_rejected',
		shows: 'body',
		comparison: {
			columns: ['Without PKCE', 'With PKCE'],
			rows: ({ entries, shown }) => {
				const thefts = [shown('code_stolen').at(-1), shown('thief_rejected').at(-1)] as const;
				const challengeOf = (theft: TrafficEntry | undefined) => {
					const request = theft && authorizationRequestOf(entries, theft);
					return request && (parameter(request, 'code_challenge') === undefined ? 'none' : 'sent');
				};
				const sentBy = (theft: TrafficEntry | undefined) =>
					theft && (hasVerifier(theft) ? 'code, secret, verifier' : 'code, secret');
				return [
					['code_challenge', challengeOf(thefts[0]), challengeOf(thefts[1])],
					['The thief sent', sentBy(thefts[0]), sentBy(thefts[1])],
					['The thief got', resultOf(thefts[0]), resultOf(thefts[1])]
				];
			}
		},
		options: [
			{
				text: 'The tokens',
				implies: ['200 OK', '{"access_token":…}'],
				feedback:
					'They were enough without PKCE, in your first theft. With it, the verifier is missing, and it never left the companion.'
			},
			{
				text: 'Nothing, because the verifier is missing',
				implies: ['400 Bad Request', '{"error":"invalid_grant",…}'],
				feedback: 'The service knows the hash of the verifier from the authorization request, and compares.',
				isRight: true
			},
			{
				text: 'Nothing, because the port is wrong',
				implies: ['400 Bad Request', '{"error":"invalid_request",…}'],
				feedback: 'The exchange names the port as text. Anyone who saw the request can send the same text.'
			},
			{
				text: 'An access token, but no refresh token',
				implies: ['200 OK', '{"access_token":…} without a refresh token'],
				feedback: 'An exchange succeeds as a whole or fails as a whole.'
			}
		]
	},
	attempts: 'application',
	conditions: [
		{
			id: 'code_copied',
			label: 'A code was copied from a page and exchanged',
			unmet: 'No code of an out-of-band request has been exchanged. Sign in with the companion and copy its code.',
			user: learner,
			shows: outOfBand
		},
		{
			id: 'plain_code_sent',
			label: 'A code without a challenge came to a localhost port',
			unmet: 'No code without a challenge has come to a localhost port. Send an authorization request without PKCE.',
			shows: (entry, { before }) => cameToPort(entry, before, false)
		},
		{
			id: 'code_stolen',
			label: 'A code without a challenge was exchanged with the secret alone',
			unmet: 'The thief has no tokens yet. Send the code of the request without PKCE, with the client secret.',
			shows: (entry) => isThief(entry) && exchangedCode(entry)
		},
		{
			id: 'challenge_sent',
			label: 'A code with a challenge came to a localhost port',
			unmet:
				'No code with a challenge has come to a localhost port. Send a code challenge with the authorization request.',
			shows: (entry, { before }) => cameToPort(entry, before, true)
		},
		{
			id: 'thief_rejected',
			label: 'A code with the secret, but without its verifier, was rejected',
			unmet:
				'The thief has not tried the code with the challenge yet. Send it with the client secret but without its verifier.',
			shows: isRejected
		},
		{
			id: 'second_challenge_sent',
			label: 'A second code with a challenge came to a localhost port',
			unmet: 'The failed exchange ended the code. Send another authorization request with a code challenge.',
			shows: (entry, { before }) => cameToPort(entry, before, true)
		},
		{
			id: 'verifier_sent',
			label: 'A code came to a localhost port and was exchanged with its verifier',
			unmet: 'The code with the challenge has not been exchanged with its verifier. Send both to the token endpoint.',
			shows: withVerifier
		}
	],
	explanation:
		'Every copy of a program has the same secret. PKCE gives each sign-in its own: the request carries its hash, the exchange the value. One failed exchange ends the code. Prefer a localhost port to copying codes.',
	sections: ['3.2', 'RFC 7636 §4.6', 'RFC 8252 §8.1', 'RFC 8252 §8.5'],
	help: {
		hint: 'The companion’s own sign-in comes first. Then compare: a stolen code of a request without a challenge, and one of a request with a challenge.',
		call: '{curl} {base_url}/ws/oauth2/token/ -d grant_type=authorization_code -d code=$CODE -d client_id=pocket-companion -d client_secret=companion-secret -d redirect_uri=http://localhost:50123'
	},
	ownClient: {
		steps: [
			'Sign in with the redirect URI `urn:ietf:wg:oauth:2.0:oob`, and exchange the code that the user copied.',
			'Listen on a free port, sign in with `http://localhost:PORT`, and exchange the code. Anyone with the secret could do that.',
			'Sign in with an S256 challenge, and exchange the code without its verifier.',
			'Sign in with a challenge once more, and exchange the code with its verifier.'
		],
		code: `import { createHash, randomBytes } from 'node:crypto';
const verifier = randomBytes(32).toString('base64url');
const challenge = createHash('sha256').update(verifier).digest('base64url');
const query = new URLSearchParams({
	response_type: 'code', client_id, scope: 'character_read', redirect_uri: 'http://localhost:50123',
	code_challenge: challenge, code_challenge_method: 'S256'
});
console.log('{base_url}/ws/oauth2/auth/?' + query);`
	},
	notes: {
		discuss: 5,
		watch:
			'Nothing listens at the port, so the browser shows an error page. Say so beforehand: the code is in the address bar. After the first theft, ask what the service could have noticed.',
		mistakes: [
			{
				belief: 'The secret protects the installed application.',
				reply: 'It is in every download. One copy is enough to read it.'
			},
			{ belief: 'The port is the secret.', reply: 'Anyone who sees the request sees the port.' }
		],
		questions: [
			{
				question: 'What does PKCE prove, and what does it not prove?',
				listenFor: 'That the program that exchanges the code also began the sign-in. Not which program it is.'
			},
			{
				question: 'Should web applications with a secret use PKCE as well?',
				listenFor: 'Yes. It also protects against a code that is injected into another session.'
			}
		]
	}
};
