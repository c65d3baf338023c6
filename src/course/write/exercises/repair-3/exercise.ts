import type { Exercise } from '../../exercise.ts';
import { withGiven } from '../given-parts.ts';
import { changed, nearMissesOf, signsIn } from '../judgments.ts';
import {
	endTokenTwice,
	isRefreshed,
	keepsRefreshToken,
	repeats,
	sharesRefresh,
	usesValidToken
} from '../refresh-once/exercise.ts';
import own from './solution.ts.txt?raw';

const solution = withGiven(own, 'send', 'signIn', 'request', 'checkResponse', 'exchange');
const lock = `  if (!refreshing) {
    refreshing = refresh().finally(() => (refreshing = undefined));
  }
  await refreshing;`;

export const exercise: Exercise = {
	text: 'This client reads characters and refreshes its token. With one call at a time, all is well. Its operator sees more token requests than there should be. Repair `refreshOnce()`.',
	start: changed(
		solution,
		[
			lock,
			"  if (!refreshing) {\n    const tokens = await storage.get('tokens');\n    refreshing = refresh(tokens).finally(() => (refreshing = undefined));\n  }\n  await refreshing;"
		],
		[
			"async function refresh() {\n  const tokens = await storage.get('tokens');\n",
			'async function refresh(tokens: { refresh_token: string }) {\n'
		]
	),
	solution,
	differences: [
		{
			title: 'Decides without a pause',
			text: 'Nothing is awaited between the test and the assignment, so no second call comes between them.',
			at: /refreshing = refresh\(\)\.finally/
		}
	],
	writesAt: /^async function refreshOnce/,
	use: endTokenTwice,
	result: 'Each call returns its character',
	conditions: [
		signsIn('The client has tokens'),
		usesValidToken,
		isRefreshed,
		sharesRefresh,
		repeats,
		keepsRefreshToken
	],
	rules: ['token.refresh_when_due', 'token.one_refresh', 'token.keep_refresh_token', 'token.refresh_at_expiry'],
	nearMisses: nearMissesOf(solution, [
		[
			'the others do not wait',
			'repeated',
			[
				lock,
				'  if (refreshing) return;\n  refreshing = refresh().finally(() => (refreshing = undefined));\n  await refreshing;'
			]
		],
		['the lock is never released', 'kept', ['.finally(() => (refreshing = undefined))', '']],
		[
			'the lock is released at once',
			'one',
			[lock, '  refreshing ??= refresh();\n  const running = refreshing;\n  refreshing = undefined;\n  await running;']
		],
		[
			'a pause before the refresh',
			'one',
			[
				'  if (!refreshing) {\n',
				'  if (!refreshing) {\n    await new Promise((resolve) => setTimeout(resolve, 500));\n'
			]
		]
	]),
	hints: [
		'Five calls get `401` at the same time. Follow each of them up to the line that sets `refreshing`.',
		'At each `await`, the other calls go on. Between the question whether a refresh runs and the moment it starts, there must be none.',
		'Start the refresh in the same line: `refreshing ??= refresh().finally(() => (refreshing = undefined));`. Read the tokens inside of `refresh()`.'
	]
};
