import { refreshed } from '#evidence/exchanges.ts';
import type { Probe } from '../probe.ts';
import type { ProbeControl } from '../probe-control.ts';

/** Seconds of a window in the probe of the rate limit, for a fast client. */
const windowSeconds = 6;
/** From the end of a window until a good client calls again, in milliseconds: it waits for one second more. */
const afterWindow = 2000;

/** How many calls a window allows. */
const limit = 3;
/** So many uses that a slow client runs one after the other fit into its window: those allowed, and those that must send no call. */
const usesInWindow = limit + 7;
/** Slower clients than this, in milliseconds, would need windows of minutes. */
const longestUse = 5000;

/**
 * Uses the client for most of a window: until no call is left, and once the client knows that, often, and then more slowly.
 * @param useTime how long a use takes, in milliseconds
 */
async function useForOneWindow(exam: ProbeControl, useTime: number): Promise<void> {
	const uses: Promise<void>[] = [];
	const useEach = async (pauses: readonly number[]) => {
		for (const pause of pauses) {
			// A client may wait for the reset before it responds.
			uses.push(exam.use());
			await exam.wait(pause);
		}
	};
	await useEach(Array<number>(limit).fill(150));
	const haveEnded = Promise.all(uses).then(() => true);
	const isKnown = await Promise.race([
		haveEnded,
		exam.wait(Math.max(longestUse, 2 * limit * useTime)).then(() => false)
	]);
	// Its last call may follow its response.
	const settled = await exam.settle();
	if (isKnown) exam.mark({ settled });
	await useEach([150, 150, 150, 150, 150, 600, 900, 1200, 600]);
	await Promise.all(uses);
}

export const limitProbes = {
	cache: {
		async act(exam) {
			const name = exam.name();
			for (let count = 0; count < 6; count++) await exam.use('a', name);
		}
	},
	limited: {
		// Later windows begin with the probe.
		arm: (exam) => exam.service.changeSettings({ limits: { window: 1 } }),
		async act(exam) {
			// Clients that count their calls get no such response otherwise.
			await exam.service.fault({ endpoint: 'character', kind: 'rate_limited', times: 1 });
			const { useTime } = exam;
			const begin = exam.now();
			await exam.use();
			const useAtLimit = Math.min(longestUse, exam.now() - begin);
			await exam.endMark();
			if (useTime > longestUse) return;
			await exam.wait(2200);
			await exam.nextMark();
			const window = Math.ceil(
				Math.max(windowSeconds + (useAtLimit + 2 * exam.lag) / 1000, (useTime * usesInWindow) / 1000)
			);
			await exam.service.changeSettings({ limits: { character: limit, ratelimits: limit, window } });
			const end = exam.now() + window * 1000;
			await useForOneWindow(exam, useTime);
			await exam.endMark();
			await exam.wait(Math.max(0, end - exam.now()) + afterWindow);
			// Clients of today's standards get the other form of Retry-After this time.
			await exam.service.changeSettings({ retry_after: 'date' });
			await exam.signIn('a');
			await exam.nextMark();
			await useForOneWindow(exam, useTime);
		}
	},
	unavailable: {
		// The pauses of a client grow, and it is used four times.
		patience: 120_000,
		async act(exam) {
			await exam.service.fault({ endpoint: 'character', kind: 'status', status: 503 });
			await exam.service.fault({ endpoint: 'ratelimits', kind: 'status', status: 503 });
			const hasRefreshed = exam.watch(refreshed);
			await exam.useAtOnce(2);
			await exam.settle();
			if (!hasRefreshed()) return;
			// Once may be by chance.
			const hasRefreshedAgain = exam.watch(refreshed);
			for (let count = 0; count < 2 && !hasRefreshedAgain(); count++) await exam.use();
		}
	},
	blacklisted: {
		async act(exam) {
			await exam.blacklistClient();
			for (let count = 0; count < 4; count++) await exam.use();
		}
	}
} as const satisfies Record<string, Probe>;
