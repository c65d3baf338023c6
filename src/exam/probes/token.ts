import { refreshed } from '#evidence/exchanges.ts';
import { noteSignOut } from '../note-sign-out.ts';
import type { ProbeControl } from '../probe-control.ts';
import type { Probe } from '../probe.ts';

export const tokenProbes = {
	early_end: {
		async act(exam) {
			await exam.endAccessTokens();
			await exam.useAtOnce(5);
			await exam.nextMark();
			await exam.endAccessTokens();
			await exam.useAtOnce(5);
			await exam.nextMark();
			// Whether the next use has the new token.
			await exam.use();
		}
	},
	expired: {
		async act(exam) {
			await exam.service.advanceClock(4000);
			await exam.use();
		}
	},
	short_life: {
		arm: (exam) => exam.service.changeSettings({ lifetimes: { access_token: 300 } }),
		async act(exam) {
			for (let count = 0; count < 10; count++) {
				// A missing character is no reason to refresh.
				await (count % 3 === 0 ? exam.use() : exam.use('a', exam.unknownName()));
				await exam.wait(200);
			}
		}
	},
	always_401: {
		async act(exam) {
			await exam.service.fault({ endpoint: 'character', kind: 'unauthorized' });
			await exam.service.fault({ endpoint: 'ratelimits', kind: 'unauthorized' });
			await exam.use();
			await exam.use();
		}
	},
	forbidden: {
		async act(exam) {
			await exam.service.fault({ endpoint: 'character', kind: 'forbidden' });
			for (let count = 0; count < 3; count++) await exam.use();
			await exam.service.clearFaults();
			await noteSignOut(exam);
		}
	},
	refresh_fails: {
		async act(exam) {
			await exam.endAccessTokens();
			await exam.service.fault({ endpoint: 'token', kind: 'status', status: 503 });
			await exam.use();
			await exam.service.clearFaults();
			await exam.service.fault({ endpoint: 'token', kind: 'drop' });
			await exam.use();
			await exam.service.clearFaults();
			await useUntilRefreshed(exam);
		}
	},
	lost_refresh: {
		// Where each refresh replaces the token, another try gets the same new one.
		arm: (exam) => exam.service.changeSettings({ lifetimes: { rotation_grace: 600 } }),
		async act(exam) {
			await exam.endAccessTokens();
			await exam.service.fault({ endpoint: 'token', kind: 'drop', after_commit: true });
			await exam.use();
			await exam.use();
			await exam.settle();
			await exam.service.clearFaults();
			await useUntilRefreshed(exam);
		}
	},
	user_revoked: {
		async act(exam) {
			await exam.endGrant();
			for (let count = 0; count < 6; count++) await exam.use();
		}
	}
} as const satisfies Record<string, Probe>;

/** Uses a client whose refreshes failed. A careful one waits before it tries again. */
async function useUntilRefreshed(exam: ProbeControl): Promise<void> {
	const isBack = exam.watch(refreshed);
	await exam.use();
	await exam.settle();
	if (isBack()) return;
	await exam.wait(6000);
	await exam.use();
}
