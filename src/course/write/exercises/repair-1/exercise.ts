import { checkOf, failedAt } from '#evidence/exchanges.ts';
import type { Exercise } from '../../exercise.ts';
import { withGiven } from '../given-parts.ts';
import {
	changed,
	failedBy,
	gotToken,
	judgeBy,
	kindIn,
	metBy,
	nearMissesOf,
	rejectedBy,
	rejections,
	signsIn
} from '../judgments.ts';
import { signedIn } from '../results.ts';
import own from './solution.ts.txt?raw';

const solution = withGiven(own, 'request', 'checkResponse');
const code = '      code,\n';

/** How a code arrived, by the cause of the check. */
const changes: Readonly<Record<string, { readonly title: string; readonly text: string }>> = {
	plus_as_space: {
		title: 'a plus sign became a space',
		text: 'The code contains a plus sign. In a form, this sign means a space, and the service read one.'
	},
	decoded_twice: {
		title: 'a code that was decoded twice',
		text: 'A percent sign in the code looked like an encoded byte. The code was decoded already when your client decoded it.'
	},
	not_decoded: {
		title: 'a code that was encoded twice',
		text: 'The service decoded it once, and got a code with percent signs that it never issued.'
	},
	cut: {
		title: 'a code without its end',
		text: 'The service got the beginning of the code only. The code contains signs that separate values in a form.'
	},
	changed: {
		title: 'another code',
		text: 'The code begins like the one that was issued, and goes on in another way.'
	}
};

export const exercise: Exercise = {
	text: 'This client signs users in. Once in a while the service responds with `invalid_grant`, and the next try works. Find out what differs, and repair `exchange()`.',
	start: changed(solution, [code, '      code: decodeURIComponent(code),\n']),
	solution,
	differences: [
		{
			title: 'Leaves the code as it is',
			text: '`searchParams` decodes, and the form encodes. What is done twice changes some codes.',
			at: /^ {6}code,$/
		}
	],
	writesAt: /^async function exchange/,
	async use(run) {
		run.step('sign_in');
		const result = await run.call('signIn', signedIn);
		if (result.error !== undefined) return;
		run.step('hard', { probe: 'hard_code' });
		await run.api.request('POST /control/faults', { body: { endpoint: 'auth', kind: 'hard_code', times: null } });
		await run.call('signIn', signedIn);
		run.step('over');
	},
	result: 'Both sign-ins end with tokens kept',
	conditions: [
		signsIn('A usual code is exchanged'),
		{
			id: 'form',
			title: 'The token request is still a form',
			needs: 'signs_in',
			judge: (evidence) =>
				judgeBy(
					kindIn(evidence, 'hard', 'exchange', 'other_token_request'),
					[
						{
							shownBy: rejectedBy('token.form_is_valid'),
							title: 'no form any more',
							text: 'The token endpoint could not read the body. It stopped before it looked at the code.'
						}
					],
					({ entry }) => !failedAt(entry, 'token.form_is_valid')
				)
		},
		{
			id: 'unchanged',
			title: 'A code of other characters arrives unchanged',
			needs: 'form',
			judge(evidence) {
				const sent = kindIn(evidence, 'hard', 'exchange');
				// Tries until one works are judged below.
				if (sent.some(gotToken)) return metBy(sent.filter(gotToken));
				for (const one of sent) {
					const change = changes[checkOf(one.entry, 'token.code_known')?.cause ?? ''];
					if (change !== undefined) return failedBy([one], change.title, change.text);
				}
				return judgeBy(sent, rejections, gotToken);
			}
		},
		{
			id: 'once',
			title: 'One token request is enough',
			needs: 'form',
			judge(evidence) {
				const sent = kindIn(evidence, 'hard', 'exchange');
				if (sent.length > 1 && sent[0]?.ok === true)
					return failedBy(
						sent,
						'the code is sent again',
						'The first request was accepted, and your client sent another one.'
					);
				if (sent.length > 1)
					return failedBy(
						sent,
						'tries until one works',
						'The first request was rejected, so your client sent others. Each wrong code can end the access of a user.'
					);
				return evidence.step('over') === undefined ? 'open' : metBy(sent);
			}
		}
	],
	rules: ['callback.hard_code', 'exchange.form', 'exchange.once', 'exchange.in_body'],
	nearMisses: nearMissesOf(solution, [
		['the code is encoded twice', 'unchanged', [code, '      code: encodeURIComponent(code),\n']],
		['another way to decode', 'unchanged', [code, '      code: unescape(code),\n']],
		['a space for each plus sign', 'unchanged', [code, "      code: code.replaceAll('+', ' '),\n"]],
		[
			'a body by hand',
			'form',
			[
				'body: new URLSearchParams({',
				"headers: { 'Content-Type': 'application/x-www-form-urlencoded' },\n    body: Object.entries({"
			],
			['code_verifier: verifier\n    })\n', "code_verifier: verifier\n    }).map((pair) => pair.join('=')).join('&')\n"]
		],
		[
			'tries until one works',
			'once',
			[
				'await exchange(code, verifier));',
				'await exchange(encodeURIComponent(code), verifier).catch(() => exchange(code, verifier)));'
			]
		]
	]),
	hints: [
		'Compare the code in the callback with the code in the token request. Select both rows in the list of what the service saw.',
		'The characters `+`, `%`, `&` and `=` have a meaning in a form. A value that contains them is encoded once and decoded once. Count both for the code.',
		'`searchParams.get()` decodes, and `URLSearchParams` encodes. Write `code` in the form, without `decodeURIComponent()`.'
	]
};
