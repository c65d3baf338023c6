import type { TrafficEntry } from '#api/control/traffic.ts';
import { checkOf, failedAt, issued, isTokenRequest, parameter, passed } from '#evidence/exchanges.ts';
import type { Context } from '../evaluation/condition.ts';
import type { Lesson } from '../lesson.ts';

const signed = 'client_assertion.not_replayed';

/** A token request that an assertion led to a token. */
const gotSigned = (entry: TrafficEntry) =>
	isTokenRequest(entry, 'client_credentials') && issued(entry, 'access_token') !== undefined && passed(entry, signed);

/** The key that an assertion names, as the log has it. */
const keyOf = (entry: TrafficEntry) => checkOf(entry, 'client_assertion.readable')?.detail;

const isOldKey = (entry: TrafficEntry, { before }: Pick<Context, 'before'>) =>
	failedAt(entry, 'client_assertion.signature_valid') &&
	before.some((one) => gotSigned(one) && keyOf(one) === keyOf(entry));

/** What only a thief sends. */
const isThief = (entry: TrafficEntry) =>
	failedAt(entry, signed) ||
	failedAt(entry, 'client_assertion.audience_matches') ||
	checkOf(entry, 'token.client_authenticated')?.cause === 'assertion_required';

const request = { kind: 'request', request: 'client_credentials', marks: 'client_assertion' } as const;
const sent = { from: 'application', to: 'authorization' } as const;
const stolen = { from: 'thief', to: 'authorization' } as const;

export const lesson: Lesson = {
	stage: {
		intro: [
			'A client secret is sent with each token request. It is also in configuration files, logs and backups, and a thief who finds it is the application.',
			'With private_key_jwt an application signs a short assertion for each request. The service knows only the public key. In this lesson Character Viewer registers a key and gets an access token. Then you are a thief who has found its secret and one of its assertions.'
		],
		terms: ['client secret', 'access token'],
		able: [
			'say what an assertion names, and how long it works',
			'compare a stolen secret with a stolen assertion',
			'replace the key of an application'
		],
		known: [
			{ ...sent, label: 'POST token · assertion', reply: '200 access token' },
			{ ...stolen, label: 'POST token · other' }
		],
		predictionTitle: 'An assertion for another server',
		steps: [
			{
				title: 'Register a key and sign',
				text: 'Select **Register key**, then **Send request**. The page signs a new assertion.',
				tools: [{ kind: 'key' }, { ...request, sets: { client_assertion: 'new' } }],
				condition: 'signed_in',
				expected: [{ ...sent, label: 'POST token · assertion' }]
			},
			{
				title: 'Send the stolen secret',
				text: 'Select **Send request**. The thief found the secret in an old configuration file.',
				tools: [{ ...request, marks: 'client_secret', sender: 'thief' }],
				condition: 'secret_rejected',
				expected: [{ ...stolen, label: 'POST token · secret' }]
			},
			{
				title: 'Replay the stolen assertion',
				text: 'Select **Send request**. The thief found the assertion of the first step in a log.',
				tools: [{ ...request, sets: { client_assertion: 'again' }, sender: 'thief' }],
				condition: 'replayed',
				expected: [{ ...stolen, label: 'POST token · copy' }]
			},
			{
				title: 'Send one for another server',
				text: 'Select **Send request**. The thief runs a server that the application also signs for, and has not used this assertion.',
				tools: [{ ...request, sets: { client_assertion: 'wrong aud' }, sender: 'thief' }],
				condition: 'other_server',
				expected: [{ ...stolen, label: 'POST token · other' }]
			},
			{
				title: 'Replace the key',
				text: 'Select **Register key**, then **Send request**. An assertion of the old key is sent.',
				tools: [{ kind: 'key' }, { ...request, sets: { client_assertion: 'old key' } }],
				condition: 'old_key_rejected',
				expected: [{ ...sent, label: 'POST token · old key' }]
			}
		],
		isThief,
		result: 'It was for another server',
		question: {
			title: 'What could the thief not make?',
			text: 'Select the request that only the owner of the private key could send.',
			solution: { condition: 'signed_in', part: 'request' },
			right: 'It has a new assertion for this server. Everything that the thief sent was a copy.',
			wrong: 'This message needs no key, or no key that is still registered. Look for the one that got a token.'
		},
		learnt: {
			title: 'Sign again for each request',
			text: 'An assertion names the application, one server, a time and an identifier, and works once. Keep `exp` a minute ahead, write the issuer of the server into `aud`, and register the next key before you remove the last one.',
			code: 'const now = Math.floor(Date.now() / 1000);\nconst client_assertion = await sign({\n  iss: client_id, sub: client_id, aud: issuer, jti: randomText(), exp: now + 60\n});'
		}
	},
	start: { settings: { dialect: 'standard' } },
	prediction: {
		question:
			'The application signed an assertion for another server. Its operator sends it here. The signature is right, and it was not used. What comes back?',
		shownBy: 'other_server',
		shows: 'body error_description',
		options: [
			{
				text: 'An access token: the signature is right',
				implies: ['200 OK', '"access_token":"…"'],
				feedback: 'A signature says who signed. The aud says for which server.'
			},
			{
				text: 'invalid_client: aud is another server',
				implies: ['401 Unauthorized', '"error_description":"aud must be …"'],
				feedback: 'Each server accepts only assertions that name it.',
				isRight: true
			},
			{
				text: 'invalid_client: no key verifies the signature',
				implies: ['401 Unauthorized', '"error_description":"No registered key …"'],
				feedback: 'The application signs with the same key for all servers, and this service knows it.'
			},
			{
				text: 'invalid_client: the assertion was used before',
				implies: ['401 Unauthorized', '"error_description":"This assertion was used …"'],
				feedback: 'This service has not seen it, and does not know what other servers have seen.'
			}
		]
	},
	attempts: 'all',
	conditions: [
		{
			id: 'signed_in',
			label: 'The application got a token with an assertion',
			unmet: 'No assertion led to a token. Register a key, then send the request.',
			shows: gotSigned,
			why: (entry) =>
				failedAt(entry, 'client_assertion.issued_by_client') || failedAt(entry, 'client_assertion.signature_valid')
					? 'The service does not know the key of this page. Select Register key, then send the request.'
					: undefined
		},
		{
			id: 'secret_rejected',
			label: 'The stolen secret was rejected',
			unmet: 'The secret was not sent. Send the token request with it.',
			shows: (entry, { before }) =>
				checkOf(entry, 'token.client_authenticated')?.cause === 'assertion_required' &&
				parameter(entry, 'client_secret') !== undefined &&
				before.some((one) => gotSigned(one) && one.client_id === parameter(entry, 'client_id'))
		},
		{
			id: 'replayed',
			label: 'The stolen assertion was rejected',
			unmet: 'The same assertion was not sent again. Send the token request with it.',
			shows: (entry) => failedAt(entry, signed)
		},
		{
			id: 'other_server',
			label: 'An assertion for another server was rejected',
			unmet: 'No assertion for another server was sent. Send the token request with one.',
			shows: (entry) => failedAt(entry, 'client_assertion.audience_matches')
		},
		{
			id: 'old_key_rejected',
			label: 'The old key was rejected',
			unmet: 'No assertion of the old key was sent. Register a new key, then send the request.',
			shows: isOldKey,
			why: (entry) =>
				failedAt(entry, 'client_assertion.signature_valid')
					? 'This key was not used in the first step. Select Register key, then send the request.'
					: undefined
		}
	],
	explanation:
		'The application with a key has no secret that counts any more. A copied assertion works at one server, once and for a short time, so it is worth little. The private key is sent nowhere. When it may be lost, a new public key replaces it, and all that the old one signed ends.',
	sections: ['RFC 7523 §2.2', 'RFC 7523 §3', 'RFC 7521 §8.2'],
	help: {
		hint: 'The value new means an assertion that is signed when the request is sent, again means the last one, and old key means the key before.',
		call: '{curl} {base_url}/ws/oauth2/token/ -d grant_type=client_credentials -d client_assertion_type=urn:ietf:params:oauth:client-assertion-type:jwt-bearer -d client_assertion=$ASSERTION'
	},
	ownClient: {
		steps: [
			'Register the public key of your program at Character Viewer, in the console, and get a token with an assertion.',
			'Send the secret, the same assertion again, and one with another `aud`.',
			'Register another key, and send an assertion of the old one.'
		],
		code: "import * as client from 'openid-client';\nconst config = await client.discovery(new URL('{base_url}'), client_id, undefined, client.PrivateKeyJwt(privateKey));\nconst tokens = await client.clientCredentialsGrant(config);"
	},
	notes: {
		discuss: 6,
		watch: 'The private key belongs to the tab. A second tab has none, and must register a new one in the first step.',
		mistakes: [
			{
				belief: 'An assertion is an access token.',
				reply: 'It says who the client is, to the authorization server only. No resource accepts it.'
			},
			{
				belief: 'A public key must be kept secret.',
				reply: 'It only verifies. Applications often publish theirs at an address, so that they can replace it.'
			}
		],
		questions: [
			{
				question: 'Where could the secrets of your applications be found today?',
				listenFor: 'Repositories, images, environment variables, proxies and error reports.'
			},
			{
				question: 'How do you replace a key without an outage?',
				listenFor: 'Register both, sign with the new one, then remove the old one.'
			}
		]
	}
};
