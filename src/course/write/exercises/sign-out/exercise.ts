import { endedGrants } from '#evidence/exchanges.ts';
import { queryParameter } from '#evidence/facts.ts';
import type { Condition, Evidence, Exercise, ExerciseRun } from '../../exercise.ts';
import { withGiven } from '../given-parts.ts';
import {
	failedBy,
	hasSecret,
	judgeBy,
	kindIn,
	metBy,
	nearMissesOf,
	rejectedBy,
	rejections,
	sentIn,
	signsIn
} from '../judgments.ts';
import { character, noCharacter, signedIn, signedOut } from '../results.ts';
import own from './solution.ts.txt?raw';
import start from './start.ts.txt?raw';

const solution = withGiven(own, 'getCharacter', 'signIn', 'request', 'checkResponse', 'exchange');

const name = 'Mara Vell';

/** Signs out, and uses the client once more. */
export async function signOutAndRead(run: ExerciseRun): Promise<void> {
	run.step('sign_out', { probe: 'signed_out' });
	await run.call('signOut', signedOut());
	run.step('after');
	await run.call('getCharacter', noCharacter(name), name);
}

/** What a sign-out sent to the service. */
const revocationsIn = (evidence: Evidence, step: string) =>
	sentIn(evidence, step).filter(({ entry }) => entry.endpoint === 'revoke');

/** A sign-out ends the access of the client. */
export const revokes: Condition = {
	id: 'revoked',
	title: 'The service ends the access',
	needs: 'signs_in',
	judge(evidence) {
		const sent = revocationsIn(evidence, 'sign_out');
		if (sent.length === 0)
			return evidence.step('after') === undefined
				? 'open'
				: failedBy(
						kindIn(evidence, 'sign_in', 'exchange').slice(-1),
						'no request to the service',
						'The tokens are gone in your client, and the service still accepts each copy of them.'
					);
		// Another request may follow, with a token that this one ended.
		const ending = sent.filter(({ entry }) => endedGrants(entry).length > 0);
		if (ending.length > 0) return metBy(ending);
		return judgeBy(
			sent,
			[
				{
					shownBy: rejectedBy('revoke.method_is_get'),
					title: 'another method than GET',
					text: 'The revocation endpoint of this service takes GET requests. It did not look at the token.'
				},
				{
					shownBy: ({ entry, status }) => status === 400 && queryParameter(entry, 'client_id') === undefined,
					title: 'no client',
					text: 'The request names a token and no client. The service does not revoke tokens of unknown clients.'
				},
				{
					shownBy: ({ entry, status }) =>
						status === 400 && entry.values.some(({ label }) => label.startsWith('access token')),
					title: 'the access token',
					text: 'The service revokes by the refresh token. No request sent it, so it still works and gets new access tokens.'
				},
				{
					shownBy: ({ entry, status }) =>
						status === 400 && entry.values.every(({ label }) => !label.startsWith('refresh token')),
					title: 'no token of the service',
					text: 'The value is no refresh token that the service issued.'
				},
				...rejections
			],
			({ entry }) => endedGrants(entry).length > 0
		);
	}
};

/** Nothing is sent with a token of a user who signed out. */
export const forgets: Condition = {
	id: 'forgotten',
	title: 'No token is sent after the sign-out',
	needs: 'revoked',
	judge(evidence) {
		if (evidence.step('after')?.isOver !== true) return 'open';
		const calls = kindIn(evidence, 'after', 'call', 'refresh');
		if (calls.length > 0)
			return failedBy(
				calls,
				'the tokens are still stored',
				'The access is over. Your client did not know that, and sent its token.'
			);
		return metBy(revocationsIn(evidence, 'sign_out'));
	}
};

export const exercise: Exercise = {
	text: 'The user signs out. Write `signOut()`: end the access at `config.revocationUrl`, a `GET` request with `token` and `client_id`, and forget the stored tokens, also if the service does not respond.',
	start: withGiven(start, 'getCharacter', 'signIn', 'request', 'checkResponse', 'exchange'),
	solution,
	differences: [
		{
			title: 'Forgets the tokens first',
			text: 'If the service does not respond, the user is signed out here all the same.',
			at: /storage\.delete/
		},
		{
			title: 'Ends the refresh token',
			text: 'It gets new access tokens as long as it works.',
			at: /token: tokens\.refresh_token/
		}
	],
	writesAt: /^export async function signOut/,
	async use(run) {
		run.step('sign_in');
		const result = await run.call('signIn', signedIn);
		if (result.error !== undefined) return;
		await run.call('getCharacter', character(name), name);
		await signOutAndRead(run);
		run.step('again');
		await run.call('signIn', signedIn);
		run.step('no_response');
		await run.api.request('POST /control/faults', { body: { kind: 'drop', endpoint: 'revoke', times: null } });
		await run.call('signOut', signedOut({ mayThrow: true }));
		run.step('after_no_response');
		await run.api.request('DELETE /control/faults');
		await run.call('getCharacter', noCharacter(name), name);
	},
	result: 'The tokens are forgotten',
	conditions: [
		signsIn('The client has tokens'),
		revokes,
		{
			id: 'no_secret',
			title: 'No secret is in the URL',
			needs: 'revoked',
			judge: (evidence) =>
				judgeBy(
					revocationsIn(evidence, 'sign_out'),
					[
						{
							shownBy: hasSecret,
							title: 'the client secret in the URL',
							text: 'The service did not ask for it. URLs are kept in logs, and this one has the secret in it.'
						}
					],
					({ ok }) => ok
				)
		},
		forgets,
		{
			id: 'without_response',
			title: 'It works without a response, too',
			needs: 'forgotten',
			judge(evidence) {
				if (evidence.step('after_no_response')?.isOver !== true) return 'open';
				const calls = kindIn(evidence, 'after_no_response', 'call', 'refresh');
				if (calls.length > 0)
					return failedBy(
						calls,
						'the error came first',
						'The service did not respond, and the function ended there. The user signed out, and the tokens are still in use.'
					);
				const sent = revocationsIn(evidence, 'no_response');
				return sent.length > 0
					? metBy(sent)
					: failedBy(
							kindIn(evidence, 'again', 'exchange').slice(-1),
							'no request to the service',
							'The first sign-out ended the access. The second one sent no request, so that access goes on.'
						);
			}
		}
	],
	rules: ['signout.revoke', 'signout.no_use_after'],
	nearMisses: nearMissesOf(solution, [
		['only deleted', 'revoked', ['  await fetch(`${config.revocationUrl}?${query}`);\n', '']],
		['the access token', 'revoked', ['token: tokens.refresh_token', 'token: tokens.access_token']],
		[
			'POST',
			'revoked',
			['fetch(`${config.revocationUrl}?${query}`)', "fetch(config.revocationUrl, { method: 'POST', body: query })"]
		],
		['no client', 'revoked', [',\n    client_id: config.id\n  });\n  await fetch(`', '\n  });\n  await fetch(`']],
		[
			'deleted too early',
			'revoked',
			[
				"  const tokens = await storage.get('tokens');\n  await storage.delete('tokens');\n  const query",
				"  await storage.delete('tokens');\n  const tokens = { ...(await storage.get('tokens')) };\n  const query"
			]
		],
		[
			'the secret in the URL',
			'no_secret',
			[
				'client_id: config.id\n  });\n  await fetch(`',
				'client_id: config.id,\n    client_secret: config.secret\n  });\n  await fetch(`'
			]
		],
		['not deleted', 'forgotten', ["  await storage.delete('tokens');\n", '']],
		[
			'deleted after the response',
			'without_response',
			["  await storage.delete('tokens');\n", ''],
			[
				'  await fetch(`${config.revocationUrl}?${query}`);\n',
				"  await fetch(`${config.revocationUrl}?${query}`);\n  await storage.delete('tokens');\n"
			]
		]
	]),
	hints: [
		'The refresh token ends everything: with it, the service ends the access of your client to this user.',
		"Read the tokens with `storage.get('tokens')`, then delete them with `storage.delete('tokens')`, before you send anything.",
		'Send `fetch(`${config.revocationUrl}?${query}`)`, with `const query = new URLSearchParams({ token: tokens.refresh_token, client_id: config.id });`.'
	]
};
