import type { Probe } from '../probe.ts';

export const endProbes = {
	signed_out: {
		async act(exam) {
			await exam.signOut('a');
			// A call within two seconds may have begun before.
			await exam.wait(2100);
			await exam.use();
		}
	}
} as const satisfies Record<string, Probe>;
