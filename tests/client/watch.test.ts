import { describe, expect, test } from 'vitest';
import { WatchList } from '#client/manners/watch.ts';
import { Workbench } from './workbench.ts';

const pace = { every: 15_000, activeFor: 300_000 };

/** The watch lists of two tabs of one browser. */
function lists() {
	const bench = new Workbench();
	const tab = (name: string) => new WatchList(bench.service.base_url, pace, bench.surroundings(name));
	return { bench, list: tab('tab-1'), other: tab('tab-2'), tab };
}

/** Who is due among recently active people. */
function due(list: WatchList, now: number) {
	return list.due(now, (entry) => list.isActive(entry, now));
}

describe('the watch list', () => {
	test('only the watched characters of recently active people are polled, one at a time', async () => {
		const { list } = lists();
		await list.add('a', 'Mara Vell', 0);
		await list.add('b', 'Half/Life', 0);
		expect(await due(list, 10_000)).toBeUndefined();
		expect((await due(list, 15_000))?.name).toBe('Mara Vell');
		expect((await due(list, 15_000))?.name).toBe('Half/Life');
		expect(await due(list, 15_000)).toBeUndefined();
		await list.touch('b', 290_000);
		expect((await due(list, 400_000))?.session).toBe('b');
		expect(await due(list, 400_000)).toBeUndefined();
		expect((await list.due(400_000, () => true))?.session).toBe('a');
		await list.remove('a', 'Mara Vell');
		expect(list.now.entries.map(({ session }) => session)).toEqual(['b']);
	});

	test('is the same in every tab, and each poll is made by one of them', async () => {
		const { list, other } = lists();
		await list.add('a', 'Mara Vell', 0);
		await expect.poll(() => other.now.entries).toHaveLength(1);
		const asked = await Promise.all([list, other, list, other].map((one) => due(one, 15_000)));
		expect(asked.filter((entry) => entry !== undefined)).toHaveLength(1);
		await list.note('a', 'Mara Vell', 'not_found');
		await expect.poll(() => other.now.entries[0]?.last).toBe('not_found');
	});

	test('outlives the page, with the pace it had', async () => {
		const { list, tab } = lists();
		await list.add('a', 'Mara Vell', 1000);
		const later = tab('tab-1');
		await later.load();
		expect(later.now).toEqual(list.now);
		expect(await due(later, 15_000)).toBeUndefined();
		expect((await due(later, 16_000))?.name).toBe('Mara Vell');
	});

	test('those who have signed out meanwhile are taken off, and are not away', async () => {
		const { list } = lists();
		await list.add('a', 'Mara Vell', 0);
		await list.add('b', 'Half/Life', 0);
		await list.leave('a');
		await list.keepOnly(['b']);
		expect(list.now).toMatchObject({ entries: [{ session: 'b' }], away: null });
	});

	test('whoever does something is not away; acts meanwhile are counted', async () => {
		const { list } = lists();
		await list.add('a', 'Mara Vell', 0);
		await list.leave('a');
		await list.note('a', 'Mara Vell', 'answered');
		await list.note('a', 'Mara Vell', 'silence');
		expect(list.now.away).toEqual({ session: 'a', acted: 1 });
		await list.touch('b', 1000);
		expect(list.now.away?.session).toBe('a');
		await list.touch('a', 1000);
		expect(list.now.away).toBeNull();
	});

	test('a clock that was set back does not silence it', async () => {
		const { list } = lists();
		await list.add('a', 'Mara Vell', 1_000_000);
		expect((await due(list, 900_000))?.name).toBe('Mara Vell');
	});

	test('of two that are due, the one that has waited longer is asked for first', async () => {
		const { list } = lists();
		await list.add('a', 'Later', 1000);
		await list.add('a', 'Earlier', 0);
		expect((await due(list, 20_000))?.name).toBe('Earlier');
		expect((await due(list, 20_000))?.name).toBe('Later');
	});

	test('one character of one person is what is taken off, and what is noted', async () => {
		const { list } = lists();
		await list.add('a', 'Mara Vell', 0);
		await list.add('a', 'Half/Life', 0);
		await list.add('b', 'Mara Vell', 0);
		await list.leave('b');
		await list.note('a', 'Mara Vell', 'answered');
		expect(list.now.entries.map(({ last }) => last)).toEqual(['answered', '', '']);
		await list.remove('a', 'Mara Vell');
		expect(list.now.entries.map(({ session, name }) => [session, name])).toEqual([
			['a', 'Half/Life'],
			['b', 'Mara Vell']
		]);
		expect(list.now.away).toEqual({ session: 'b', acted: 0 });
	});

	test('who is away stays away, whatever others do, until they are back', async () => {
		const { list, other } = lists();
		await list.add('a', 'Mara Vell', 0);
		await list.add('b', 'Half/Life', 0);
		await list.leave('a');
		await list.touch('b', 1000);
		await list.keepOnly(['a', 'b']);
		await list.keepOnly(['a']);
		expect(list.now).toMatchObject({ entries: [{ session: 'a' }], away: { session: 'a' } });
		await expect.poll(() => other.now.away?.session).toBe('a');
		await other.leave(undefined);
		await expect.poll(() => list.now.away).toBeNull();
	});

	test('who is away without a watched character is back too, once they do something or have signed out', async () => {
		const { list } = lists();
		await list.leave('a');
		await list.touch('a', 0);
		expect(list.now.away).toBeNull();
		await list.leave('a');
		await list.keepOnly([]);
		expect(list.now.away).toBeNull();
	});

	test('what changes nothing is not written, and nobody is told of it', async () => {
		const { list } = lists();
		await list.add('a', 'Mara Vell', 0);
		let told = 0;
		list.listen(() => (told += 1));
		await list.touch('stranger', 1000);
		await list.keepOnly(['a', 'b']);
		expect(await due(list, 1000)).toBeUndefined();
		expect(told).toBe(0);
	});

	test('is shown changed at once, before it is kept', () => {
		const { list } = lists();
		void list.add('a', 'Mara Vell', 0);
		expect(list.now.entries).toHaveLength(1);
	});

	test('takes in what another tab has written first', async () => {
		const { list, other } = lists();
		await Promise.all([list.add('a', 'Mara Vell', 0), other.add('b', 'Half/Life', 0)]);
		for (const one of [list, other]) await expect.poll(() => one.now.entries).toHaveLength(2);
	});

	test('is another one at each service', async () => {
		const { bench, list } = lists();
		const elsewhere = new WatchList('https://other.example', pace, bench.surroundings('tab-1'));
		await list.add('a', 'Mara Vell', 0);
		await elsewhere.load();
		expect(elsewhere.now.entries).toEqual([]);
	});
});
