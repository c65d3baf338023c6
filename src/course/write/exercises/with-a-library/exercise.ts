import { passed } from '#evidence/exchanges.ts';
import { queryParameter, valueOf } from '#evidence/facts.ts';
import { randomText } from '#client/oauth/authorization-request.ts';
import type { Exercise } from '../../exercise.ts';
import { rejects, signInWithForeignCode } from '../attacks.ts';
import { failedBy, gotToken, judgeBy, kindIn, metBy, nearMissesOf, rejectedBy, rejections } from '../judgments.ts';
import { anError, character, signedIn } from '../results.ts';
import solution from './solution.ts.txt?raw';
import start from './start.ts.txt?raw';

/** Sign-ins further apart than this are those of two browsers, for the rules. In milliseconds. */
const otherBrowser = 11 * 60_000;

export const exercise: Exercise = {
	text: 'You know what happens now, so a library can do it. Write `signIn()` with `oauth4webapi`: about 15 lines. The service speaks the dialect of today’s standards here, so PKCE is required and tokens are of the type `Bearer`.',
	start,
	solution,
	differences: [
		{
			title: 'Validates the response',
			text: 'One function compares the state and looks for errors, as you did by hand.',
			at: /validateAuthResponse/
		},
		{
			title: 'Validates the tokens',
			text: 'A `200` without an access token becomes an error.',
			at: /processAuthorizationCodeResponse/
		}
	],
	writesAt: /^export async function signIn/,
	preset: { settings: { dialect: 'standard' } },
	async use(run) {
		run.step('sign_in');
		const result = await run.call('signIn', signedIn);
		if (result.error !== undefined) return;
		run.step('read');
		await run.call('getCharacter', character('Half/Life'), 'Half/Life');
		const otherState = (response: URLSearchParams) => response.set('state', randomText());
		await signInWithForeignCode(run, 'wrong_state', 'wrong_state', otherState, anError);
		run.step('again');
		run.clock.advance(otherBrowser);
		await run.call('signIn', signedIn);
		run.step('third');
		await run.call('signIn', signedIn);
	},
	result: 'Right responses sign in, and the character is returned',
	conditions: [
		{
			id: 'request',
			title: 'The request has a state and a challenge',
			judge: ({ run }) =>
				judgeBy(
					run.authorizations,
					[
						{
							shownBy: rejectedBy('auth.code_challenge_is_s256'),
							title: 'no challenge of the method S256',
							text: 'Today’s standards require PKCE. The service rejects a request without a challenge, or with a plain one.'
						},
						{
							shownBy: ({ entry, ok }) => ok && valueOf(entry, 'state') === undefined,
							title: 'no state',
							text: 'The library compares the state of the response with the one that you expect. The request sent none.'
						},
						...rejections
					],
					({ ok }) => ok
				)
		},
		{
			id: 'token',
			title: 'The library gets an access token',
			needs: 'request',
			judge: (evidence) => {
				const sent = kindIn(evidence, 'sign_in', 'exchange', 'other_token_request');
				const [request] = kindIn(evidence, 'sign_in', 'authorization');
				if (sent.length === 0)
					return evidence.step('sign_in')?.isOver === true && request !== undefined
						? failedBy(
								[request],
								'no token request',
								'The browser came back with a code, and your client did not send it. The console shows what was thrown.'
							)
						: 'open';
				return judgeBy(
					sent,
					[
						{
							shownBy: rejectedBy('token.client_authenticated'),
							title: 'a client that is not authenticated',
							text: 'This client is registered with a secret. The check below says what the request had.'
						},
						{
							shownBy: rejectedBy('token.code_verifier_matches'),
							title: 'another verifier',
							text: 'The verifier does not belong to the challenge of the request. Each sign-in needs one pair.'
						},
						{
							shownBy: rejectedBy('token.redirect_uri_matches'),
							title: 'another redirect URI',
							text: 'It differs from that of the authorization request.'
						},
						...rejections
					],
					gotToken
				);
			}
		},
		rejects({ id: 'state', title: 'A response of another sign-in is rejected', needs: 'token' }, 'wrong_state', {
			title: 'a state that was not compared',
			text: 'The response had the code of player-three and another state. Your client sent the code.'
		}),
		{
			id: 'fresh',
			title: 'Each sign-in has its own values',
			needs: 'token',
			judge(evidence) {
				const requests = [
					...kindIn(evidence, 'sign_in', 'authorization'),
					...kindIn(evidence, 'again', 'authorization')
				];
				if (evidence.step('again')?.isOver !== true) return 'open';
				const values = (read: (typeof requests)[number]) => [
					valueOf(read.entry, 'state')?.id,
					queryParameter(read.entry, 'code_challenge')
				];
				const [first = [], ...others] = requests.map(values);
				if (others.some((other) => other.some((value, at) => value === first[at])))
					return failedBy(requests, 'the same values again', 'Two sign-ins had the same state or challenge.');
				return requests.length < 2 ? 'open' : metBy(requests);
			}
		},
		{
			id: 'read',
			title: 'A character is read',
			needs: 'token',
			judge: (evidence) =>
				judgeBy(
					kindIn(evidence, 'read', 'call'),
					rejections,
					({ entry, ok }) => ok && passed(entry, 'access_token.known')
				)
		}
	],
	rules: [
		'request.protected',
		'request.state_fresh',
		'request.challenge_fresh',
		'callback.foreign_code',
		'exchange.once',
		'exchange.form'
	],
	nearMisses: nearMissesOf(solution, [
		['no challenge', 'request', ["\n    code_challenge: challenge,\n    code_challenge_method: 'S256'\n", '\n']],
		['no secret', 'token', ['oauth.ClientSecretPost(config.secret)', 'oauth.None()']],
		[
			'another verifier',
			'token',
			['config.redirectUri, verifier\n', 'config.redirectUri, oauth.generateRandomCodeVerifier()\n']
		],
		[
			'the response is not validated',
			'token',
			['oauth.validateAuthResponse(\n    server, client, callback, state\n  )', 'callback.searchParams']
		],
		[
			'the state is skipped',
			'state',
			['server, client, callback, state', 'server, client, callback, oauth.skipStateCheck']
		],
		[
			'the values are made once',
			'fresh',
			['  const state = oauth.generateRandomState();\n  const verifier = oauth.generateRandomCodeVerifier();\n', ''],
			[
				'const client = {',
				'const state = oauth.generateRandomState();\nconst verifier = oauth.generateRandomCodeVerifier();\nconst client = {'
			]
		]
	]),
	hints: [
		'The library has one function for each step: `generateRandomState()`, `generateRandomCodeVerifier()` and `calculatePKCECodeChallenge()` for the request, `validateAuthResponse()` for the response.',
		'`validateAuthResponse(server, client, callback, state)` returns the parameters. Pass them on to `authorizationCodeGrantRequest(server, client, ClientSecretPost(config.secret), params, config.redirectUri, verifier)`.',
		"`processAuthorizationCodeResponse(server, client, response)` returns the tokens. Store them with `storage.set('tokens', …)`."
	]
};
