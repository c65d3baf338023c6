import type { Exercise } from '../../exercise.ts';
import { withGiven } from '../given-parts.ts';
import { changed, failedBy, gotToken, kindIn, metBy, signsIn } from '../judgments.ts';
import { character, signedIn } from '../results.ts';
import { forgets, revokes, signOutAndRead } from '../sign-out/exercise.ts';
import own from './solution.ts.txt?raw';

const solution = withGiven(own, 'getCharacter', 'request', 'checkResponse', 'exchange');
const keeps = "  const known = await storage.get('tokens');\n  await storage.set('tokens', { ...known, ...tokens });";

const name = 'Mara Vell';

export const exercise: Exercise = {
	text: 'This client signs users out, and the service ends its access. For users who signed in twice, the access stays in their account. Repair the client.',
	start: changed(solution, [keeps, "  await storage.set('tokens', tokens);"]),
	solution,
	differences: [
		{
			title: 'Keeps the older refresh token',
			text: 'A second sign-in may come without one. The first one is what ends the access later.',
			at: /\.\.\.known, \.\.\.tokens/
		}
	],
	writesAt: /^export async function signIn/,
	async use(run) {
		run.step('first');
		const result = await run.call('signIn', signedIn);
		if (result.error !== undefined) return;
		await run.call('getCharacter', character(name), name);
		run.step('sign_in');
		await run.call('signIn', signedIn);
		await run.call('getCharacter', character(name), name);
		await signOutAndRead(run);
		run.step('again');
		await run.call('signIn', signedIn);
		await run.call('getCharacter', character(name), name);
		run.step('over');
	},
	result: 'Each sign-in works, and the sign-out forgets',
	conditions: [
		signsIn('The first sign-in works', 'first'),
		{
			id: 'second',
			title: 'The second sign-in works',
			needs: 'signs_in',
			judge(evidence) {
				const exchanges = kindIn(evidence, 'sign_in', 'exchange');
				const calls = kindIn(evidence, 'sign_in', 'call');
				if (evidence.step('sign_out') === undefined) return 'open';
				if (exchanges.some(gotToken) && calls.some(({ ok }) => ok)) return metBy(exchanges);
				if (exchanges.some(gotToken))
					return failedBy(
						calls,
						'a token that is not used',
						'The second sign-in got an access token, and no call with it was accepted.'
					);
				return failedBy(
					[...kindIn(evidence, 'first', 'exchange'), ...exchanges, ...calls].slice(-1),
					'no second sign-in',
					'The user signed in again, and your client got no access token for it.'
				);
			}
		},
		{ ...revokes, needs: 'second' },
		forgets,
		{
			id: 'again',
			title: 'The user can come back',
			needs: 'forgotten',
			judge(evidence) {
				const calls = kindIn(evidence, 'again', 'call');
				if (calls.some(({ ok }) => ok)) return metBy(calls);
				if (evidence.step('over') === undefined) return 'open';
				return failedBy(
					[...kindIn(evidence, 'again', 'authorization', 'exchange', 'call')].slice(-1),
					'no way back',
					'The user signed in after the sign-out, and no call was accepted.'
				);
			}
		}
	],
	rules: ['signout.revoke', 'signout.no_use_after', 'token.keep_at_second_sign_in'],
	nearMisses: [
		{
			name: 'the access token in its place',
			condition: 'revoked',
			program: changed(
				solution,
				[keeps, "  await storage.set('tokens', tokens);"],
				['  if (!tokens?.refresh_token) return;\n', ''],
				['token: tokens.refresh_token,', 'token: tokens.refresh_token ?? tokens.access_token,']
			)
		},
		{
			name: 'the old tokens stay',
			condition: 'second',
			program: changed(
				solution,
				[keeps, "  if (!(await storage.get('tokens'))) await storage.set('tokens', tokens);"],
				[
					'  const { url, state, verifier } = await request();',
					"  if (await storage.get('tokens')) return;\n  const { url, state, verifier } = await request();"
				]
			)
		},
		{
			name: 'a copy that is not deleted',
			condition: 'forgotten',
			program: changed(
				solution,
				[
					keeps,
					"  const known = await storage.get('tokens');\n  await storage.set('tokens', { ...known, ...tokens });\n  await storage.set('backup', { ...known, ...tokens });"
				],
				[
					"async function getCharacter(name: string) {\n  const tokens = await storage.get('tokens');",
					"async function getCharacter(name: string) {\n  const tokens = (await storage.get('tokens')) ?? (await storage.get('backup'));"
				]
			)
		},
		{
			name: 'the order of the tokens is reversed',
			condition: 'again',
			program: changed(
				solution,
				[keeps, "  known = { ...tokens, ...known };\n  await storage.set('tokens', known);"],
				['export async function signIn', 'let known = {};\n\nexport async function signIn']
			)
		}
	],
	hints: [
		'Compare the two token responses of the same user in the list of what the service saw. One of them has a refresh token.',
		'The service issues a refresh token with the first access only. The second response replaces it in the storage with nothing.',
		"Keep what the response does not have: `const known = await storage.get('tokens');`, then store `{ ...known, ...tokens }`."
	]
};
