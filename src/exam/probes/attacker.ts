import type { Probe } from '../probe.ts';
import type { ProbeControl } from '../probe-control.ts';

const noState = 'the client sends no state';

/** Opens a sign-in, and returns its state. Without a state, the probe cannot be shown. */
async function openSignIn(exam: ProbeControl, browser: string): Promise<string> {
	const state = new URL(await exam.begin(browser)).searchParams.get('state');
	return state ?? exam.skip(noState);
}

/** Opens a sign-in, and returns the start of its state: too short to contain the random part of a good one. */
async function openAndCut(exam: ProbeControl): Promise<string> {
	const state = new URL(await exam.begin('a')).searchParams.get('state') ?? '';
	return state.slice(0, Math.min(8, state.length / 2));
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
			// Some clients compare only the start of the state, others as much of it as arrived.
			await exam.deliver('a', { state: (await openAndCut(exam)) + exam.randomText() });
			await exam.nextMark();
			await exam.deliver('a', { state: (await openAndCut(exam)) || exam.randomText() });
		}
	},
	other_browser: {
		async act(exam) {
			// The sign-in of the attacker is the latest one: some clients know only that.
			await exam.begin('a');
			// Some clients take the state from a clock.
			await exam.wait(20);
			const state = await openSignIn(exam, 'b');
			await exam.deliver('a', { state });
		}
	},
	used_state: {
		async act(exam) {
			const url = await exam.begin('a');
			const state = new URL(url).searchParams.get('state') ?? exam.skip(noState);
			await exam.open('a', url);
			await exam.deliver('a', { state });
		}
	}
} as const satisfies Record<string, Probe>;
