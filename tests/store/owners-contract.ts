import { expect, it } from 'vitest';
import { StoreFull } from '#store/errors.ts';
import type { TestedStore } from './contract.ts';

/** Tests whose record is evicted where records have owners, on the store that `get` returns. */
export function testOwners(get: () => TestedStore): void {
	const put = (by: string | undefined, id: string, weight = 1) =>
		get()
			.at()
			.update('owned', id, () => ({ ...(by === undefined ? {} : { by }), weight }));
	const owned = () => get().ids('owned');

	it('evicts the oldest record of the owner that holds the most', async () => {
		await put('one', 'a');
		for (const id of ['b', 'c', 'd', 'e', 'f', 'g', 'h']) await put('flood', id);
		expect(await owned(), 'its own').toEqual(['a', 'd', 'e', 'f', 'g', 'h']);
		await put('other', 'i');
		await put('one', 'j');
		expect(await owned()).toEqual(['a', 'f', 'g', 'h', 'i', 'j']);
		await get().at().delete('owned', 'f');
		await put('other', 'k');
		for (const id of ['l', 'm']) await put('flood', id);
		expect(await owned(), 'of owners that hold as much, the one that adds a record').toEqual([
			'a',
			'i',
			'j',
			'k',
			'l',
			'm'
		]);
	});

	it('counts the weight of what an owner holds', async () => {
		await put('one', 'a');
		await put('one', 'b');
		await put('heavy', 'c', 4);
		await put('one', 'd');
		expect(await owned()).toEqual(['a', 'b', 'd']);
		await put('one', 'a', 4);
		await put('other', 'e');
		expect(await owned(), 'also of one that has changed').toEqual(['b', 'd', 'e']);
	});

	it('evicts records of others for one that grows, not that one', async () => {
		await put('one', 'a', 4);
		await put('two', 'b');
		await put('three', 'c');
		await put('one', 'a', 5);
		expect((await owned()).includes('a')).toBe(true);
		expect(await owned()).toHaveLength(2);
	});

	it('counts records without an owner together', async () => {
		await put(undefined, 'a');
		for (const id of ['b', 'c', 'd']) await put(undefined, id);
		for (const id of ['e', 'f', 'g', 'h']) await put('one', id);
		expect(await owned()).toEqual(['b', 'c', 'd', 'f', 'g', 'h']);
		await put('two', 'i');
		await put('three', 'j');
		expect((await owned()).filter((id) => id > 'h')).toEqual(['i', 'j']);
	});

	it('evicts a protected record for an owner that holds less, once no other is left', async () => {
		const tested = get();
		const claim = (by: string | undefined, id: string, expiry: { readonly expires?: number } = {}) =>
			tested.at().update('claimed', id, () => ({ ...(by === undefined ? {} : { by }), ...expiry }));
		const ids = () => tested.ids('claimed');
		await claim('one', 'a');
		await claim('flood', 'b');
		await claim('flood', 'c');
		await claim('done', 'd', { expires: tested.now + 100 });
		await claim('two', 'x', { expires: tested.now + 100 });
		expect(await ids(), 'the owner that holds the most').toEqual(['a', 'c', 'd', 'x']);
		await claim('three', 'e');
		expect(await ids(), 'each holds one, so one that is not protected').toHaveLength(4);
		expect(await ids()).toEqual(expect.arrayContaining(['a', 'c', 'e']));
		for (const id of ['d', 'x', 'e']) await tested.at().delete('claimed', id);
		await claim('flood', 'd');
		await claim('flood', 'e');
		await claim('two', 'f');
		expect(await ids()).toEqual(['a', 'd', 'e', 'f']);
		await claim('flood', 'g');
		expect(await ids(), 'its own').toEqual(['a', 'e', 'f', 'g']);
		await claim('three', 'h');
		expect(await ids()).toEqual(['a', 'f', 'g', 'h']);
		await expect(claim('four', 'i'), 'each holds one').rejects.toThrow(StoreFull);
		await expect(claim(undefined, 'i')).rejects.toThrow(StoreFull);
		expect(await ids()).toEqual(['a', 'f', 'g', 'h']);
		await claim('flood', 'g', { expires: tested.now + 100 });
		await claim(undefined, 'i');
		await claim('one', 'a', { expires: tested.now + 100 });
		await claim('two', 'j');
		expect(await ids()).toEqual(['a', 'h', 'i', 'j']);
	});

	it('evicts the oldest record of a group that has reached its limit', async () => {
		const tested = get();
		const add = (by: string, id: string, group?: string) =>
			tested.at().update('grouped', id, () => ({ by, ...(group === undefined ? {} : { group }) }));
		for (const id of ['a', 'b', 'c', 'd']) await add('one', id, 'x');
		for (const id of ['e', 'f', 'g']) await add('one', id);
		expect(await tested.ids('grouped')).toEqual(['c', 'd', 'e', 'f', 'g']);
		await add('two', 'h', 'x');
		await tested.at().delete('grouped', 'd');
		await add('two', 'i', 'x');
		expect(await tested.ids('grouped')).toEqual(['e', 'f', 'g', 'h', 'i']);
		await tested.at().replace({ grouped: ['r', 's', 't'].map((id) => [id, { by: 'one', group: 'y' }]) });
		await add('one', 'u', 'y');
		expect(await tested.ids('grouped'), 'also of records that replaced others').toEqual(['t', 'u']);
	});

	it('knows the owners of records that replaced others', async () => {
		const tested = get();
		const record = (by: string) => ({ by, weight: 1 });
		await put('gone', 'z');
		await tested.at().replace({
			owned: ['a', 'b', 'c', 'd', 'e'].map((id) => [id, record(id === 'a' ? 'one' : 'flood')])
		});
		for (const id of ['f', 'g']) await put('two', id);
		expect(await owned()).toEqual(['a', 'c', 'd', 'e', 'f', 'g']);
	});
}
