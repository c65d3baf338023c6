import type { TrafficEntry } from '#api/control/traffic.ts';
import { contains, failedAt, issued, isTokenRequest, passed, readCharacter } from '#evidence/exchanges.ts';
import type { Lesson } from '../lesson.ts';
import type { Context } from '../evaluation/condition.ts';

/** A token request that led to a token which is bound to the key of its proof. */
const gotBound = (entry: TrafficEntry) =>
	isTokenRequest(entry, 'client_credentials') &&
	issued(entry, 'access_token') !== undefined &&
	passed(entry, 'dpop.not_replayed');

/** Whether a request contains a bound token that was issued before. */
const hasBound = (entry: TrafficEntry, { before }: Context) =>
	before.some((one) => gotBound(one) && contains(entry, issued(one, 'access_token')?.id ?? ''));

const isReplay = (entry: TrafficEntry) => entry.endpoint === 'character' && failedAt(entry, 'dpop.not_replayed');

/** A request with the token, from a sender that does not prove to have its key. */
const isWithoutKey = (entry: TrafficEntry) =>
	['dpop.proof_sent', 'access_token.scheme_fits', 'access_token.key_proven'].some((id) => failedAt(entry, id));

const called = { from: 'application', to: 'resource', label: 'GET character · proof' } as const;

export const lesson: Lesson = {
	stage: {
		intro: [
			'The resource server accepts an access token from any sender. A token in a log file, a proxy or a backup is worth as much as the original.',
			'With DPoP a client signs a small proof for each request. The private key stays with the client, and the token is bound to it. In this lesson a service of Character Viewer gets such a token with its client secret. Then you are a thief who copied it all.'
		],
		terms: ['access token', 'client secret'],
		able: [
			'say what a DPoP proof contains, and what signs it',
			'explain why a copied request is rejected',
			'tell what a stolen token is still good for'
		],
		known: [
			{
				from: 'application',
				to: 'authorization',
				label: 'POST token · proof',
				reply: '200 access token, bound'
			},
			{ from: 'thief', to: 'resource', label: 'GET character · same token, same proof' }
		],
		predictionTitle: 'A copied request',
		steps: [
			{
				title: 'Get a bound token',
				text: 'Select **Send request**. The page signs a new proof and sends it in the header `DPoP`.',
				tools: [{ kind: 'request', request: 'client_credentials', sets: { DPoP: 'new' }, marks: 'DPoP' }],
				condition: 'token_bound',
				expected: [{ from: 'application', to: 'authorization', label: 'POST token · proof' }]
			},
			{
				title: 'Use it with a new proof',
				text: 'Select **Send request**. This proof is for this method, this address and this token.',
				tools: [{ kind: 'request', request: 'character', sets: { DPoP: 'new' }, marks: 'DPoP' }],
				condition: 'used',
				expected: [called]
			},
			{
				title: 'Replay the whole request',
				text: 'Select **Send request**. The thief sends the same token and the same proof once more.',
				tools: [{ kind: 'request', request: 'character', sets: { DPoP: 'again' }, marks: 'DPoP', sender: 'thief' }],
				condition: 'replayed',
				expected: [{ ...called, from: 'thief', label: 'GET character · same proof' }]
			},
			{
				title: 'Use the token without the key',
				text: 'Select **Send request**. The thief has the token, and cannot sign a proof.',
				tools: [{ kind: 'request', request: 'character', marks: 'Authorization', sender: 'thief' }],
				condition: 'without_key',
				expected: [{ ...called, from: 'thief', label: 'GET character · no proof' }]
			}
		],
		isThief: (entry) => entry.endpoint === 'character' && (isReplay(entry) || isWithoutKey(entry)),
		result: 'The copy was rejected',
		question: {
			title: 'Where was it bound?',
			text: 'The service knows the key that belongs to the token. Select the request that named it.',
			solution: { condition: 'token_bound', part: 'request' },
			right: 'The proof of the token request has the public key. The service bound the new token to it.',
			wrong: 'The token was bound already when this was sent. Look for the request that the token came from.'
		},
		learnt: {
			title: 'A new proof for each request',
			text: 'A proof names one method, one address, one time and, by its hash, one token. It works once. Keep the private key where it cannot be read, and sign again for every request, also for a retry.',
			code: "const proof = await sign({ jti: randomText(), htm: 'GET', htu: url, iat, ath });\nawait fetch(url, { headers: { authorization: `DPoP ${token}`, DPoP: proof } });"
		}
	},
	start: { settings: { dialect: 'standard' } },
	prediction: {
		question: 'A thief copied a request with its token and its proof, and sends it again at once. What comes back?',
		shownBy: 'replayed',
		shows: 'body error',
		options: [
			{
				text: 'The character: the signature is still valid',
				implies: ['200 OK', '{"name":"Mara Vell",…}'],
				feedback: 'The signature was valid, and the service also remembers which proofs it has seen.'
			},
			{
				text: 'invalid_dpop_proof: a proof works once',
				implies: ['401 Unauthorized', '"error":"invalid_dpop_proof"'],
				feedback: 'The identifier of the proof was seen before, so the copy is rejected.',
				isRight: true
			},
			{
				text: 'invalid_token: the token was revoked',
				implies: ['401 Unauthorized', '"error":"invalid_token"'],
				feedback: 'The token stays valid for its owner, who signs a new proof.'
			},
			{
				text: 'invalid_client: the thief has no client secret',
				implies: ['401 Unauthorized', '"error":"invalid_client"'],
				feedback: 'Requests for a resource contain no client secret. Only the token and the proof count.'
			}
		]
	},
	attempts: 'all',
	conditions: [
		{
			id: 'token_bound',
			label: 'A token was bound to a key',
			unmet: 'No token is bound to a key yet. Send the token request with a proof.',
			shows: gotBound
		},
		{
			id: 'used',
			label: 'The token was used with a new proof',
			unmet: 'The bound token was not used. Read a character with it and a new proof.',
			shows: (entry, context) => readCharacter(entry) && passed(entry, 'dpop.not_replayed') && hasBound(entry, context)
		},
		{
			id: 'replayed',
			label: 'A copied request was rejected',
			unmet: 'The same proof was not sent again. Send the whole request once more.',
			shows: (entry, context) => isReplay(entry) && hasBound(entry, context)
		},
		{
			id: 'without_key',
			label: 'The stolen token was rejected without its key',
			unmet: 'The stolen token was not sent alone. Send it without a proof.',
			shows: (entry, context) => entry.endpoint === 'character' && isWithoutKey(entry) && hasBound(entry, context)
		}
	],
	explanation:
		'A proof is signed for one request: its method, its address, its time and its token. The service remembers the proofs that it has seen and compares their key with that of the token. So a copied request and a stolen token are worth nothing. A thief who can use the key still can sign.',
	sections: ['RFC 9449 §4.2', 'RFC 9449 §7.1', 'RFC 9449 §11.1'],
	help: {
		hint: 'The value new of the header DPoP means a proof that is signed when the request is sent, and again for the last one.',
		call: '{curl} -i \'{base_url}/ws/v2.0/character/Mara%20Vell\' -H "Authorization: DPoP $ACCESS_TOKEN" -H "DPoP: $PROOF"'
	},
	ownClient: {
		steps: [
			'Create a key pair, and get a token with a proof of it.',
			'Read a character with a new proof. Send the same request again.',
			'Send the token without a proof.'
		],
		code: "import * as DPoP from 'dpop';\nconst keys = await DPoP.generateKeyPair('ES256');\nconst proof = await DPoP.generateProof(keys, url, 'GET', undefined, accessToken);\nawait fetch(url, { headers: { authorization: `DPoP ${accessToken}`, DPoP: proof } });"
	},
	notes: {
		discuss: 6,
		watch: 'The proof is in the memory of the page only. Groups that reload the page must send a new proof first.',
		mistakes: [
			{
				belief: 'DPoP encrypts the token.',
				reply: 'The token is sent as before. The proof shows that the sender has the private key.'
			},
			{
				belief: 'One proof can serve until it expires.',
				reply: 'A proof is for one request. A retry needs a new one.'
			}
		],
		questions: [
			{
				question: 'Who can still misuse a bound token?',
				listenFor:
					'A program that runs beside the key, such as a script in the same page. It can sign, and cannot take the key.'
			},
			{
				question: 'What does the service need for this?',
				listenFor: 'A memory of the proofs of some minutes that all of its servers share, or nonces.'
			}
		]
	}
};
