import { dialectNameOf, dialects } from '#api/dialect.ts';
import type { ProbeId } from '#api/exam.ts';
import { credentialId } from '#client/control-api/control-api.ts';
import { challengeOf, randomText } from '#client/oauth/authorization-request.ts';
import { clientId, redirectUri } from '../engine/exercise-client.ts';
import { valueOf, type Facts } from '#evidence/facts.ts';
import type { ConditionCode, Expected, ExerciseRun } from '../exercise.ts';
import { withOtherMiddle, type StateChange } from '#exam/wrong-states.ts';
import { condition, failedBy, gotToken, kindIn, metBy } from './judgments.ts';

/** The user whose code the links of the attacker have. */
const attacker = 'player-three';

/**
 * A step in which the client signs in and gets another response than the one of the service, until one is not rejected.
 * @param changes of the parameters of each response. The user decides about the first one only
 */
export async function signInWith(
	run: ExerciseRun,
	step: string,
	probe: ProbeId,
	changes: readonly ((response: URLSearchParams) => void)[],
	{ code, expected }: { readonly code?: string; readonly expected: Expected }
): Promise<void> {
	run.step(step, { probe, ...(code === undefined ? {} : { code: await credentialId(code) }) });
	const { conduct } = run.browser;
	for (const [at, change] of changes.entries()) {
		run.browser.conduct = {
			...conduct,
			...(at > 0 && { decidesInPage: false }),
			deliver(url) {
				const changed = new URL(url);
				change(changed.searchParams);
				return changed;
			}
		};
		const { error } = await run.call('signIn', expected);
		if (error === undefined) break;
	}
	run.browser.conduct = conduct;
}

/** Letters of the other case. */
const withOtherCase: StateChange = (state) =>
	state.replace(/[a-z]/gi, (sign) => (/[a-z]/.test(sign) ? sign.toUpperCase() : sign.toLowerCase()));

/** States that resemble the right one. Some clients compare a part, the length, or letters of any case. */
const changes: readonly StateChange[] = [
	withOtherMiddle,
	(state) => `${state}-of-another-sign-in`,
	(state) => state.slice(0, -3),
	withOtherCase
];
/** The same, and never the right one. */
export const similarStates: readonly StateChange[] = changes.map(
	(change) => (state) => (change(state) === state ? `${state}x` : change(state))
);
/** Undefined: the response has no state. */
export const noState = (): undefined => undefined;
export const emptyState: StateChange = () => '';

/**
 * A step in which the response has the code of an attacker, once with each of these states. It ends with one that the client accepts.
 */
export async function signInWithForeignCode(
	run: ExerciseRun,
	step: string,
	probe: ProbeId,
	states: readonly ((state: string) => string | undefined)[],
	expected: Expected
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
	const changes = states.map((change) => (response: URLSearchParams) => {
		const state = change(response.get('state') ?? '');
		response.set('code', code);
		if (state === undefined) response.delete('state');
		else response.set('state', state);
	});
	await signInWith(run, step, probe, changes, { code, expected });
}

/** A step in which the user denies access. */
export const signInDenied = (run: ExerciseRun, expected: Expected): Promise<void> =>
	signInWith(
		run,
		'denied',
		'denied',
		[
			(response) => {
				response.delete('code');
				response.set('error', 'access_denied');
			}
		],
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
