import { expect, it } from 'vitest';
import { StoreFull } from '#store/errors.ts';
import type { TestedStore } from './contract.ts';

/** Tests expiry and limits, on the store that `get` returns. */
export function testLimits(get: () => TestedStore): void {
	const at = (sandbox?: string) => get().at(sandbox);

	it('hides a record from the instant at which it expires, on the clock of its kind', async () => {
		const tested = get();
		await at().update('plain', 'a', () => ({ value: 1, expires: tested.now + 100 }));
		await at().update('session', 's', () => ({ value: 1, expires: tested.now + 100 }));
		tested.offset = 99;
		expect(await at().get('plain', 'a')).toBeDefined();
		tested.offset = 100;
		expect(await at().get('plain', 'a')).toBeUndefined();
		expect(await at().list('plain')).toEqual([]);
		expect(await at().delete('plain', 'a')).toBeUndefined();
		expect(await at().get('session', 's')).toBeDefined();
		tested.now += 100;
		expect(await at().get('session', 's')).toBeUndefined();
	});

	it('passes no expired record to an update, and the new record is the youngest', async () => {
		const tested = get();
		await at().update('plain', 'a', () => ({ value: 1, expires: tested.now + 100 }));
		await at().update('plain', 'b', () => ({ value: 1 }));
		tested.now += 100;
		const seen: unknown[] = [];
		await at().update('plain', 'a', (record) => {
			seen.push(record);
			return { value: 2 };
		});
		expect(seen.at(-1)).toBeUndefined();
		expect(await tested.ids('plain')).toEqual(['b', 'a']);
	});

	it('purges expired records and returns how many', async () => {
		const tested = get();
		const { now } = tested;
		for (let count = 0; count < 10; count++)
			await at().update('plain', String(count), () => ({ value: count, expires: now + count }));
		await at().update('plain', 'x', () => ({ value: 1 }));
		tested.now += 4;
		const before = await tested.ids('plain');
		let purged = 0;
		for (let found = 1; found > 0; purged += found) found = await at().purge();
		expect(before).toHaveLength(6);
		expect(purged, 'insertions may have deleted some').toBeLessThanOrEqual(5);
		expect(await at().purge()).toBe(0);
		expect(await tested.ids('plain')).toHaveLength(6);
	});

	it('evicts the oldest record for a new one, by the limit of the sandbox', async () => {
		const tested = get();
		for (const sandbox of ['small', 'other'])
			for (const id of ['a', 'b', 'c', 'd']) await at(sandbox).update('plain', id, () => ({ value: 1 }));
		expect(await tested.ids('plain', 'small')).toEqual(['b', 'c', 'd']);
		expect(await tested.ids('plain', 'other')).toEqual(['a', 'b', 'c', 'd']);
		await at('small').delete('plain', 'c');
		await at('small').update('plain', 'e', () => ({ value: 1 }));
		expect(await tested.ids('plain', 'small')).toEqual(['b', 'd', 'e']);
		await at('small').replace({ plain: [] });
		for (const id of ['f', 'g', 'h']) await at('small').update('plain', id, () => ({ value: 1 }));
		expect(await tested.ids('plain', 'small')).toEqual(['f', 'g', 'h']);
	});

	it('evicts no record in which a field has reached its minimum, unless it has expired', async () => {
		const tested = get();
		const put = (id: string, uses: number, expires = tested.now + 100) =>
			at().update('counted', id, () => ({ uses, expires }));
		await put('a', 10, tested.now + 1);
		await put('b', 9);
		await put('c', 11);
		await put('d', 10);
		expect(await tested.ids('counted')).toEqual(['a', 'c', 'd']);
		await expect(put('e', 10)).rejects.toThrow(StoreFull);
		expect(await tested.ids('counted')).toEqual(['a', 'c', 'd']);
		await put('c', 12);
		tested.now += 1;
		await put('e', 10);
		expect(await tested.ids('counted')).toEqual(['c', 'd', 'e']);
	});

	it('evicts none of a kind that is protected as a whole', async () => {
		const put = (id: string) => at().update('permanent', id, () => ({ value: 1 }));
		for (const id of ['a', 'b', 'a']) await put(id);
		await expect(put('c')).rejects.toThrow(StoreFull);
		expect(await get().ids('permanent')).toEqual(['a', 'b']);
	});

	it('evicts records with an expiry only, where the others are protected', async () => {
		const tested = get();
		const put = (id: string, expiry: { readonly expires?: number } = {}) =>
			at().update('renewable', id, () => ({ value: 1, ...expiry }));
		await put('a');
		await put('b', { expires: tested.now + 100 });
		await put('c');
		expect(await tested.ids('renewable')).toEqual(['a', 'c']);
		await expect(put('d', { expires: tested.now + 100 })).rejects.toThrow(StoreFull);
	});

	it('counts the weight of records, and evicts none in vain', async () => {
		const put = (id: string, weight: number) => at().update('weighed', id, () => ({ text: id, weight }));
		for (const [id, weight] of [
			['a', 4],
			['b', 4],
			['a', 2],
			['c', 4]
		] as const)
			await put(id, weight);
		expect(await get().ids('weighed')).toEqual(['a', 'b', 'c']);
		await put('d', 6);
		expect(await get().ids('weighed')).toEqual(['c', 'd']);
		await expect(put('e', 11)).rejects.toThrow(StoreFull);
		expect(await get().ids('weighed')).toEqual(['c', 'd']);
	});

	it('replaces nothing if there are too many records, and counts the weight of new ones', async () => {
		const record = (weight: number) => ({ text: 'x', weight });
		await at().update('weighed', 'a', () => record(4));
		await at().update('plain', 'a', () => ({ value: 1 }));
		const tooMuch = at().replace({
			plain: [],
			weighed: [
				['b', record(6)],
				['c', record(5)]
			]
		});
		await expect(tooMuch).rejects.toThrow(StoreFull);
		expect([await get().ids('plain'), await get().ids('weighed')]).toEqual([['a'], ['a']]);
		await at().replace({
			weighed: [
				['b', record(6)],
				['c', record(2)],
				['b', record(6)]
			]
		});
		await at().update('weighed', 'd', () => record(3));
		expect(await get().ids('weighed'), 'the oldest record is evicted').toEqual(['c', 'd']);
	});

	it('keeps records that have expired by a clock which is about to be set back', async () => {
		const tested = get();
		tested.offset = 10_000;
		await at().replace({
			plain: [
				['a', { value: 1, expires: tested.now + 100 }],
				['b', { value: 2 }]
			]
		});
		tested.offset = 0;
		expect(await tested.ids('plain')).toEqual(['a', 'b']);
	});
}
