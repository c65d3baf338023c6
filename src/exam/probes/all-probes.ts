import type { ProbeId } from '#api/exam.ts';
import type { Probe } from '../probe.ts';
import { attackerProbes } from './attacker.ts';
import { limitProbes } from './limits.ts';
import { signInProbes } from './sign-in.ts';
import { tokenProbes } from './token.ts';

const endProbes = {
	signed_out: {
		async act(exam) {
			const hasRevoked = exam.watch(({ endpoint }) => endpoint === 'revoke');
			const obstacle = await exam.signOut('a');
			// A call within two seconds may have begun before.
			await exam.wait(2100);
			// A page that asks for something is no sign-out yet.
			if (obstacle !== undefined && !hasRevoked()) exam.skip(obstacle.replace(/^The/, 'the').replace(/\.$/, ''));
			await exam.use();
		}
	}
} as const satisfies Record<string, Probe>;

const exchangeProbes = {
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

/** What each probe does. */
export const probes: Readonly<Record<ProbeId, Probe>> = {
	...signInProbes,
	...attackerProbes,
	...exchangeProbes,
	...tokenProbes,
	...limitProbes,
	...endProbes
};
