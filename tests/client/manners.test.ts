import { describe, expect, test } from 'vitest';
import { Cache } from '#client/manners/cache.ts';
import { LimitGate } from '#client/manners/limit-gate.ts';
import { pauseFor } from '#client/manners/throttle.ts';
import { forecast } from '#client/resources/forecast.ts';
import { budgetOf, Ledger, leftOf, sampled } from '#client/resources/ledger.ts';
import { characterCall, codeOf, gate, Workbench } from './workbench.ts';

describe('the ledger', () => {
	const reset = 1_800_000_000_000;

	test('reads headers, and nothing that makes no sense', () => {
		const read = (limit: string, remaining: string, at: string) =>
			budgetOf(
				new Headers({ 'x-ratelimit-limit': limit, 'x-ratelimit-remaining': remaining, 'x-ratelimit-reset': at })
			);
		expect(read('600', '599', '1800000000')).toEqual({ limit: 600, remaining: 599, reset });
		expect(read('600', '700', '1800000000')).toEqual({ limit: 600, remaining: 600, reset });
		const senseless = [
			['', '1', '1'],
			['0', '0', '1'],
			['600', '-1', '1'],
			['600', '1', 'soon'],
			['6e2', '1', '1']
		] as const;
		for (const [limit, remaining, at] of senseless) expect(read(limit, remaining, at)).toBeUndefined();
		expect(budgetOf(new Headers())).toBeUndefined();
	});

	test('answers that overtake each other do not fill the budget; a new window does', () => {
		const ledger = new Ledger();
		for (const remaining of [9, 7, 8]) ledger.observe('p', { limit: 10, remaining, reset }, reset - 1000);
		expect(ledger.meter('p')).toMatchObject({ remaining: 7 });
		ledger.observe('p', { limit: 10, remaining: 9, reset: reset + 3_600_000 }, reset + 1000);
		expect(ledger.meter('p')).toMatchObject({ remaining: 9, history: [{ remaining: 9 }] });
		ledger.observe('p', { limit: 10, remaining: 1, reset }, reset + 1001); // a straggler of the old window
		expect(ledger.meter('p')).toMatchObject({ remaining: 9 });
	});

	test('keeps the shape of a long window in a bounded history', () => {
		const ledger = new Ledger();
		for (let left = 5000; left > 0; left -= 1)
			ledger.observe('p', { limit: 5000, remaining: left, reset }, reset - left);
		const history = ledger.meter('p')?.history ?? [];
		expect(history.length).toBeLessThanOrEqual(240);
		expect(history[0]?.remaining).toBe(5000);
		expect(history.at(-1)?.remaining).toBe(1);
	});

	test('a curve has its points at equal distances of time', () => {
		const burst = Array.from({ length: 100 }, (_, at) => ({ at, remaining: 600 - at }));
		const curve = sampled([...burst, { at: 9900, remaining: 500 }], 9900, 12);
		expect(curve).toEqual([600, ...Array<number>(10).fill(501), 500]);
		expect(sampled([], 9900)).toEqual([]);
		// Few calls as well: three at once and one much later are a step, a long flat and a step, up to now.
		const few = [0, 1, 2, 600].map((at, call) => ({ at, remaining: 9 - call }));
		expect(sampled(few, 800, 9)).toEqual([9, 7, 7, 7, 7, 7, 6, 6, 6]);
	});

	test('forecasts from the pace', () => {
		const ledger = new Ledger();
		const now = reset - 1_800_000;
		for (let second = 0; second <= 60; second += 1) {
			ledger.observe('p', { limit: 600, remaining: 300 - second, reset }, now - 60_000 + second * 1000);
		}
		const meter = ledger.meter('p');
		if (meter === undefined) throw new Error('no meter');
		expect(forecast(meter, now)).toMatchObject({ kind: 'empties', in: 240_000 });
		expect(forecast({ ...meter, reset: now + 60_000 }, now)).toMatchObject({ kind: 'lasts', spare: 180 });
		expect(forecast({ ...meter, remaining: 0 }, now)).toEqual({ kind: 'empty' });
		expect(forecast({ ...meter, history: [] }, now)).toEqual({ kind: 'unknown' });
		expect(forecast({ ...meter, history: meter.history.slice(-1) }, now)).toEqual({ kind: 'unknown' });
		expect(forecast(meter, reset)).toEqual({ kind: 'unknown' });
	});

	test('a forecast goes by the last two minutes, and a burst is no pace', () => {
		const now = reset - 1_800_000;
		const meter = { pattern: 'p', limit: 600, reset, heard: now };
		const at = (seconds: number, remaining: number) => ({ at: now - seconds * 1000, remaining });
		const slowed = { ...meter, remaining: 280, history: [at(300, 600), at(120, 300), at(0, 280)] };
		expect(forecast(slowed, now)).toMatchObject({ kind: 'empties', in: 1_680_000, pace: 10 });
		const burst = { ...meter, remaining: 590, history: [at(1, 600), at(0, 590)] };
		expect(forecast(burst, now)).toMatchObject({ kind: 'empties', in: 590_000, pace: 60 });
		const idle = { ...meter, remaining: 590, history: [at(60, 590), at(0, 590)] };
		expect(forecast(idle, now)).toEqual({ kind: 'lasts', spare: 590, pace: 0 });
	});

	test('once its window is over, all of a budget is there again', () => {
		expect(leftOf({ limit: 10, remaining: 1, reset }, reset - 1)).toBe(1);
		expect(leftOf({ limit: 10, remaining: 1, reset }, reset)).toBe(10);
	});
});

describe('manners', () => {
	const now = 1_800_000_000_000;
	const budget = (remaining: number) => ({ limit: 600, remaining, reset: now + 1_800_000 });

	test('the throttle holds nothing back above half, and spreads the rest below a tenth', () => {
		expect(pauseFor(undefined, now)).toBe(0);
		expect(pauseFor(budget(301), now)).toBe(0);
		expect(pauseFor(budget(60), now)).toBe(20_000);
		expect(pauseFor({ ...budget(60), reset: now + 60_000 }, now)).toBe(1000);
		let before = 0;
		for (let left = 300; left > 60; left -= 1) {
			const pause = pauseFor(budget(left), now);
			expect(pause).toBeGreaterThanOrEqual(before);
			before = pause;
		}
		expect(pauseFor({ ...budget(1), reset: now - 1 }, now)).toBe(0);
		expect(pauseFor(budget(0), now)).toBe(0); // nothing is left to spread: the reset is waited for
	});

	test('a used-up limit is waited for until its reset, but not because this clock was set back', () => {
		const gate = new LimitGate(() => 0);
		expect(gate.close('p', { limit: 1, remaining: 0, reset: now + 60_000 }, now)).toBe(now + 60_000);
		expect(gate.closedUntil('p', now + 59_999)).toBe(now + 60_000);
		expect(gate.closedUntil('q', now)).toBeUndefined();
		expect(gate.closedUntil('p', now + 60_000)).toBeUndefined();
		gate.close('p', { limit: 1, remaining: 0, reset: now + 60_000 }, now);
		expect(gate.closedUntil('p', now - 2 * 3_600_000)).toBeUndefined();
		expect(gate.closedUntil('p', now)).toBeUndefined();
	});

	test('a call is held back as the budget shrinks, unless that is switched off', async () => {
		const bench = new Workbench();
		const client = bench.tab('tab-1');
		const call = characterCall((await bench.signIn(client)).id);
		bench.service.remaining = 121;
		await client.resources.call(call);
		expect(bench.waited).toEqual([]);
		await client.resources.call(call);
		expect(bench.waited).toHaveLength(1);
		await client.switches.change({ throttle: false });
		await client.resources.call(call);
		expect(bench.waited).toHaveLength(1);
	});

	test('a call that was held back stays here where the service fell silent meanwhile, or the limit was met', async () => {
		for (const meets of ['holding', 'rate_limit_exceeded']) {
			const bench = new Workbench();
			const { closed, open } = gate();
			const client = bench.tab('tab-1', { sleep: () => closed });
			const call = characterCall((await bench.signIn(client)).id);
			bench.service.remaining = 61;
			await client.resources.call(call);
			const held = codeOf(client.resources.call(call));
			if (meets === 'holding') {
				client.breaker.silent();
				client.breaker.silent();
			} else {
				bench.service.remaining = 0;
				expect(await codeOf(client.resources.call({ ...call, rude: true }))).toBe(meets);
			}
			const sent = bench.service.requests.length;
			open();
			expect(await held).toBe(meets);
			expect(bench.service.requests).toHaveLength(sent);
		}
	});

	test('a kept answer has an age, grows stale, and is forgotten with its person', () => {
		const cache = new Cache<string>(60_000);
		cache.set('a/Mara', 'sheet', 1000);
		expect(cache.get('a/Mara', 31_000)).toEqual({ value: 'sheet', at: 1000 });
		expect(cache.get('a/Mara', 61_000)).toBeUndefined();
		cache.drop('a/');
		expect(cache.get('a/Mara', 1000)).toBeUndefined();
	});

	test('two hundred answers are kept, and the oldest gives way', () => {
		const cache = new Cache<number>(60_000);
		for (let key = 0; key < 200; key += 1) cache.set(String(key), key, 1000);
		cache.set('0', 0, 1000);
		cache.set('200', 200, 1000);
		const kept = ['0', '1', '2', '200'].map((key) => cache.get(key, 1000)?.value);
		expect(kept).toEqual([0, undefined, 2, 200]);
	});
});
