import type { ErrorTextFate } from '#api/exam.ts';
import { refreshed } from '#evidence/exchanges.ts';
import { ProbeSkipped } from '../driver.ts';
import { errorTextIn } from '../error-text.ts';
import { forgedErrors } from '../forged-errors.ts';
import type { Probe } from '../probe.ts';
import type { ProbeControl } from '../probe-control.ts';

/** The sign-ins of the warm-up, and the uses after each. */
const warmUp = [
	['a', 4],
	['b', 1],
	['a', 1]
] as const;

/** What the page did with the description of an error. Undefined: there is no page. */
function errorTextOf(exam: ProbeControl): ErrorTextFate | undefined {
	const page = exam.page('a');
	return page && errorTextIn(page.text, page.isHtml ?? true);
}

/** Opens the link of an attacker who knows the state: an error with texts that no service sends. @throws ProbeSkipped */
async function deliverError(exam: ProbeControl, texts: Readonly<Record<string, string>>): Promise<void> {
	const { query, parameters } = await exam.begin('a');
	const redirect_uri = parameters.get('redirect_uri') ?? '';
	if (!URL.canParse(redirect_uri)) return;
	const url = new URL(redirect_uri);
	const { api, dialect, provider } = exam.sandbox;
	// Most providers name no issuer.
	const iss = dialect === 'standard' && provider === undefined ? { iss: api.baseUrl } : {};
	const state = query.get('state');
	const response = { error: 'access_denied', ...(state !== null && { state }), ...iss, ...texts };
	for (const [name, value] of Object.entries(response)) url.searchParams.set(name, value);
	await exam.open('a', url.href, parameters.get('response_mode') === 'form_post');
}

export const signInProbes = {
	warm_up: {
		async act(exam) {
			for (const [browser, uses] of warmUp) {
				await exam.nextMark();
				await exam.signIn(browser);
				for (let count = 0; count < uses; count++) await exam.use(browser);
			}
		}
	},
	extra: {
		async act(exam) {
			await exam.service.fault({ endpoint: 'auth', kind: 'extra_parameters' });
			await exam.signIn('a');
		}
	},
	hard_code: {
		async act(exam) {
			await exam.service.fault({ endpoint: 'auth', kind: 'hard_code' });
			await exam.signIn('a');
		}
	},
	extra_fields: {
		async act(exam) {
			await exam.service.fault({ endpoint: 'token', kind: 'extra_fields' });
			await exam.signIn('a');
			await exam.use();
			await exam.endMark();
			// The same without the fault shows whether the client would call at all.
			await exam.service.clearFaults();
			await exam.signIn('a');
			await exam.use();
			await exam.settle();
		}
	},
	error_text: {
		async act(exam) {
			await exam.service.fault({ endpoint: 'auth', kind: 'error_text' });
			await exam.signIn('a', { expect: 'error' });
			const errorText = errorTextOf(exam);
			if (errorText === undefined) return;
			exam.mark({ errorText });
			for (const [errorField, text] of Object.entries(forgedErrors(exam.sandbox.api.baseUrl))) {
				if (errorField === 'error_description' && errorText !== 'escaped') continue;
				// A link leads to no request that would end the mark before.
				await exam.endMark();
				await exam.nextMark();
				// What was shown before counts without it.
				await deliverError(exam, { [errorField]: text }).catch((thrown: unknown) => {
					if (!(thrown instanceof ProbeSkipped)) throw thrown;
				});
				const fate = errorTextOf(exam);
				if (fate !== undefined && fate !== 'absent') exam.mark({ errorText: fate, errorField });
			}
		}
	},
	denied: {
		async act(exam) {
			await exam.service.fault({ endpoint: 'auth', kind: 'oauth_error', error: 'access_denied' });
			await exam.signIn('a', { expect: 'error' });
		}
	},
	metadata_issuer: {
		async act(exam) {
			await exam.service.changeSettings({ agent_fault: 'metadata_issuer' });
			await exam.signIn('a', { expect: 'error' });
		}
	},
	other_issuer: {
		async act(exam) {
			for (const agent_fault of ['iss_wrong', 'iss_slash', 'iss_missing'] as const) {
				await exam.nextMark();
				await exam.service.changeSettings({ agent_fault });
				await exam.signIn('a', { expect: 'error' });
			}
		}
	},
	moved_server: {
		async act(exam) {
			await exam.service.changeSettings({ agent_fault: 'moved_server' });
			await exam.signIn('a', { expect: 'error' });
		}
	},
	other_user: {
		async act(exam) {
			await exam.signIn('b');
			await exam.use('b');
			await exam.nextMark();
			await exam.signIn('a');
			await exam.use('a');
			await exam.use('b');
			await exam.use('a');
			// Whose refresh token each of them has. The user who signed in last comes last.
			await exam.settle();
			await exam.endAccessTokens();
			await exam.use('b');
			await exam.use('a');
			await exam.nextMark();
			await exam.signIn('a', { as: 'b' });
			exam.mark({ otherUser: exam.userOf('b').username });
			await exam.use('a');
			await exam.settle();
			await exam.endAccessTokens();
			await exam.use('a');
		}
	},
	second_sign_in: {
		async act(exam) {
			await exam.signIn('a', { isSecond: true });
			await exam.use();
			await exam.nextMark();
			const hasRefreshed = exam.watch(refreshed);
			await exam.endAccessTokens();
			await exam.use();
			await exam.endMark();
			if (hasRefreshed()) return;
			// Whether the client refreshes at 401 at all. This belongs to no mark.
			await exam.signIn('a');
			await exam.use();
			await exam.endAccessTokens();
			await exam.use();
			await exam.settle();
		}
	}
} as const satisfies Record<string, Probe>;
