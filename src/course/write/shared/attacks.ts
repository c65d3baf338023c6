import { dialectNameOf, dialects } from '#api/dialect.ts';
import type { ProbeId } from '#api/exam.ts';
import { credentialId } from '#client/control-api/control-api.ts';
import { challengeOf, randomText } from '#client/oauth/authorization-request.ts';
import { clientId, redirectUri } from '../engine/exercise-client.ts';
import { valueOf, type Facts } from '#evidence/facts.ts';
import type { ConditionCode, Expected, ExerciseRun } from '../exercise.ts';
import { condition, failedBy, gotToken, kindIn, metBy } from './judgments.ts';
import { anything } from './results.ts';

/** The user whose code the links of the attacker have. */
const attacker = 'player-three';

/**
 * A step in which the client signs in and gets another response than the one of the service.
 * @param change changes the parameters of the response
 */
export async function signInWith(
	run: ExerciseRun,
	step: string,
	probe: ProbeId,
	change: (response: URLSearchParams) => void,
	{ code, expected = anything }: { readonly code?: string; readonly expected?: Expected } = {}
): Promise<void> {
	run.step(step, { probe, ...(code === undefined ? {} : { code: await credentialId(code) }) });
	const { conduct } = run.browser;
	run.browser.conduct = {
		...conduct,
		deliver(url) {
			const changed = new URL(url);
			change(changed.searchParams);
			return changed;
		}
	};
	await run.call('signIn', expected);
	run.browser.conduct = conduct;
}

/** A step in which the response has the code of an attacker. @param change changes the state of the response */
export async function signInWithForeignCode(
	run: ExerciseRun,
	step: string,
	probe: ProbeId,
	change: (response: URLSearchParams) => void,
	expected?: Expected
): Promise<void> {
	const query = new URLSearchParams({
		response_type: 'code',
		client_id: clientId,
		redirect_uri: redirectUri,
		scope: 'character_read'
	});
	const { dialect } = await run.api.request('GET /control/settings');
	// The attacker does not know the verifier of the client.
	if (dialects[dialectNameOf(dialect)].pkce === 'required') {
		query.set('code_challenge', await challengeOf(randomText()));
		query.set('code_challenge_method', 'S256');
	}
	const body = { username: attacker, query: query.toString() };
	const { location = '' } = await run.api.request('POST /control/authorizations', { body });
	const code = new URL(location).searchParams.get('code') ?? '';
	await signInWith(
		run,
		step,
		probe,
		(response) => {
			response.set('code', code);
			change(response);
		},
		{ code, ...(expected === undefined ? {} : { expected }) }
	);
}

/** A step in which the user denies access. */
export const signInDenied = (run: ExerciseRun, expected: Expected): Promise<void> =>
	signInWith(
		run,
		'denied',
		'denied',
		(response) => {
			response.delete('code');
			response.set('error', 'access_denied');
		},
		{ expected }
	);

/** A condition that a client meets which sends nothing in a step, and works before it. */
export const rejects = (step: string): ConditionCode =>
	condition(['sent'], (evidence, fail) => {
		const recorded = evidence.step(step);
		const sent = kindIn(evidence, step, 'exchange', 'other_token_request');
		const withCode = sent.filter(({ entry }) => evidence.run.delivered.has(valueOf(entry, 'code')?.id ?? ''));
		if (withCode.length > 0) {
			const mistake = fail('sent', withCode);
			return { ...mistake, text: `${mistake.text} ${whatFollowed(withCode)}` };
		}
		if (sent.length > 0)
			return failedBy(
				sent,
				'a token request all the same',
				'This response leads to no sign-in. Your client sent a token request for it, without the code of the response.'
			);
		return recorded?.isOver === true ? metBy(recorded.facts.slice(-1)) : 'open';
	});

/** What the service did with a code of another user. */
function whatFollowed(sent: readonly Facts[]): string {
	if (sent.some(gotToken)) return 'The service accepted it, so the user works in that account now.';
	const failed = sent.flatMap(({ entry }) => entry.trace.find(({ outcome }) => outcome === 'failed') ?? []).at(-1);
	return failed === undefined
		? 'The service did not accept it.'
		: `Only the service stopped it, at the check “${failed.name}”.`;
}
