import type { Probe } from '../probe.ts';
import type { ProbeControl } from '../probe-control.ts';

/** Opens a sign-in, and returns its state. Without a state, the probe cannot be shown. */
async function openSignIn(exam: ProbeControl, browser: string): Promise<string> {
	const state = new URL(await exam.begin(browser)).searchParams.get('state');
	return state ?? exam.skip();
}

export const attackerProbes = {
	unsolicited: {
		async act(exam) {
			exam.forget('a');
			await exam.deliver('a', { state: exam.randomText() });
		}
	},
	nothing: {
		async act(exam) {
			exam.forget('a');
			await exam.deliver('a', {});
		}
	},
	no_state: {
		async act(exam) {
			await exam.begin('a');
			await exam.deliver('a', {});
		}
	},
	wrong_state: {
		async act(exam) {
			await exam.begin('a');
			await exam.deliver('a', { state: exam.randomText() });
		}
	},
	other_browser: {
		async act(exam) {
			const state = await openSignIn(exam, 'b');
			// Some clients take the state from a clock.
			await exam.wait(20);
			await exam.begin('a');
			await exam.deliver('a', { state });
		}
	},
	used_state: {
		async act(exam) {
			const url = await exam.begin('a');
			const state = new URL(url).searchParams.get('state') ?? exam.skip();
			await exam.open('a', url);
			await exam.deliver('a', { state });
		}
	}
} as const satisfies Record<string, Probe>;
