import { beforeEach, describe, expect, it } from 'vitest';
import type { SandboxStore, Store, StoreOptions } from '#store/store.ts';
import { testLimits } from './limits-contract.ts';
import { testOwners } from './owners-contract.ts';

/** Kinds of records, at least one for each option of a collection. */
export type Samples = {
	plain: { readonly value: number; readonly expires?: number; readonly note?: string | undefined };
	counted: { readonly uses: number; readonly expires?: number };
	weighed: { readonly text: string; readonly weight: number };
	permanent: { readonly value: number };
	renewable: { readonly value: number; readonly expires?: number };
	session: { readonly value: number; readonly expires: number };
	owned: { readonly by?: string; readonly weight: number };
	claimed: { readonly by?: string; readonly expires?: number };
	grouped: { readonly by: string; readonly group?: string };
};

const options: StoreOptions<Samples> = {
	plain: { maxPerSandbox: 100, maxFor: { small: 3 }, clock: 'sandbox', durable: true },
	counted: { maxPerSandbox: 3, clock: 'sandbox', protect: [{ field: 'uses', min: 10 }] },
	weighed: { maxPerSandbox: 10, clock: 'sandbox', weightField: 'weight' },
	permanent: { maxPerSandbox: 2, clock: 'sandbox', protect: 'all' },
	renewable: { maxPerSandbox: 2, clock: 'sandbox', protect: 'without_expiry' },
	session: { maxPerSandbox: 100, clock: 'real' },
	owned: { maxPerSandbox: 6, clock: 'sandbox', owner: 'by', weightField: 'weight' },
	claimed: { maxPerSandbox: 4, clock: 'sandbox', owner: 'by', protect: 'without_expiry' },
	grouped: { maxPerSandbox: 6, clock: 'sandbox', owner: 'by', maxPerGroup: { field: 'group', max: 2 } }
};

/** A store under test and its clocks. */
export type TestedStore = {
	readonly store: Store<Samples>;
	/** The real clock, in milliseconds. */
	now: number;
	/** How far the sandbox clock is ahead, in milliseconds. */
	offset: number;
	at(sandbox?: string): SandboxStore<Samples>;
	/** The ids of the records of a kind, oldest first. */
	ids(kind: keyof Samples, sandbox?: string): Promise<string[]>;
};

/** Tests that a store does what `Store` and `SandboxStore` promise. `make` returns an empty one. */
export function testStore(name: string, make: (options: StoreOptions<Samples>) => Promise<Store<Samples>>): void {
	describe(`store contract: ${name}`, () => {
		let tested: TestedStore;
		const at = (sandbox?: string) => tested.at(sandbox);
		const ids = (sandbox?: string) => tested.ids('plain', sandbox);

		beforeEach(async () => {
			const store = await make(options);
			const clocks = { sandbox: () => tested.now + tested.offset, real: () => tested.now };
			const sandboxStore = (sandbox = 'root') => store.forSandbox(sandbox, clocks);
			tested = {
				store,
				now: 1_000_000,
				offset: 0,
				at: sandboxStore,
				ids: async (kind, sandbox) => (await sandboxStore(sandbox).list(kind)).map(([id]) => id)
			};
		});

		it('returns a stored record, and undefined for any other id, kind or sandbox', async () => {
			expect(await at().update('plain', 'a', () => ({ value: 1, note: undefined }))).toEqual({ value: 1 });
			expect(await at().get('plain', 'a')).toEqual({ value: 1 });
			expect(await at().get('plain', 'b')).toBeUndefined();
			expect(await at().get('permanent', 'a')).toBeUndefined();
			expect(await at('other').get('plain', 'a')).toBeUndefined();
		});

		it('counts the records of a sandbox, of all kinds', async () => {
			expect(await at().count()).toBe(0);
			for (const id of ['a', 'b', 'b']) await at().update('plain', id, () => ({ value: 1 }));
			await at().update('weighed', 'a', () => ({ text: 'x', weight: 4 }));
			await at('other').update('plain', 'a', () => ({ value: 1 }));
			expect(await at().count()).toBe(3);
			await at().delete('plain', 'a');
			await at().replace({ weighed: [] });
			expect([await at().count(), await at('other').count()]).toEqual([1, 1]);
		});

		it('accepts any text as an id', async () => {
			const odd = ['', '__proto__', 'constructor', 'a/b', 'player-one\ncharacter-viewer', 'Zoë', '\u0000', '[]'];
			for (const [value, id] of odd.entries()) await at().update('plain', id, () => ({ value }));
			for (const [value, id] of odd.entries()) expect(await at().get('plain', id)).toEqual({ value });
			expect(await ids()).toEqual(odd);
		});

		it('updates atomically: each of many parallel updates sees the one before', async () => {
			const increment = () => at().update('plain', 'n', (record) => ({ value: (record?.value ?? 0) + 1 }));
			const results = await Promise.all(Array.from({ length: 50 }, increment));
			const values = results.map((record) => record?.value ?? 0).sort((one, other) => one - other);
			expect(values).toEqual(Array.from({ length: 50 }, (_, index) => index + 1));
			expect(await at().get('plain', 'n')).toEqual({ value: 50 });
		});

		it('returns a record to one of many parallel deletions', async () => {
			await at().update('plain', 'code', () => ({ value: 1 }));
			const deleted = await Promise.all(Array.from({ length: 20 }, () => at().delete('plain', 'code')));
			expect(deleted.filter((record) => record !== undefined)).toEqual([{ value: 1 }]);
		});

		it('deletes if the change returns undefined, and changes nothing if it returns the same record', async () => {
			await at().update('plain', 'a', () => ({ value: 1 }));
			expect(await at().update('plain', 'a', (record) => record)).toEqual({ value: 1 });
			expect(await at().update('plain', 'a', () => undefined)).toBeUndefined();
			expect(await at().get('plain', 'a')).toBeUndefined();
			expect(await at().update('plain', 'b', () => undefined)).toBeUndefined();
		});

		it('changes nothing if the change throws', async () => {
			await at().update('plain', 'a', () => ({ value: 1 }));
			const fail = () => {
				throw new RangeError('no');
			};
			await expect(at().update('plain', 'a', fail)).rejects.toThrow(RangeError);
			expect(await at().get('plain', 'a')).toEqual({ value: 1 });
		});

		it('lists the oldest record first; an update does not change the age', async () => {
			for (const id of ['c', 'a', 'b']) await at().update('plain', id, () => ({ value: 1 }));
			await at().update('plain', 'c', () => ({ value: 2 }));
			expect(await ids()).toEqual(['c', 'a', 'b']);
		});

		it('replaces the records of a kind in one step, oldest first, and leaves other kinds alone', async () => {
			for (const id of ['a', 'b']) await at().update('plain', id, () => ({ value: 1 }));
			await at().update('permanent', 'k', () => ({ value: 1 }));
			const seen: Promise<string>[] = [];
			const look = () => seen.push(ids().then((list) => list.join()));
			look();
			const replaced = at().replace({
				plain: [
					['z', { value: 2 }],
					['c', { value: 2 }]
				],
				weighed: [['w', { text: 'x', weight: 1 }]]
			});
			for (let round = 0; round < 5; round++) look();
			await replaced;
			look();
			for (const list of await Promise.all(seen)) expect(['a,b', 'z,c']).toContain(list);
			expect(await ids()).toEqual(['z', 'c']);
			expect(await at().get('weighed', 'w')).toEqual({ text: 'x', weight: 1 });
			expect(await at().get('permanent', 'k')).toBeDefined();
			await at().update('plain', 'd', () => ({ value: 1 }));
			expect([await ids(), await at().count()]).toEqual([['z', 'c', 'd'], 5]);
		});

		it('derives the new records of a kind from the live ones in one step', async () => {
			for (const [id, expires] of [
				['a', 1_000_300],
				['b', 1_000_100]
			] as const) {
				await at().update('plain', id, () => ({ value: 1, expires }));
			}
			tested.offset = 200;
			const change = at().replace((list) => {
				const live = list('plain');
				tested.offset = 0;
				return { plain: live.map(([id, { value }]) => [id, { value: value + 1 }]) };
			});
			const later = at().update('plain', 'a', (record) => record && { value: record.value * 10 });
			await Promise.all([change, later]);
			expect(await at().list('plain')).toEqual([['a', { value: 20 }]]);
		});

		it('returns the records with the lowest values above a bound, and counts the others', async () => {
			const values = [50, 10, 40, 20, 20, 30, 60];
			for (const [index, value] of values.entries()) {
				const expires = value === 40 ? 1_000_000 : 1_000_500;
				await at().update('plain', `r${index}`, () => ({ value, expires }));
			}
			const lowest = async (above: number, most: number) => {
				const { records, total } = await at().lowest('plain', 'value', above, most);
				return [records.map(([, { value }]) => value), total];
			};
			expect(await lowest(10, 3), 'the expired one is left out').toEqual([[20, 20, 30], 5]);
			expect(await lowest(0, 1)).toEqual([[10], 6]);
			expect(await lowest(0, 10)).toEqual([[10, 20, 20, 30, 50, 60], 6]);
			expect(await lowest(60, 10)).toEqual([[], 0]);
			for (const expires of [1_000_300, 999_999, 1_000_100, 1_000_200])
				await at().update('session', `${expires}`, () => ({ value: 1, expires }));
			const soonest = async (above: number, most: number) => {
				const { records, total } = await at().lowest('session', 'expires', above, most);
				return [records.map(([id]) => id), total];
			};
			expect(await soonest(0, 2), 'the expired one is left out').toEqual([['1000100', '1000200'], 3]);
			expect(await soonest(1_000_100, 2)).toEqual([['1000200', '1000300'], 2]);
		});

		it('lists the sandboxes that hold records', async () => {
			expect(await tested.store.sandboxes()).toEqual([]);
			for (const sandbox of ['root', 'one', 'two']) {
				await at(sandbox).update('plain', 'a', () => ({ value: 1 }));
				await at(sandbox).update('plain', 'b', () => ({ value: 1 }));
				await at(sandbox).update('session', 'a', () => ({ value: 1, expires: tested.now + 100 }));
			}
			await at('read').get('plain', 'a');
			expect((await tested.store.sandboxes()).sort()).toEqual(['one', 'root', 'two']);
			await tested.store.drop('one');
			await at('two').replace({ plain: [], session: [] });
			expect(await tested.store.sandboxes()).toEqual(['root']);
		});

		it('deletes a dropped sandbox with all its records, and no other', async () => {
			for (const sandbox of ['root', 'other']) {
				await at(sandbox).update('plain', 'a', () => ({ value: 1 }));
				await at(sandbox).update('session', 'a', () => ({ value: 1, expires: tested.now + 100 }));
			}
			await tested.store.drop('other');
			expect([await ids('other'), await tested.ids('session', 'other')]).toEqual([[], []]);
			expect([await ids(), await tested.ids('session')]).toEqual([['a'], ['a']]);
		});

		it('does not store what is written to a sandbox after it was dropped', async () => {
			const late = at('other');
			await late.update('plain', 'a', () => ({ value: 1 }));
			await tested.store.drop('other');
			await late.update('plain', 'b', () => ({ value: 1 }));
			await late.replace({ plain: [['c', { value: 1 }]] });
			expect([await ids('other'), await at('other').count()]).toEqual([[], 0]);
			expect(await tested.store.sandboxes()).toEqual([]);
			await at('other').update('plain', 'd', () => ({ value: 1 }));
			expect(await ids('other')).toEqual(['d']);
		});

		it('settles: after that no change of a durable kind waits', async () => {
			expect(tested.store.settled()).toBeUndefined();
			await at().update('session', 'a', () => ({ value: 1, expires: tested.now + 100 }));
			expect(tested.store.settled(), 'the kind is not durable').toBeUndefined();
			await at().update('plain', 'a', () => ({ value: 1 }));
			await at('other').update('plain', 'a', () => ({ value: 1 }));
			await tested.store.settled();
			expect(tested.store.settled()).toBeUndefined();
			await at().delete('plain', 'a');
			await at().replace({ plain: [['b', { value: 1 }]] });
			await tested.store.drop('other');
			await tested.store.settled();
			expect(tested.store.settled()).toBeUndefined();
		});

		testLimits(() => tested);
		testOwners(() => tested);
	});
}
