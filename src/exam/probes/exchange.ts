import type { Probe } from '../probe.ts';

export const exchangeProbes = {
	lost_exchange: {
		async act(exam) {
			await exam.service.fault({ endpoint: 'token', kind: 'drop', after_commit: true });
			await exam.signIn('a', { expect: 'error' });
		}
	},
	refused_exchange: {
		async act(exam) {
			await exam.service.fault({ endpoint: 'token', kind: 'oauth_error', error: 'invalid_grant', times: 1 });
			await exam.signIn('a', { expect: 'error' });
			await exam.use();
		}
	}
} as const satisfies Record<string, Probe>;
