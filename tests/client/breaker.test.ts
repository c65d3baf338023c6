import { describe, expect, test } from 'vitest';
import { MemoryShelf, type Kept } from '#client/shelf.ts';
import { characterCall, codeOf, sentences, Workbench } from './workbench.ts';

/** A client that has just been met with silence twice. */
async function silenced(jitter = 0) {
	const bench = new Workbench();
	const client = bench.tab('tab-1', { jitter: () => jitter });
	const call = characterCall((await bench.signIn(client)).id);
	bench.service.silent = true;
	await codeOf(client.resources.call(call));
	await codeOf(client.resources.call(call));
	return { bench, client, call, breaker: client.breaker };
}

describe('when the service has fallen silent', () => {
	test('the log says that calls are held, and when they go on', async () => {
		const { bench, client, breaker } = await silenced();
		expect(sentences(client.journal.steps)).toContain('noticed: Two calls without an answer: holding all calls');
		bench.service.standing = { state: 'active' };
		await breaker.probe();
		await breaker.probe();
		const said = sentences(client.journal.steps).filter((step) => step === 'noticed: All is well again: calling on');
		expect(said).toHaveLength(1);
	});

	test('/ratelimiting is asked after two seconds, then at longer and longer intervals, up to ten seconds', async () => {
		const { bench, breaker } = await silenced();
		bench.service.standing = { state: 'blacklisted' };
		const pauses: number[] = [];
		for (let probe = 0; probe < 5; probe += 1) {
			pauses.push(breaker.nextProbe - bench.time);
			bench.time = breaker.nextProbe - 1;
			await breaker.tick();
			expect(bench.service.count('/ratelimiting')).toBe(probe);
			bench.time += 1;
			await breaker.tick();
			expect(bench.service.count('/ratelimiting')).toBe(probe + 1);
		}
		expect(pauses).toEqual([2000, 4000, 8000, 10_000, 10_000]);
	});

	test('many clients do not ask at once', async () => {
		const { bench, breaker } = await silenced(0.5);
		expect(breaker.nextProbe - bench.time).toBe(2250);
	});

	test('two who ask at once ask once', async () => {
		const { bench, breaker } = await silenced();
		await Promise.all([breaker.probe(), breaker.probe()]);
		expect(bench.service.count('/ratelimiting')).toBe(1);
		expect(breaker.isAsking).toBe(false);
	});

	test('whoever shows it is told of every change', async () => {
		const { bench, breaker } = await silenced();
		const seen: boolean[] = [];
		const end = breaker.listen(() => seen.push(breaker.isAsking));
		bench.service.standing = { state: 'active' };
		await breaker.probe();
		expect(seen).toEqual([true, false]);
		end();
		await breaker.probe();
		expect(seen).toHaveLength(2);
	});

	test.each([
		['no JSON', 'hello'],
		['a list', '[]'],
		['without a state', '{"reason":"none"}'],
		['with a state that is no text', '{"state":7}']
	])('an answer of /ratelimiting that is %s opens nothing', async (_, body) => {
		const { bench, breaker } = await silenced();
		bench.service.aboutLimits = () => new Response(body);
		await breaker.probe();
		expect([breaker.isOpen, breaker.standing]).toEqual([true, undefined]);
	});

	test('so does an error, and silence there too', async () => {
		const { bench, breaker } = await silenced();
		bench.service.standing = { state: 'blacklisted' };
		await breaker.probe();
		expect(breaker.standing?.blacklisted).toBe(true);
		bench.service.aboutLimits = () => Response.json({ state: 'active' }, { status: 500 });
		await breaker.probe();
		expect([breaker.isOpen, breaker.standing]).toEqual([true, undefined]);
		bench.service.aboutLimits = undefined;
		await breaker.probe();
		expect(breaker.standing?.blacklisted).toBe(true);
		bench.service.aboutLimits = () => {
			throw new TypeError('Failed to fetch');
		};
		await breaker.probe();
		expect([breaker.isOpen, breaker.standing]).toEqual([true, undefined]);
	});

	test('where storage takes no writing, what another tab tells of ends no silence', async () => {
		const bench = new Workbench();
		const full = new (class extends MemoryShelf {
			override update<K extends keyof Kept>(key: K, change: (now?: Kept[K]) => Kept[K]): Promise<Kept[K]> {
				return key === 'silences' ? Promise.reject(new Error('the disk is full')) : super.update(key, change);
			}
		})();
		const { breaker } = bench.tab('tab-1', { shelf: full });
		bench.service.standing = { state: 'blacklisted' };
		breaker.silent();
		breaker.silent();
		await breaker.probe();
		await breaker.load(); // as at the bell of another tab
		expect(breaker.isOpen).toBe(true);
	});

	test('an end that another tab has met leaves nothing of what was said here', async () => {
		const { bench, breaker } = await silenced();
		bench.service.standing = { state: 'blacklisted' };
		await breaker.probe();
		const other = bench.tab('tab-2').breaker;
		await other.load();
		bench.service.standing = { state: 'active' };
		await other.probe();
		await expect.poll(() => breaker.isOpen).toBe(false);
		expect(breaker.standing).toBeUndefined();
	});

	test('what was said before is not said of a new silence', async () => {
		const { bench, breaker, client, call } = await silenced();
		bench.service.standing = { state: 'active', reason: 'all is well' };
		await breaker.probe();
		expect(breaker.standing?.state).toBe('active');
		await codeOf(client.resources.call(call));
		expect(breaker.isOpen).toBe(false); // one lost answer is no silence
		await codeOf(client.resources.call(call));
		expect(breaker.isOpen).toBe(true);
		expect(breaker.standing).toBeUndefined();
		expect(breaker.nextProbe - bench.time).toBe(2000);
	});
});
