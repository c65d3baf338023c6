import { dialects } from '#api/dialect.ts';
import { credentialId } from '#client/control-api/control-api.ts';
import type { BegunRequest } from '../exam-state.ts';
import { earlierRequest } from '../observe.ts';
import type { Probe } from '../probe.ts';
import { noSignIn, type ProbeControl } from '../probe-control.ts';
import type { AuthorizationResponse } from '../service-control.ts';
import { withOtherCase, withOtherMiddle } from '../wrong-states.ts';

/** What asks the user for a password or a decision again. The attacker leaves it out: nothing of it is in the code. */
const questions = ['prompt', 'max_age', 'id_token_hint', 'login_hint'];

/** Delivers a code of the attacker for an authorization request to the callback of the client. @throws ProbeSkipped */
async function deliver(
	exam: ProbeControl,
	{ query, parameters }: BegunRequest,
	change: (response: URLSearchParams) => void
): Promise<void> {
	const redirect_uri = exam.callbackOf('a') ?? parameters.get('redirect_uri') ?? '';
	if (redirect_uri.startsWith('urn:')) exam.skip('the user copies the code, so no link can deliver one');
	const request = new URLSearchParams(query);
	for (const name of questions) request.delete(name);
	// Some providers know it without.
	if (!request.has('request_uri') && redirect_uri !== '') request.set('redirect_uri', redirect_uri);
	const { url, code, posts } =
		(await exam.service.authorize(request)) ?? exam.skip('the service issued no code to the attacker');
	change(url.searchParams);
	exam.mark({ code: await credentialId(code), browser: 'a' });
	if ((await exam.open('a', url.href, posts)) === false) exam.skip('the client did not respond at its redirect URI');
	// A client that compares the nonce has to exchange the code. Whether it rejects the ID token shows in a call.
	if (parameters.has('nonce')) await exam.use('a');
}

/** Delivers a code that is for the same authorization request as its state. @throws ProbeSkipped */
const deliverWithState = (exam: ProbeControl, begun: BegunRequest): Promise<void> =>
	deliver(exam, begun, (response) => {
		if (!response.has('state')) exam.skip('the client sends no state');
	});

/**
 * Delivers a code of an earlier sign-in. Where PKCE is optional, the attacker has left it out. @throws ProbeSkipped
 * @param state undefined: the response has none
 */
async function deliverOther(exam: ProbeControl, state?: string): Promise<void> {
	const { client_id, dialect, provider } = exam.sandbox;
	const parameters = earlierRequest(exam.entries, client_id) ?? exam.skip(noSignIn);
	if ((provider?.dialect ?? dialects[dialect]).pkce !== 'required')
		for (const name of ['code_challenge', 'code_challenge_method']) parameters.delete(name);
	await deliver(exam, { query: parameters, parameters }, (response) => {
		if (state === undefined) response.delete('state');
		else response.set('state', state);
	});
}

/** Finishes the sign-in that browser `a` has begun. Returns the response that the client got. @throws ProbeSkipped */
async function finish(exam: ProbeControl, { query }: BegunRequest): Promise<AuthorizationResponse> {
	const response =
		(await exam.service.authorize(query, exam.userOf('a').username)) ??
		exam.skip('the service issued no code for the sign-in');
	await exam.open('a', response.url.href, response.posts, true);
	return response;
}

/** Opens a sign-in, and returns its state. Empty if it was pushed. */
const openedState = async (exam: ProbeControl): Promise<string> => (await exam.begin('a')).query.get('state') ?? '';

/** Opens a sign-in, and returns the start of its state: too short to contain the random part of a good one. Empty if it was pushed. */
async function openAndCut(exam: ProbeControl): Promise<string> {
	const state = await openedState(exam);
	return state.slice(0, Math.min(8, state.length / 2));
}

export const attackerProbes = {
	unsolicited: {
		async act(exam) {
			exam.forget('a');
			await deliverOther(exam, exam.randomText());
		}
	},
	nothing: {
		async act(exam) {
			exam.forget('a');
			await deliverOther(exam);
		}
	},
	no_state: {
		async act(exam) {
			await exam.begin('a');
			await deliverOther(exam);
			await exam.nextMark();
			// Some clients know that a state is there, and compare only one that is not empty.
			await exam.begin('a');
			await deliverOther(exam, '');
		}
	},
	wrong_state: {
		async act(exam) {
			// Some clients compare only the start of the state, others as much of it as arrived.
			await deliverOther(exam, (await openAndCut(exam)) + exam.randomText());
			await exam.nextMark();
			await deliverOther(exam, (await openAndCut(exam)) || exam.randomText());
			for (const change of [withOtherMiddle, withOtherCase]) {
				await exam.nextMark();
				const state = await openedState(exam);
				await deliverOther(exam, state === '' ? exam.randomText() : change(state));
			}
		}
	},
	other_browser: {
		async act(exam) {
			// The sign-in of the attacker is the latest one: some clients know only that.
			await exam.begin('a');
			// Some clients take the state from a clock.
			await exam.wait(20);
			await deliverWithState(exam, await exam.begin('b'));
		}
	},
	used_state: {
		async act(exam) {
			const { query, parameters } = await exam.begin('a');
			const { url } = await finish(exam, { query, parameters });
			// A request that was pushed works once. The attacker sends what it says in a URL.
			const again = new URLSearchParams(parameters);
			const state = url.searchParams.get('state');
			if (state !== null) again.set('state', state);
			await deliverWithState(exam, { query: again, parameters });
		}
	}
} as const satisfies Record<string, Probe>;
