import { describe, expect, test } from 'vitest';
import { pauseFor } from '#client/manners/throttle.ts';
import { Explorer } from '#client/page/explorer.svelte.ts';
import { keptSteps } from '#client/kept.ts';
import { MemoryShelf, type Kept } from '#client/shelf.ts';
import { characterCall, codeOf, sentences, Workbench } from './workbench.ts';

const pattern = '/ws/v2.0/character/*';

/** A page with somebody signed in, and a way to load it anew. */
async function page() {
	const bench = new Workbench();
	const client = bench.tab('tab-1');
	await client.recall();
	const { id } = await bench.signIn(client);
	const call = () => client.resources.call(characterCall(id));
	const reloaded = async (tab = 'tab-1') => {
		const next = bench.tab(tab);
		await next.recall();
		return next;
	};
	return { bench, client, id, call, reloaded };
}

describe('after a reload', () => {
	test('the switches stand as they were left, in other tabs at once', async () => {
		const { bench, client, reloaded } = await page();
		const other = bench.tab('tab-2');
		await client.switches.change({ throttle: false, format: 'xml' });
		expect((await reloaded()).switches.now).toEqual(client.switches.now);
		await expect.poll(() => other.switches.now).toMatchObject({ throttle: false, format: 'xml', cache: true });
		await other.switches.change({ credential: 'query' });
		await expect.poll(() => client.switches.now).toMatchObject({ throttle: false, credential: 'query' });
	});

	test('the switches of one service say nothing to another', async () => {
		const { bench, client } = await page();
		await client.switches.change({ throttle: false });
		const elsewhere = new Workbench('https://other.example').tab('tab-1', { shelf: bench.shelf });
		await elsewhere.recall();
		expect(elsewhere.switches.now.throttle).toBe(true);
	});

	test('a gauge comes back with its history and its age, and the throttle goes by it', async () => {
		const { bench, client, call, reloaded } = await page();
		bench.service.remaining = 61;
		await call();
		bench.time += 10 * 60_000;
		const later = await reloaded();
		const meter = later.ledger.meter(pattern);
		expect(meter).toEqual(client.ledger.meter(pattern));
		expect(later.clock.now() - (meter?.heard ?? 0)).toBe(10 * 60_000);
		expect(later.resources.pause(pattern)).toBe(pauseFor(meter, later.clock.now()));
		expect(later.resources.pause(pattern)).toBeGreaterThan(10_000);
	});

	test('a window that has passed meanwhile by the clock of the service is left out', async () => {
		const { bench, call, reloaded } = await page();
		bench.ahead = 3_000_000;
		await call();
		bench.time += 700_000;
		expect((await reloaded()).ledger.meter(pattern)).toBeUndefined();
	});

	test('calls of one second are kept together, the last of them too', async () => {
		const { bench, client, call, reloaded } = await page();
		for (let calls = 0; calls < 5; calls += 1) await call();
		await client.memory.tick();
		expect((await reloaded('tab-2')).ledger.meter(pattern)?.remaining).toBe(599);
		bench.time += 1000;
		await client.memory.tick();
		const meter = (await reloaded('tab-3')).ledger.meter(pattern);
		expect(meter?.remaining).toBe(595);
		expect(meter?.history).toHaveLength(5);
	});

	test('a gauge moves in every tab, and one window has one history', async () => {
		const { bench, client, id, call } = await page();
		const other = bench.tab('tab-2');
		await call();
		await expect.poll(() => other.ledger.meter(pattern)?.remaining).toBe(599);
		bench.time += 2000;
		await other.resources.call(characterCall(id));
		await expect.poll(() => client.ledger.meter(pattern)?.remaining).toBe(598);
		expect(client.ledger.meter(pattern)?.history.map(({ remaining }) => remaining)).toEqual([599, 598]);
		expect(other.ledger.meter(pattern)).toEqual(client.ledger.meter(pattern));
	});

	test('what a tab has just heard itself is not overruled by what was kept before', async () => {
		const { bench, client, id, call } = await page();
		const other = bench.tab('tab-2');
		bench.service.reset += 500; // the clock of the service is then set back, and the windows with it
		await call();
		await expect.poll(() => other.ledger.meter(pattern)?.remaining).toBe(599);
		bench.service.reset -= 500;
		bench.service.remaining = 301;
		await other.resources.call(characterCall(id));
		bench.time += 1000;
		await other.memory.tick();
		expect(other.ledger.meter(pattern)?.remaining).toBe(300);
		await expect.poll(() => client.ledger.meter(pattern)?.remaining).toBe(300);
	});

	test('a limit that was changed in the middle of a window is not overruled by what was kept', async () => {
		const { bench, client, call, reloaded } = await page();
		await call();
		const budget = { limit: 3, remaining: 2, reset: bench.service.reset * 1000 };
		client.ledger.observe(pattern, budget, client.clock.now());
		bench.time += 1000;
		await client.memory.tick();
		expect(client.ledger.meter(pattern)).toMatchObject(budget);
		expect((await reloaded('tab-2')).ledger.meter(pattern)).toMatchObject(budget);
	});

	test('a tab acts for whom it acted; a new one for whoever was chosen last', async () => {
		const { bench, client, id, reloaded } = await page();
		const second = await bench.signIn(client);
		await client.choices.keep(id);
		await bench.tab('tab-2').choices.keep(second.id);
		expect(await (await reloaded()).choices.last()).toBe(id);
		expect(await (await reloaded('tab-3')).choices.last()).toBe(second.id);
	});

	test('the steps of a tab are there again, those of its last moment too; another tab has none of them', async () => {
		const { bench, client, call, reloaded } = await page();
		await call();
		client.journal.tell({ kind: 'noticed', what: 'The last of all' });
		bench.leave('tab-1');
		const next = await reloaded();
		expect(sentences(next.journal.steps)).toEqual(sentences(client.journal.steps));
		next.journal.tell({ kind: 'noticed', what: 'After it' });
		expect(next.journal.steps.slice(-2).map(({ seq }) => seq)).toEqual([
			client.journal.steps.length,
			client.journal.steps.length + 1
		]);
		expect((await reloaded('tab-2')).journal.steps).toEqual([]);
	});

	test('a log that was cleared is empty after a reload', async () => {
		const { bench, reloaded } = await page();
		bench.leave('tab-1');
		const next = await reloaded();
		expect(next.journal.steps).not.toEqual([]);
		next.journal.clear();
		bench.leave('tab-1');
		expect((await reloaded()).journal.steps).toEqual([]);
	});

	test('of very many or very long steps the last are kept', async () => {
		const { bench, client, reloaded } = await page();
		for (let step = 0; step < 300; step += 1) client.journal.tell({ kind: 'noticed', what: String(step) });
		bench.leave('tab-1');
		const { journal } = await reloaded();
		expect(journal.steps.map(({ what }) => what)).toEqual(client.journal.steps.slice(-200).map(({ what }) => what));
		expect(journal.steps.at(-1)?.what).toBe('299');

		for (let step = 0; step < 100; step += 1)
			journal.tell({ kind: 'noticed', what: `${'long '.repeat(2000)}${String(step)}` });
		const held = JSON.stringify(bench.leave('tab-1'));
		expect(held).toContain('long 99"');
		expect(held).not.toContain('long 80"');
		expect(held.length).toBeLessThan(110_000);
	});

	test('the steps at one service are not those at another', async () => {
		const { bench, client } = await page();
		const { drawer } = bench.surroundings('tab-1');
		if (drawer === undefined) throw new Error('a tab has a drawer');
		const other = new Workbench('https://other.example').tab('tab-1', { drawer });
		await other.recall();
		other.journal.tell({ kind: 'noticed', what: 'Elsewhere' });
		bench.leave('tab-1');
		const kept = keptSteps(drawer.read());
		expect(kept).toEqual({
			'https://service.example': client.journal.steps,
			'https://other.example': other.journal.steps
		});
	});

	test.each([
		['nothing', null],
		['a text', 'none'],
		['a list', [1]],
		['other things by service', { 'https://service.example': 'none' }],
		['a damaged step', { 'https://service.example': [{ seq: 'one' }] }]
	])('a drawer that holds %s does not break the page', async (_, damage) => {
		const { bench, reloaded } = await page();
		bench.leave('tab-1');
		bench.surroundings('tab-1').drawer?.write(damage);
		const next = await reloaded();
		expect(next.journal.steps).toEqual([]);
		next.journal.tell({ kind: 'noticed', what: 'After it' });
		bench.leave('tab-1');
		expect((await reloaded()).journal.steps.at(-1)?.what).toBe('After it');
	});

	test('a silence is not forgotten: calls are held, in other tabs too, until it is over in all of them', async () => {
		const { bench, client, id, call, reloaded } = await page();
		const other = bench.tab('tab-2');
		bench.service.silent = true;
		bench.service.standing = { state: 'blacklisted', reason: '100 refused calls' };
		expect(await codeOf(call())).toBe('silence');
		expect(await codeOf(call())).toBe('silence');
		await client.breaker.probe();
		await expect.poll(() => other.breaker.standing?.reason).toBe('100 refused calls');
		const later = await reloaded();
		const sent = bench.service.requests.length;
		for (const tab of [later, other]) expect(await codeOf(tab.resources.call(characterCall(id)))).toBe('holding');
		expect(bench.service.requests).toHaveLength(sent);
		expect(later.breaker.standing).toMatchObject({ blacklisted: true, reason: '100 refused calls' });

		bench.service.silent = false;
		bench.service.standing = { state: 'active', reason: '' };
		await later.breaker.tick();
		await expect.poll(() => other.breaker.isOpen).toBe(false);
		expect((await reloaded('tab-3')).breaker.isOpen).toBe(false);
		expect((await other.resources.call(characterCall(id))).status).toBe(200);
	});

	test('a client that could not take up everything keeps no steps: the one opened in its place does', async () => {
		const bench = new Workbench();
		const torn = new (class extends MemoryShelf {
			override read<K extends keyof Kept>(key: K): Promise<Kept[K] | undefined> {
				return key === 'switches' ? Promise.reject(new Error('the disk is gone')) : super.read(key);
			}
		})();
		const given = bench.tab('tab-1', { shelf: torn });
		expect(await codeOf(given.recall())).toBe('client_fault');
		given.journal.tell({ kind: 'noticed', what: 'Nobody sees this' });
		expect(bench.leave('tab-1')).toBeUndefined();
	});

	test('where storage breaks meanwhile, what another tab tells of harms nobody', async () => {
		const bench = new Workbench();
		let reads = 0;
		const gone = new (class extends MemoryShelf {
			override read(): Promise<undefined> {
				reads += 1;
				return Promise.reject(new Error('the disk is gone'));
			}
		})();
		const client = bench.tab('tab-1', { shelf: gone });
		const unheard: unknown[] = [];
		const hear = (fault: unknown) => unheard.push(fault);
		process.on('unhandledRejection', hear);
		await bench.tab('tab-2').switches.change({ format: 'xml' });
		await new Promise((resolve) => setImmediate(resolve));
		process.off('unhandledRejection', hear);
		expect(reads).toBe(4);
		expect(unheard).toEqual([]);
		expect(client.switches.now.format).toBe('json');
	});

	test('no token is kept anywhere but with its session', async () => {
		const { bench, client, id, call } = await page();
		const secrets = /(?:access|refresh)-token-number|viewer-secret/;
		await call();
		await client.switches.change({ credential: 'query' });
		await client.choices.keep(id);
		await client.watchList.add(id, 'Mara Vell', bench.time);
		const session = await client.sessions.get(id);
		if (session !== undefined) await new Explorer(client).show(session, 'Mara Vell');
		const drawer = JSON.stringify(bench.leave('tab-1'));
		expect(drawer).toContain('Stored the tokens in this browser');
		expect(drawer).not.toMatch(secrets);
		expect(await bench.shelf.read('desks')).toMatchObject([{ look: { answer: { status: 200 } } }]);
		for (const key of ['flows', 'switches', 'choices', 'desks', 'watches', 'meters', 'offsets', 'silences'] as const) {
			const kept = JSON.stringify((await bench.shelf.read(key)) ?? null);
			expect(kept).not.toMatch(secrets);
		}
	});
});
