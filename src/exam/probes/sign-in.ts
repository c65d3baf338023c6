import { refreshed } from '#evidence/exchanges.ts';
import type { Probe } from '../probe.ts';

/** An error description that a page must not show as HTML. The image leads to the service, which logs the request. */
const imageTag = /<img src=["']?https?:[^>]*canary=/i;
/** Parts of a page in which HTML is plain text. */
const plainParts = /<(script|style|textarea|title)\b[^]*?<\/\1\s*>|<!--[^]*?-->/gi;

/** The sign-ins of the warm-up, and the uses after each. */
const warmUp = [
	['a', 4],
	['b', 1],
	['a', 1]
] as const;

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
			const page = exam.page('a');
			if (page?.includes('canary=') === true) exam.mark({ rendered: imageTag.test(page.replace(plainParts, '')) });
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
