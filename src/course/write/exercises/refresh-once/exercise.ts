import { failedAt } from '#evidence/exchanges.ts';
import type { Facts } from '#evidence/facts.ts';
import type { Condition, Exercise, ExerciseRun } from '../../exercise.ts';
import { withGiven } from '../given-parts.ts';
import { failedBy, judgeBy, kindIn, metBy, nearMissesOf, rejectedBy, rejections, signsIn } from '../judgments.ts';
import { character, signedIn } from '../results.ts';
import own from './solution.ts.txt?raw';
import start from './start.ts.txt?raw';

const solution = withGiven(own, 'send', 'signIn', 'request', 'checkResponse', 'exchange');
const names = ['Mara Vell', "Tomas d'Arc", 'Zoë Šťastná', 'Half/Life', '100% Orc'];
const release = '.finally(() => {\n      refreshing = undefined;\n    })';
const lock = `refreshing ??= refresh()${release};\n    await refreshing;`;

/** Ends the access tokens of the client, as an operator can. */
async function endAccessTokens({ api }: ExerciseRun): Promise<void> {
	const { grants } = await api.request('GET /control/credentials');
	for (const { id } of grants.flatMap(({ access_tokens }) => access_tokens))
		await api.request('DELETE /control/credentials/{kind}/{id}', { path: { kind: 'access_tokens', id } });
}

/** How long a refresh takes, in milliseconds. Calls that do not wait for it have the old token. */
const slowRefresh = 400;

/** Signs in, and twice ends the access token before five calls at once: early, and by the clock. Before that, the token is good for five. */
export async function endTokenTwice(run: ExerciseRun): Promise<void> {
	run.step('sign_in');
	const result = await run.call('signIn', signedIn);
	if (result.error !== undefined) return;
	const read = (name: string) => run.call('getCharacter', character(name), name);
	run.step('valid');
	for (const name of names) await read(name);
	run.step('ended', { probe: 'early_end' });
	await endAccessTokens(run);
	await run.api.request('POST /control/faults', {
		body: { kind: 'delay', endpoint: 'token', delay_ms: slowRefresh, times: null }
	});
	await Promise.all(names.map(read));
	run.step('expired', { probe: 'expired' });
	run.clock.advance(2 * 3_600_000);
	await Promise.all(names.map(read));
}

const unauthorized = ({ status }: Facts) => status === 401;

/** A token that works is used again. */
export const usesValidToken: Condition = {
	id: 'due',
	title: 'A token that works is not refreshed',
	needs: 'signs_in',
	judge(evidence) {
		const refreshes = kindIn(evidence, 'valid', 'refresh', 'other_token_request', 'exchange');
		if (refreshes.length > 0)
			return failedBy(
				refreshes,
				'a refresh that nothing needed',
				'The access token was new, and no call was rejected. Your client sent a token request all the same.'
			);
		return evidence.step('valid')?.isOver === true ? metBy(kindIn(evidence, 'valid', 'call')) : 'open';
	}
};

/** A call that was rejected leads to a refresh. */
export const isRefreshed: Condition = {
	id: 'refreshed',
	title: 'An ended token is refreshed',
	needs: 'signs_in',
	judge(evidence) {
		const calls = kindIn(evidence, 'ended', 'call');
		const refreshes = kindIn(evidence, 'ended', 'refresh', 'other_token_request', 'exchange', 'authorization');
		if (refreshes.length === 0) {
			const rejectedCalls = calls.filter(unauthorized);
			// What the next step shows tells one cause from others.
			if (evidence.step('expired')?.isOver !== true || rejectedCalls.length === 0) return 'open';
			const ended = `The access token ended early, and ${rejectedCalls.length} calls got 401.`;
			return kindIn(evidence, 'expired', 'refresh').length > 0
				? failedBy(
						rejectedCalls,
						'the clock decides',
						`${ended} No refresh followed. It came later, when the token had expired.`
					)
				: failedBy(rejectedCalls, 'no refresh', `${ended} No token request followed.`);
		}
		return judgeBy(
			refreshes,
			[
				{
					shownBy: ({ kind }) => kind === 'authorization' || kind === 'exchange',
					title: 'a new sign-in',
					text: 'The user had to sign in again. No refresh token was sent before that.'
				},
				{
					shownBy: rejectedBy('token.client_authenticated', 'missing_secret'),
					title: 'a client without its secret',
					text: 'A refresh is a token request as well. It did not prove that it comes from your client.'
				},
				{
					shownBy: rejectedBy('token.grant_type_supported'),
					title: 'another grant type',
					text: 'The request does not say that it is a refresh, so the service did not look for a refresh token.'
				},
				...rejections
			],
			({ kind, ok }) => kind === 'refresh' && ok
		);
	}
};

/** Five rejected calls lead to one refresh. */
export const sharesRefresh: Condition = {
	id: 'one',
	title: 'Five calls share one refresh',
	needs: 'refreshed',
	judge(evidence) {
		const refreshes = kindIn(evidence, 'ended', 'refresh');
		if (refreshes.length > 1)
			return failedBy(
				refreshes,
				`${refreshes.length} refreshes`,
				'The calls that got 401 at the same time sent more than one refresh. Services that replace the refresh token take the second one for theft, and sign the user out.'
			);
		return evidence.step('ended')?.isOver === true ? metBy(refreshes) : 'open';
	}
};

/** Each rejected call is sent again with the new token. */
export const repeats: Condition = {
	id: 'repeated',
	title: 'Each call is repeated with the new token',
	needs: 'one',
	judge(evidence) {
		const calls = kindIn(evidence, 'ended', 'call');
		const [refresh] = kindIn(evidence, 'ended', 'refresh');
		if (refresh === undefined || evidence.step('ended')?.isOver !== true) return 'open';
		const later = calls.filter(({ entry }) => entry.seq > refresh.entry.seq);
		const old = later.filter(unauthorized);
		if (old.length > 0)
			return failedBy(
				old,
				'the old token again',
				'The refresh brought a new token. The repeated call still had the one that the service had rejected.'
			);
		const read = calls.filter(({ ok }) => ok);
		if (new Set(read.map(({ entry }) => entry.request.target)).size < names.length)
			return failedBy(
				calls.filter(unauthorized),
				'a call that is lost',
				`${names.length} calls were made at once, and ${read.length} got a character.`
			);
		return metBy(read);
	}
};

/** The refresh token works a second time. */
export const keepsRefreshToken: Condition = {
	id: 'kept',
	title: 'The next expired token is refreshed too',
	needs: 'repeated',
	judge(evidence) {
		const refreshes = kindIn(evidence, 'expired', 'refresh', 'other_token_request');
		const calls = kindIn(evidence, 'expired', 'call');
		if (evidence.step('expired')?.isOver !== true) return 'open';
		if (refreshes.length === 0)
			return failedBy(
				calls,
				'one refresh for ever',
				'The first refresh worked. Two hours later the new token had expired too, and no token request came.'
			);
		return judgeBy(
			refreshes,
			[
				{
					shownBy: ({ entry }) =>
						failedAt(entry, 'token.refresh_token_present') || failedAt(entry, 'token.refresh_token_known'),
					title: 'the refresh token is lost',
					text: 'The response of the first refresh had no refresh token, because the old one stays valid. Your client no longer had it.'
				},
				...rejections
			],
			({ ok }) => ok && calls.some((call) => call.ok)
		);
	}
};

export const exercise: Exercise = {
	text: 'Access tokens end, and the calls get `401`. The refresh token in `storage` gets a new one. Five calls find out at the same time: let them share one refresh, and repeat each of them.',
	start: withGiven(start, 'send', 'signIn', 'request', 'checkResponse', 'exchange'),
	solution,
	differences: [
		{
			title: 'Shares the promise',
			text: 'Calls that come during a refresh wait for it. A second refresh would use a token that may be used up.',
			at: /refreshing \?\?=/
		},
		{
			title: 'Ends in both cases',
			text: 'After a refresh that failed, the next call can try again.',
			at: /finally/
		},
		{
			title: 'Keeps what is not sent again',
			text: 'A response without a refresh token leaves the old one valid.',
			at: /\.\.\.tokens, \.\.\.body/
		}
	],
	writesAt: /^export async function getCharacter/,
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
	rules: [
		'token.refresh_when_due',
		'token.one_refresh',
		'token.keep_refresh_token',
		'token.refresh_at_expiry',
		'token.notice_early_end',
		'token.scope_not_widened'
	],
	nearMisses: nearMissesOf(solution, [
		[
			'the clock decides',
			'refreshed',
			[
				'let response = await send(name);\n  if (response.status === 401) {',
				'let response;\n  if (Date.now() > ends) {'
			],
			[
				'  if (!response.ok) throw new Error(String(response.status));\n  return',
				'  response ??= await send(name);\n  if (!response.ok) throw new Error(String(response.status));\n  return'
			],
			['let refreshing:', 'const ends = Date.now() + 3_920_000;\nlet refreshing:']
		],
		[
			'a refresh before each call',
			'due',
			[
				'let response = await send(name);',
				'await (refreshing ??= refresh().finally(() => (refreshing = undefined)));\n  let response = await send(name);'
			]
		],
		['a new sign-in', 'refreshed', ['= refresh().finally', '= signIn().finally']],
		['each call refreshes', 'one', [lock, 'await refresh();']],
		[
			'the lock comes too late',
			'one',
			[
				lock,
				'if (!refreshing) {\n      await new Promise((resolve) => setTimeout(resolve, 500));\n      refreshing = refresh().finally(() => (refreshing = undefined));\n    }\n    await refreshing;'
			]
		],
		[
			'the others do not wait',
			'repeated',
			[
				lock,
				"if (refreshing) throw new Error('busy');\n    refreshing = refresh().finally(() => (refreshing = undefined));\n    await refreshing;"
			]
		],
		['the new token is not stored', 'repeated', ["  await storage.set('tokens', { ...tokens, ...body });\n", '']],
		['the refresh token is lost', 'kept', ['{ ...tokens, ...body }', 'body']],
		['the lock is never released', 'kept', [release, '']]
	]),
	hints: [
		"A refresh is a token request with `grant_type: 'refresh_token'`, the `refresh_token`, `client_id` and `client_secret`. Its response has no refresh token: store `{ ...tokens, ...body }`.",
		'Keep the running refresh in a variable outside of the function: `let refreshing: Promise<void> | undefined;`. The first call starts it with `refreshing ??= refresh();`. All of them `await refreshing`.',
		'Release it at its end: `refreshing ??= refresh().finally(() => (refreshing = undefined));`. Then send the call once more: `response = await send(name);`.'
	]
};
