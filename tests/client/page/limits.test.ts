import { describe, expect, test } from 'vitest';
import { Controls } from '#client/page/controls.svelte.ts';
import { Hammering } from '#client/page/hammering.svelte.ts';
import { Meters } from '#client/page/meters.svelte.ts';
import { Silence } from '#client/page/silence.svelte.ts';
import { characterCall, codeOf, gate, Workbench } from '../workbench.ts';

async function page() {
	const bench = new Workbench();
	const client = bench.tab('tab-1');
	const { id } = await bench.signIn(client);
	const call = () => client.resources.call(characterCall(id));
	return { bench, client, id, call };
}

const told = { ratelimit: [{ pattern: '/ws/v2.0/character/*', limit: 600, remaining: 7, reset: 1_800_000_000 }] };

describe('the gauges', () => {
	test('follow the headers of every answer, until that ends', async () => {
		const { client, call } = await page();
		await call();
		const meters = new Meters(client);
		const end = meters.follow();
		expect(meters.list[0]?.remaining).toBe(599);
		await call();
		expect(meters.list[0]?.remaining).toBe(598);
		end();
		await call();
		expect(meters.list[0]?.remaining).toBe(598);
	});

	test('what ratelimits says stands beside them, with the time it was said', async () => {
		const { bench, client, id } = await page();
		bench.ahead = 600_000;
		const meters = new Meters(client);
		bench.service.override = () =>
			Response.json(told, { headers: { date: new Date(bench.time + bench.ahead).toUTCString() } });
		await meters.ask(id);
		expect(meters.records).toMatchObject([{ pattern: '/ws/v2.0/character/*', remaining: 7 }]);
		expect(Math.abs(meters.asked - (bench.time + bench.ahead))).toBeLessThan(1000);
	});

	test('pressed twice it is asked once', async () => {
		const { bench, client, id } = await page();
		const { closed, open } = gate();
		bench.service.override = () => closed;
		const meters = new Meters(client);
		const asking = [meters.ask(id), meters.ask(id)];
		expect(meters.asking).toBe(true);
		open();
		await Promise.all(asking);
		expect(bench.service.count('/ratelimits')).toBe(1);
		expect(meters.asking).toBe(false);
	});

	test('a refusal is told until the next time, and what was known stays', async () => {
		const { bench, client, id } = await page();
		const meters = new Meters(client);
		bench.service.override = () => Response.json(told);
		await meters.ask(id);
		bench.service.override = () => Response.json({ error: 'server_error' }, { status: 500 });
		await meters.ask(id);
		expect([meters.problem?.code, meters.asking, meters.records?.length]).toEqual(['server_error', false, 1]);
		bench.service.override = () => Response.json(told);
		await meters.ask(id);
		expect(meters.problem).toBeUndefined();
	});
});

describe('silence', () => {
	test('is told with its reason; what comes after it too, once', async () => {
		const { bench, client, call } = await page();
		const silence = new Silence(client);
		silence.follow();
		expect([silence.holding, silence.recovered]).toEqual([false, false]);
		bench.service.silent = true;
		bench.service.standing = { state: 'blacklisted', reason: '100 calls over the limit' };
		for (let calls = 0; calls < 2; calls += 1) await codeOf(call());
		expect([silence.holding, silence.standing]).toEqual([true, undefined]);
		expect(silence.next).toBeGreaterThan(bench.time);
		await silence.ask();
		expect(silence.standing).toMatchObject({ blacklisted: true, reason: '100 calls over the limit' });
		expect(silence.holding).toBe(true);
		bench.service.silent = false;
		bench.service.standing = { state: 'active', reason: '' };
		await silence.ask();
		expect([silence.holding, silence.recovered, silence.asking]).toEqual([false, true, false]);
		silence.recovered = false;
		await silence.ask();
		expect(silence.recovered).toBe(false);
	});
});

describe('the hammer', () => {
	test('goes on over the limit, without the throttle, and tells what came of it', async () => {
		const { bench, client, id } = await page();
		const hammering = new Hammering(client);
		bench.service.remaining = 10;
		let calls = 0;
		bench.service.override = () => {
			calls += 1;
			if (calls === 40) hammering.stop();
			return undefined;
		};
		const striking = hammering.start(id, 'Mara Vell');
		expect(hammering.running).toBe(true);
		await hammering.start(id, 'Mara Vell'); // it is running already
		await striking;
		expect(hammering.running).toBe(false);
		expect(hammering.tally?.accepted).toBe(10);
		expect(hammering.tally?.overLimit).toBeGreaterThan(20);
		expect(hammering.tally?.sent).toBeLessThan(45);
		expect(bench.waited).toEqual([]);
	});

	test('ends with the silence', async () => {
		const { bench, client, id } = await page();
		const hammering = new Hammering(client);
		bench.service.silent = true;
		await hammering.start(id, 'Mara Vell');
		expect(hammering.running).toBe(false);
		expect(hammering.tally).toMatchObject({ accepted: 0, overLimit: 0 });
		expect(client.breaker.isOpen).toBe(true);
	});
});

describe('the switches', () => {
	test('move where they are set, and in every tab', async () => {
		const { bench, client } = await page();
		const here = new Controls(client);
		const there = new Controls(bench.tab('tab-2'));
		const end = there.follow();
		here.throttle = false;
		here.format = 'xml';
		here.tokenFormat = 'xml';
		here.credential = 'query';
		here.cache = false;
		here.watchAll = true;
		const set = {
			throttle: false,
			format: 'xml',
			tokenFormat: 'xml',
			credential: 'query',
			cache: false,
			watchAll: true
		};
		expect(here).toMatchObject(set);
		expect(client.switches.now).toEqual(set);
		await expect.poll(() => there.watchAll).toBe(true);
		expect(there).toMatchObject(set);
		end();
		here.throttle = true;
		await expect
			.poll(() => bench.shelf.read('switches'))
			.toMatchObject({ [bench.service.base_url]: { throttle: true } });
		expect(there.throttle).toBe(false);
	});
});
