import { describe, expect, it } from 'vitest';
import { seededRandom } from '#lib/seeded-random.ts';
import { largestRatio, longestSum } from '#evidence/rules/back-off.ts';
import { Log } from './log.ts';

/** Clients of each kind that are judged. The nightly run judges fifty times as many. */
const runs = import.meta.env.MODE === 'nightly' ? 3000 : 60;

type Random = () => number;
/** The pauses before each retry of a client, in milliseconds. */
type Pauses = (random: Random, base: number, ceiling: number) => Generator<number, void>;

/** As the architecture blog of AWS describes them. */
const jitters = {
	*full(random, base, ceiling) {
		for (let at = 0; ; at++) yield random() * Math.min(ceiling, base * 2 ** at);
	},
	*equal(random, base, ceiling) {
		for (let at = 0; ; at++) yield (Math.min(ceiling, base * 2 ** at) / 2) * (1 + random());
	},
	*decorrelated(random, base, ceiling) {
		for (let pause = base; ;) yield (pause = Math.min(ceiling, base + random() * (3 * pause - base)));
	}
} satisfies Record<string, Pauses>;

/** What the rule says about a client that sends one call again and again. @param uses at the same time, each with the same call */
function judge(pauses: readonly number[], { uses = 2, latency = 2, refreshes = false } = {}): string {
	const log = new Log();
	const flow = log.session();
	const status = { status: 503, duration: latency, credentials: [] };
	log.probe(refreshes ? 'refresh_fails' : 'unavailable', { uses: refreshes ? 1 : uses }, () => {
		for (const pause of [5, ...pauses]) {
			if (refreshes) log.refresh(flow, '', status, pause + latency);
			else log.call(flow, status, pause + latency);
		}
		if (!refreshes) log.call(flow, { ...status, path: '/ws/v2.0/character/Other' });
	});
	if (refreshes) log.probe('unavailable', { uses: 1 }, () => log.call(flow, status));
	return log.finding('limit.back_off')?.verdict ?? '';
}

const take = (pauses: Generator<number, void>, count: number) =>
	Array.from({ length: count }, () => Number(pauses.next().value));

describe.each(Object.entries(jitters))('%s jitter', (_name, jitter) => {
	it.each([20, 50, 100, 200])('never fails with a base of %i ms', (base) => {
		const random = seededRandom(base);
		const failed: number[][] = [];
		for (let run = 0; run < runs; run++) {
			const tries = 3 + Math.floor(random() * 28);
			const ceiling = [1000, 8000, 20_000][run % 3] ?? 1000;
			const pauses = take(jitter(random, base, ceiling), tries).map(run % 2 === 0 ? Math.floor : (pause) => pause);
			for (const refreshes of [false, true]) if (judge(pauses, { refreshes }) === 'failed') failed.push(pauses);
		}
		expect(failed).toEqual([]);
	});
});

describe.each([false, true])('of refreshes: %s', (refreshes) => {
	it.each([8, 10, 20, 31])('%i tries at once fail', (tries) => {
		const random = seededRandom(tries);
		for (const slowness of [0, 2, 8])
			expect(
				judge(
					Array.from({ length: tries }, () => random() * slowness),
					{ refreshes }
				)
			).toBe('failed');
	});

	it.each([20, 50, 100, 250, 400, 1000])('10 tries with a fixed pause of %i ms fail', (pause) => {
		const random = seededRandom(pause);
		const pauses = Array.from({ length: 9 }, () => pause * (1 + 0.1 * random()));
		expect(judge(pauses, { refreshes })).toBe('failed');
	});

	it('tries with growing pauses pass', () => {
		expect(judge([100, 200, 400, 800, 1600, 3200], { refreshes })).toBe('passed');
	});
});

it('does not decide where random pauses could grow or not', () => {
	expect(judge([120, 30, 180, 60, 90, 150, 20, 170, 40])).toBe('not_shown');
});

it('counts only the tries of one use, where several uses send the same call', () => {
	// Three clients with full jitter at once.
	const random = seededRandom(3);
	for (let run = 0; run < runs / 3; run++) {
		const times = [0, 1, 2].flatMap(() => {
			let at = 0;
			return [0, ...take(jitters.full(random, 50, 8000), 6)].map((pause) => (at += pause));
		});
		const sorted = times.sort((a, b) => a - b);
		expect(
			judge(
				sorted.slice(1).map((time, at) => time - (sorted[at] ?? 0)),
				{ uses: 6 }
			)
		).not.toBe('failed');
	}
});

it('needs shorter or more equal pauses, the fewer they are', () => {
	expect([5, 9, 30].map((count) => Math.round(longestSum(count)))).toEqual([21, 226, 928]);
	expect([5, 9, 30].map((count) => Math.round(100 * largestRatio(count)) / 100)).toEqual([1.08, 1.36, 1.5]);
});

it.each([
	[0, 'passed'],
	[5000, 'not_shown']
])('two uses that may both read two characters have few tries each, if these begin within %i ms', (begin, verdict) => {
	const log = new Log();
	const flow = log.session();
	const status = { status: 503, duration: 2, credentials: [] };
	log.probe('unavailable', { uses: 2 }, () => {
		const pauses = [begin, 700, 1500, 2, 800, 1300];
		log.call(flow, { ...status, path: '/ws/v2.0/character/Other' }, 5);
		for (const pause of pauses) log.call(flow, status, pause + 2);
	});
	expect(log.finding('limit.back_off')?.verdict).toBe(verdict);
});
