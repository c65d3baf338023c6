import type { Probe } from '../probe.ts';

export const endProbes = {
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
