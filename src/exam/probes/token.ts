import type { TrafficEntry } from '#api/control/traffic.ts';
import { isResourceRequest, isTokenRequest, refreshed } from '#evidence/exchanges.ts';
import type { ProbeControl } from '../probe-control.ts';
import type { Probe } from '../probe.ts';

/** Before each further use, in milliseconds. A careful client waits: circuit breakers and the throttling of MSAL stay closed for a minute. */
const pauses = [0, 6000, 69_000];
const patience = 120_000;

const isRefresh = (entry: TrafficEntry) => isTokenRequest(entry, 'refresh_token');

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
			// What has expired stays so, and the clock is right again before the client acts: it dates its proofs and assertions itself.
			await exam.settle();
			await exam.service.advanceClock(4000);
			await exam.service.resetClock();
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
		patience,
		async act(exam) {
			const hasTried = exam.watch(isRefresh);
			await exam.endAccessTokens();
			await exam.service.fault({ endpoint: 'token', kind: 'status', status: 503 });
			await exam.use();
			// The tries of one use have their own mark.
			await exam.nextMark();
			await exam.service.clearFaults();
			await exam.service.fault({ endpoint: 'token', kind: 'drop' });
			await exam.use();
			await exam.service.clearFaults();
			await useUntilRefreshed(exam, hasTried);
		}
	},
	lost_refresh: {
		patience,
		// Where each refresh replaces the token, another try gets the same new one.
		arm: (exam) => exam.service.changeSettings({ lifetimes: { rotation_grace: 600 } }),
		async act(exam) {
			const hasTried = exam.watch(isRefresh);
			await exam.endAccessTokens();
			await exam.service.fault({ endpoint: 'token', kind: 'drop', after_commit: true });
			await exam.use();
			await exam.use();
			await exam.settle();
			await exam.service.clearFaults();
			await useUntilRefreshed(exam, hasTried);
		}
	},
	user_revoked: {
		async act(exam) {
			await exam.endGrant();
			for (let count = 0; count < 6; count++) await exam.use();
		}
	}
} as const satisfies Record<string, Probe>;

/** Uses a client whose refreshes failed, until it refreshes. @param hasTried whether it has refreshed at all */
async function useUntilRefreshed(exam: ProbeControl, hasTried: () => boolean): Promise<void> {
	const isBack = exam.watch(refreshed);
	const begin = exam.now();
	for (const pause of pauses) {
		await exam.wait(pause);
		await exam.use();
		await exam.settle();
		if (isBack() || !hasTried()) return;
	}
	exam.mark({ waited: { seconds: Math.floor((exam.now() - begin) / 1000), status: exam.useStatus ?? 0 } });
}

/** A browser that never signs in. */
const signedOut = 'signed-out';

/** Marks whether the client takes the user of browser `a` for signed out: it sends no call, and shows what a browser without a sign-in sees. */
async function noteSignOut(exam: ProbeControl): Promise<void> {
	const hasCalled = exam.watch(isResourceRequest);
	const name = exam.name();
	await exam.use('a', name);
	const here = exam.page('a');
	await exam.settle();
	if (hasCalled() || here === undefined || here.status === 0) return;
	await exam.use(signedOut, name);
	const there = exam.page(signedOut);
	exam.mark({ isSignedOut: here.status === there?.status && here.text === there.text });
}
