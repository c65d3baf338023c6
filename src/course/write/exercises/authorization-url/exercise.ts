import { failedAt } from '#evidence/exchanges.ts';
import { queryParameter, valueOf, type Facts } from '#evidence/facts.ts';
import type { Exercise } from '../../exercise.ts';
import { withGiven } from '../given-parts.ts';
import {
	failedBy,
	gotToken,
	hasSecret,
	judgeBy,
	kindIn,
	metBy,
	nearMissesOf,
	rejectedBy,
	rejections
} from '../judgments.ts';
import { signedIn } from '../results.ts';
import own from './solution.ts.txt?raw';
import start from './start.ts.txt?raw';

const signIns = 3;
/** Sign-ins further apart than this are those of two browsers, for the rules. In milliseconds. */
const otherBrowser = 11 * 60_000;
const solution = withGiven(own, 'checkResponse', 'exchange');
const stateLine = 'const state = randomText();';

const opened = ({ entry, ok }: Facts) => ok && !failedAt(entry, 'auth.redirect_uri_registered');

/** Values with fewer random bits can be guessed. */
const enoughBits = 40;

/** How many bits a character of these values has at most. */
function bitsOf(values: readonly string[]): number {
	const text = values.join('');
	return /^\d*$/.test(text) ? Math.log2(10) : /^[\da-f-]*$/i.test(text) ? 4 : 6;
}

/** What values share that follow each other, place by place, is not random. */
const differences = (one: string, other: string): number =>
	[...other].filter((sign, at) => sign !== one[at]).length + Math.max(0, one.length - other.length);

/** Whether one of the values of several sign-ins follows from the one before. @param values oldest first, all different */
function canBeGuessed(values: readonly string[]): boolean {
	return values.slice(1).some((value, at) => differences(values[at] ?? '', value) * bitsOf(values) < enoughBits);
}

/** Whether two of the values are equal. */
const hasRepeats = (values: readonly unknown[]): boolean => new Set(values).size < values.length;

export const exercise: Exercise = {
	text: 'A sign-in begins in the user’s browser, at `config.authorizationUrl`. Write `request()`: build this URL with the parameters of a request for a code. Protect it with a state and with PKCE.',
	start: withGiven(start, 'checkResponse', 'exchange'),
	solution,
	differences: [
		{
			title: 'A separate verifier',
			text: 'The state is in a URL that others can read. The verifier must not be.',
			at: /verifier = randomText/
		},
		{
			title: 'Lets the form encode',
			text: 'A scope with a space or a URI with `&` arrives as it is.',
			at: /new URLSearchParams/
		}
	],
	writesAt: /^async function request/,
	async use(run) {
		for (let count = 1; count <= signIns; count++) {
			run.step(`sign_in_${count}`);
			const result = await run.call('signIn', signedIn);
			if (result.error !== undefined && count === 1) return;
			run.clock.advance(otherBrowser);
		}
	},
	result: 'Each sign-in ends with the new token kept',
	conditions: [
		{
			id: 'redirect_uri',
			title: 'The redirect URI is the registered one',
			judge: ({ run }) =>
				judgeBy(
					run.authorizations,
					[
						{
							shownBy: ({ entry }) =>
								failedAt(entry, 'auth.redirect_uri_registered') && queryParameter(entry, 'redirect_uri') === undefined,
							title: 'no redirect URI',
							text: 'The request names no redirect_uri. The service does not guess where to send the code.'
						},
						{
							shownBy: rejectedBy('auth.redirect_uri_registered'),
							title: 'another redirect URI',
							text: 'The URI looks almost the same. The service compares each character, because the code goes there.'
						},
						{
							shownBy: rejectedBy('auth.client_known'),
							title: 'an unknown client',
							text: 'No application has this client_id, so the service knows no redirect URI for it.'
						}
					],
					({ entry }) => !failedAt(entry, 'auth.redirect_uri_registered')
				)
		},
		{
			id: 'accepted',
			title: 'The service accepts the request',
			needs: 'redirect_uri',
			judge: ({ run }) =>
				judgeBy(
					run.authorizations,
					[
						{
							shownBy: rejectedBy('auth.response_type_is_code'),
							title: 'another response type',
							text: 'The service issues codes only. The request asks for something else, or does not say what it asks for.'
						},
						{
							shownBy: rejectedBy('auth.scope_known'),
							title: 'a scope that does not exist',
							text: 'The request asks for a permission that the service does not know, or for none.'
						},
						{
							shownBy: ({ entry }) =>
								failedAt(entry, 'auth.code_challenge_is_s256') &&
								queryParameter(entry, 'code_challenge_method') !== 'S256',
							title: 'a challenge without its method',
							text: 'The challenge is a hash, and the request does not say which one. Without the method, it counts as plain.'
						},
						...rejections
					],
					opened
				)
		},
		{
			id: 'no_secret',
			title: 'No secret is in the URL',
			needs: 'redirect_uri',
			judge: ({ run }) =>
				judgeBy(
					run.authorizations,
					[
						{
							shownBy: hasSecret,
							title: 'the client secret in the URL',
							text: 'The URL is opened in the user’s browser. The user, the history and each proxy can read it there.'
						}
					],
					opened
				)
		},
		{
			id: 'state',
			title: 'Each sign-in has its own random state',
			needs: 'accepted',
			judge({ run, arrivals }) {
				const requests = run.authorizations.filter(opened);
				const without = requests.filter(({ entry }) => valueOf(entry, 'state') === undefined);
				if (without.length > 0)
					return failedBy(
						without,
						'no state',
						'The response will look like any other one. Your client cannot tell whether this user began the sign-in.'
					);
				const states = requests.map(({ entry }) => valueOf(entry, 'state'));
				if (new Set(states.map((state) => state?.id)).size < states.length)
					return failedBy(
						requests,
						'the same state again',
						'Two sign-ins had the same state. An attacker sees it in one of them, and knows that of the others.'
					);
				const sent = arrivals.map(({ url }) => url.searchParams.get('state') ?? '');
				if (states.some((state) => (state?.bits ?? 256) < 64) || canBeGuessed(sent))
					return failedBy(
						requests,
						'a state that can be guessed',
						'The state differs each time, but little of it is random. An attacker can try the likely ones.'
					);
				return requests.length < signIns ? 'open' : metBy(requests);
			}
		},
		{
			id: 'challenge',
			title: 'The challenge is the hash of the verifier',
			needs: 'accepted',
			judge: ({ run }) =>
				judgeBy(
					[...run.authorizations.filter(opened), ...run.tokenRequests],
					[
						{
							shownBy: ({ kind, entry }) =>
								kind === 'authorization' && queryParameter(entry, 'code_challenge') === undefined,
							title: 'no code challenge',
							text: 'The code is not bound to your client. The request says nothing about the verifier that the exchange sends.'
						},
						{
							shownBy: rejectedBy('token.code_verifier_matches', 'verifier_is_challenge'),
							title: 'the verifier itself as the challenge',
							text: 'The value went through the browser, where others can read it. The method S256 says that it is a hash.'
						},
						{
							shownBy: rejectedBy('token.code_verifier_matches'),
							title: 'a challenge of another verifier',
							text: 'The service hashed the verifier of the exchange, and the result was not the challenge of this request.'
						}
					],
					gotToken
				)
		},
		{
			id: 'code',
			title: 'The sign-in leads to an access token',
			needs: 'challenge',
			judge: (evidence) =>
				judgeBy(kindIn(evidence, 'sign_in_1', 'exchange', 'other_token_request'), rejections, gotToken)
		},
		{
			id: 'verifier',
			title: 'Each sign-in has its own random verifier',
			needs: 'code',
			judge({ run, verifiers, step }) {
				if (step(`sign_in_${signIns}`)?.isOver !== true) return 'open';
				if (hasRepeats(verifiers))
					return failedBy(
						run.authorizations,
						'the same verifier again',
						'Two sign-ins had the same verifier, so their challenges are equal. A verifier that leaked once fits the codes of all sign-ins.'
					);
				if (canBeGuessed(verifiers))
					return failedBy(
						run.authorizations,
						'a verifier that can be guessed',
						'The verifier differs each time, but little of it is random. An attacker can try the likely ones.'
					);
				return verifiers.length < signIns ? 'open' : metBy(run.exchanges);
			}
		}
	],
	rules: [
		'request.protected',
		'request.state_fresh',
		'request.state_random',
		'request.state_private',
		'request.state_not_verifier',
		'request.challenge_fresh',
		'request.redirect_uri_exact',
		'request.no_secret'
	],
	nearMisses: nearMissesOf(solution, [
		[
			'a slash behind the redirect URI',
			'redirect_uri',
			['redirect_uri: config.redirectUri,\n    scope', "redirect_uri: config.redirectUri + '/',\n    scope"]
		],
		[
			'the client secret in the URL',
			'no_secret',
			['client_id: config.id,\n', 'client_id: config.id,\n    client_secret: config.secret,\n']
		],
		['a constant state', 'state', [stateLine, "const state = 'my-client-sign-in';"]],
		['the time as the state', 'state', [stateLine, 'const state = String(Date.now());']],
		[
			'no state',
			'state',
			['    state,\n', ''],
			["if (response.get('state') !== state)\n    throw new Error('This response belongs to another sign-in.');", '']
		],
		[
			'no code challenge',
			'challenge',
			["    code_challenge: await challengeOf(verifier),\n    code_challenge_method: 'S256'\n", '']
		],
		['the verifier as the challenge', 'challenge', ['await challengeOf(verifier)', 'verifier']],
		[
			'a constant verifier',
			'verifier',
			['const verifier = randomText();', `const verifier = '${'my-verifier'.repeat(5)}';`]
		],
		['no method', 'accepted', [",\n    code_challenge_method: 'S256'", '']]
	]),
	hints: [
		'Begin with the values that the response and the exchange need again: `const state = randomText();` and `const verifier = randomText();`.',
		"Let `new URLSearchParams({ … })` encode the query. It needs `response_type: 'code'`, `client_id`, `redirect_uri`, `scope` and `state`, and for PKCE `code_challenge: await challengeOf(verifier)` and `code_challenge_method: 'S256'`.",
		'Write `const url = new URL(config.authorizationUrl);`, then `url.search = query.toString();`, and return `{ url: url.href, state, verifier }`.'
	]
};
