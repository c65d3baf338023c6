import { failedAt, passed } from '#evidence/exchanges.ts';
import { queryParameter, requestHeader, type Facts } from '#evidence/facts.ts';
import type { Exercise } from '../../exercise.ts';
import { withGiven } from '../given-parts.ts';
import { judgeBy, metBy, nearMissesOf, objectSent, rejectedBy, rejections, signsIn } from '../judgments.ts';
import { character, signedIn } from '../results.ts';
import own from './solution.ts.txt?raw';
import start from './start.ts.txt?raw';

const solution = withGiven(own, 'signIn', 'request', 'checkResponse', 'exchange');
const header = 'headers: { Authorization: `OAuth ${access_token}` }';
const names = ['Mara Vell', 'Half/Life', '100% Orc'];

const hasTokenInUrl = ({ entry }: Facts) =>
	queryParameter(entry, 'access_token') !== undefined ||
	entry.references.some(
		({ pointer, value }) =>
			pointer === '/request/target' && entry.values[value]?.label.startsWith('access token') === true
	);
const lastSegment = ({ entry }: Facts) => /[^/?]*(?=\?|$)/.exec(entry.request.target)?.[0] ?? '';

export const exercise: Exercise = {
	text: 'The tokens are in `storage` under `tokens`. Write `getCharacter()`: read the character at `config.characterUrl` with the access token, and return it. Names can contain any character, such as those of `Half/Life` and `100% Orc`.',
	start: withGiven(start, 'signIn', 'request', 'checkResponse', 'exchange'),
	solution,
	differences: [
		{
			title: 'Encodes the name',
			text: 'A name with `/` or `%` stays one part of the path.',
			at: /encodeURIComponent/
		},
		{
			title: 'Expects a success',
			text: 'The body of an error is not a character.',
			at: /!response\.ok/
		}
	],
	writesAt: /^export async function getCharacter/,
	async use(run) {
		run.step('sign_in');
		await run.call('signIn', signedIn);
		run.step('read');
		for (const name of names) await run.call('getCharacter', character(name), name);
	},
	result: 'Each call returns its character',
	conditions: [
		signsIn('The client has an access token'),
		{
			id: 'header',
			title: 'The token is in the Authorization header',
			judge: ({ run }) =>
				judgeBy(
					run.calls,
					[
						{
							shownBy: hasTokenInUrl,
							title: 'the token in the URL',
							text: 'The service reads it there, and so does everyone with the URL: the history, a log, a proxy.'
						},
						{
							shownBy: ({ entry }) => requestHeader(entry, 'authorization') === undefined,
							title: 'a call without a token',
							text: 'The service cannot tell for which user the character is read. The token stayed in the storage.'
						}
					],
					({ entry }) => requestHeader(entry, 'authorization') !== undefined
				)
		},
		{
			id: 'accepted',
			title: 'The service accepts the token',
			needs: 'header',
			judge: ({ run }) =>
				judgeBy(
					run.calls,
					[
						objectSent,
						{
							shownBy: rejectedBy('access_token.known', 'literal_nothing'),
							title: 'the text of nothing',
							text: 'The header contains a word such as undefined in place of the token. A variable was empty when it became text.'
						},
						{
							shownBy: ({ entry, status }) =>
								status === 401 && !/^OAuth /i.test(requestHeader(entry, 'authorization') ?? ''),
							title: 'another scheme',
							text: 'The token is right. The service read the word before it, and knows no tokens of this kind.'
						},
						...rejections.map((one) => ({
							...one,
							shownBy: (facts: Facts) => (facts.status === 401 || facts.status === 403) && one.shownBy(facts)
						}))
					],
					({ entry }) => passed(entry, 'access_token.known') || passed(entry, 'access_token.not_revoked')
				)
		},
		{
			id: 'name',
			title: 'Names are encoded once',
			needs: 'accepted',
			judge: ({ run }) => {
				const special = run.calls.filter((call) => lastSegment(call) !== 'Mara%20Vell');
				return judgeBy(
					special,
					[
						{
							shownBy: ({ status, entry }) => status === 404 && /%25(?:20|2F|25)/i.test(entry.request.target),
							title: 'a name that is encoded twice',
							text: 'The service decoded the name once, and looked for a character with percent signs in its name.'
						},
						{
							shownBy: ({ entry, status }) => failedAt(entry, 'character.name_valid') || status === 404,
							title: 'a name that is part of the path',
							text: 'A slash begins the next part of a path, and a percent sign begins an encoded byte. The name arrived as another one.'
						}
					],
					({ ok, entry }) => ok && entry.request.target.includes('%')
				);
			}
		},
		{
			id: 'read',
			title: 'Three characters are read',
			needs: 'name',
			judge({ run }) {
				const read = run.calls.filter(({ ok, entry }) => ok && entry.endpoint === 'character');
				const targets = new Set(read.map(({ entry }) => entry.request.target));
				return targets.size < names.length ? 'open' : metBy(read);
			}
		}
	],
	rules: ['call.header', 'call.name_encoded', 'call.right_credential', 'call.no_secret', 'exchange.real_values'],
	nearMisses: nearMissesOf(solution, [
		[
			'the token in the URL',
			'header',
			['encodeURIComponent(name);', 'encodeURIComponent(name) + `?access_token=${access_token}`;'],
			[header, '']
		],
		['the scheme Bearer', 'accepted', ['`OAuth ${', '`Bearer ${']],
		['a wrong property', 'accepted', ['const { access_token } =', 'const { token: access_token } =']],
		['a name that is not encoded', 'name', ['encodeURIComponent(name)', 'name']],
		['encodeURI', 'name', ['encodeURIComponent(name)', 'encodeURI(name)']],
		[
			'a name that is encoded twice',
			'name',
			['encodeURIComponent(name)', 'encodeURIComponent(encodeURIComponent(name))']
		]
	]),
	hints: [
		"Read the token first: `const { access_token } = await storage.get('tokens');`.",
		'The URL is `config.characterUrl + encodeURIComponent(name)`. Send it with `fetch(url, { headers })`, where the header `Authorization` is `OAuth`, a space and the token.',
		'Throw an error if `response.ok` is false. Else return `response.json()`.'
	]
};
