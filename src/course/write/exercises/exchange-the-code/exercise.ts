import { failedAt, passed } from '#evidence/exchanges.ts';
import { requestHeader, type Facts } from '#evidence/facts.ts';
import type { Exercise } from '../../exercise.ts';
import { withGiven } from '../given-parts.ts';
import {
	failedBy,
	gotToken,
	isRejection,
	judgeBy,
	kindIn,
	metBy,
	nearMissesOf,
	objectSent,
	rejectedBy,
	rejections
} from '../judgments.ts';
import { signedIn } from '../results.ts';
import own from './solution.ts.txt?raw';
import start from './start.ts.txt?raw';

const solution = withGiven(own, 'request', 'checkResponse');
const form = [
	'new URLSearchParams({\n      grant_type',
	"{ 'Content-Type': 'application/json' },\n    body: JSON.stringify({\n      grant_type"
] as const;

export const exercise: Exercise = {
	text: 'The user allowed access, and `callback` holds a code. Write `exchange()`: send the code to `config.tokenUrl` and return the tokens.',
	start: withGiven(start, 'request', 'checkResponse'),
	solution,
	differences: [
		{
			title: 'Keeps the error code',
			text: 'After `invalid_grant`, the user signs in again. A number says nothing of this.',
			at: /new Error\(tokens\.error\)/
		},
		{
			title: 'Reads the body in both cases',
			text: 'The reason of a rejection is in the body too.',
			at: /tokens = await response\.json/
		}
	],
	writesAt: /^async function exchange/,
	async use(run) {
		run.step('sign_in');
		await run.call('signIn', signedIn);
	},
	result: 'The tokens are returned and kept',
	conditions: [
		{
			id: 'form',
			title: 'The token request is a form',
			judge: ({ run, linesWith }) =>
				judgeBy(
					run.tokenRequests,
					[
						{
							shownBy: ({ entry }) => entry.request.body === '' && entry.request.target.includes('?'),
							title: 'the values in the URL',
							text: 'The body is empty, and the values are in the URL. There the code and the secret get into logs.'
						},
						{
							shownBy: ({ entry }) =>
								failedAt(entry, 'token.form_is_valid') && entry.request.body.trimStart().startsWith('{'),
							title: 'a JSON body',
							text: 'The values are there. The token endpoint reads forms only, so it found none of them.',
							lines: linesWith(/application\/json|JSON\.stringify/)
						},
						{
							shownBy: ({ entry }) =>
								failedAt(entry, 'token.form_is_valid') && /^[\w.]+=/.test(entry.request.body) && !isForm(entry),
							title: 'a form with another media type',
							text: 'The body looks like a form. Its Content-Type does not say so, and the token endpoint goes by that.'
						},
						{
							shownBy: rejectedBy('token.form_is_valid'),
							title: 'a body that is no form',
							text: 'The token endpoint reads forms only, and rejected this body. The check below says what it found.'
						},
						{
							shownBy: rejectedBy('token.method_is_post'),
							title: 'another method than POST',
							text: 'A form is in the body of a POST request. The token endpoint looked at nothing else.'
						}
					],
					({ entry }) => passed(entry, 'token.form_is_valid')
				)
		},
		{
			id: 'redirect_uri',
			title: 'It repeats the redirect URI',
			needs: 'form',
			judge: ({ run }) =>
				judgeBy(
					run.tokenRequests,
					[
						{
							shownBy: rejectedBy('token.redirect_uri_matches', 'missing_field'),
							title: 'no redirect URI',
							text: 'The browser is back, so it looks useless here. The service compares it with that of the authorization request.'
						},
						{
							shownBy: rejectedBy('token.redirect_uri_matches'),
							title: 'another redirect URI',
							text: 'It differs from that of the authorization request. The service takes that for a stolen code.'
						}
					],
					({ entry }) => passed(entry, 'token.redirect_uri_matches')
				)
		},
		{
			id: 'verifier',
			title: 'The code verifier matches',
			needs: 'redirect_uri',
			judge: ({ run }) =>
				judgeBy(
					run.tokenRequests,
					[
						{
							shownBy: rejectedBy('token.code_verifier_matches', 'missing_verifier'),
							title: 'no code verifier',
							text: 'The authorization request had a challenge. Without the verifier, anyone with the code looks like your client.'
						},
						{
							shownBy: rejectedBy('token.code_verifier_matches', 'verifier_is_challenge'),
							title: 'the challenge as the verifier',
							text: 'The service hashes what you send, and compares the result with the challenge. You sent the hash itself.'
						},
						{
							shownBy: rejectedBy('token.code_verifier_matches'),
							title: 'another verifier',
							text: 'The hash of this verifier is not the challenge of the authorization request.'
						}
					],
					({ entry }) => passed(entry, 'token.code_verifier_matches')
				)
		},
		{
			id: 'once',
			title: 'The code is sent once',
			judge(evidence) {
				const sent = kindIn(evidence, 'sign_in', 'exchange', 'other_token_request');
				if (sent.length < 2) return metBy(sent);
				const codes = sent.flatMap(({ credential }) => credential?.id ?? []);
				if (new Set(codes).size === codes.length)
					return failedBy(
						sent,
						`${sent.length} token requests`,
						'One token request exchanges a code. Your client sent others besides.'
					);
				return failedBy(
					sent,
					'the code is sent again',
					'A code works once. The service takes the second use for theft, and ends the token of the first one.'
				);
			}
		},
		{
			id: 'token',
			title: 'An access token is issued',
			needs: 'form',
			judge: ({ run }) =>
				judgeBy(
					run.tokenRequests,
					[
						{
							shownBy: rejectedBy('token.grant_type_supported'),
							title: 'another grant type',
							text: 'The request does not say that it exchanges a code, so the service did not look at it.'
						},
						{
							shownBy: rejectedBy('token.client_authenticated', 'credentials_in_header'),
							title: 'the secret in a header',
							text: 'The secret is in the header Authorization. This service reads it in the form only.'
						},
						{
							shownBy: rejectedBy('token.client_authenticated', 'missing_secret'),
							title: 'a client without its secret',
							text: 'The service knows the application, but the request does not prove that it comes from it.'
						},
						objectSent,
						{
							shownBy: rejectedBy('token.code_known', 'literal_nothing'),
							title: 'the text of nothing',
							text: 'The value of the code is a word such as undefined. A variable was empty when it became text.'
						},
						...rejections.map((one) => ({ ...one, shownBy: (facts: Facts) => isUnnamed(facts) && one.shownBy(facts) }))
					],
					gotToken
				)
		}
	],
	rules: ['exchange.once', 'exchange.redirect_uri_same', 'exchange.form', 'exchange.in_body', 'exchange.real_values'],
	nearMisses: nearMissesOf(solution, [
		['a JSON body', 'form', [`body: ${form[0]}`, `headers: ${form[1]}`]],
		[
			'the values in the URL',
			'form',
			["await fetch(config.tokenUrl, {\n    method: 'POST',\n    body: new", "await fetch(config.tokenUrl + '?' + new"],
			['code_verifier: verifier\n    })\n  });', "code_verifier: verifier\n    }), { method: 'POST' });"]
		],
		['no redirect URI', 'redirect_uri', ['code, redirect_uri: config.redirectUri,', 'code,']],
		[
			'the challenge as the verifier',
			'verifier',
			['code_verifier: verifier', 'code_verifier: await challengeOf(verifier)']
		],
		['no verifier', 'verifier', [',\n      code_verifier: verifier', '']],
		[
			'the code is sent again',
			'once',
			[
				"await storage.set('tokens', await exchange(code, verifier));",
				"if (await exchange(code, verifier)) await storage.set('tokens', await exchange(code, verifier));"
			]
		],
		['no secret', 'token', [', client_secret: config.secret', '']],
		['nothing is returned', 'result', ['  return tokens;\n', '']]
	]),
	hints: [
		"Send a `POST` request with `fetch(config.tokenUrl, { method: 'POST', body })`. If `body` is a `URLSearchParams`, the browser sends it as a form.",
		"The form needs `grant_type: 'authorization_code'`, `code`, the same `redirect_uri` as before, `client_id`, `client_secret` and `code_verifier: verifier`.",
		'Read the response with `const tokens = await response.json();`. Throw an error if `response.ok` is false, else return the tokens.'
	]
};

/** Whether a request says that its body is a form. */
const isForm = (entry: Facts['entry']) =>
	requestHeader(entry, 'content-type')?.startsWith('application/x-www-form-urlencoded') === true;

/** Whether the service rejected a request for what no other condition names. */
function isUnnamed(facts: Facts): boolean {
	const named = ['token.redirect_uri_matches', 'token.code_verifier_matches', 'token.code_not_used'];
	return isRejection(facts) && !named.some((check) => failedAt(facts.entry, check));
}
