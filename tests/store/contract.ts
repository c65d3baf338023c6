import { beforeEach, describe, expect, it } from 'vitest';
import { StoreFull, type SandboxStore, type StoreOptions, type Store } from '#store/store.ts';

/** Kinds of record with which each rule of a store can be seen. */
export type Samples = {
	plain: { readonly value: number; readonly expires?: number; readonly note?: string | undefined };
	kept: { readonly value: number; readonly isProtected: boolean; readonly expires?: number };
	weighed: { readonly text: string };
	session: { readonly value: number; readonly expires: number };
};

const rules: StoreOptions<Samples> = {
	plain: { capacity: (sandbox) => (sandbox === 'small' ? 3 : 100), clock: 'sandbox', durable: true },
	kept: { capacity: () => 3, clock: 'sandbox', isProtected: ({ isProtected }) => isProtected },
	weighed: { capacity: () => 10, clock: 'sandbox', sizeOf: ({ text }) => text.length },
	session: { capacity: () => 100, clock: 'real' }
};

/** Holds a store to what `Store` and `Area` promise. `make` gives an empty one. */
export function holdsContract(name: string, make: (rules: StoreOptions<Samples>) => Promise<Store<Samples>>): void {
	describe(`store contract: ${name}`, () => {
		let store: Store<Samples>;
		let now = 1_000_000;
		let ahead = 0;
		const clocks = { sandbox: () => now + ahead, real: () => now };
		const area = (sandbox = 'root'): SandboxStore<Samples> => store.forSandbox(sandbox, clocks);
		const ids = async (sandbox = 'root') => (await area(sandbox).list('plain')).map(([id]) => id);

		beforeEach(async () => {
			[now, ahead] = [1_000_000, 0];
			store = await make(rules);
		});

		it('gives back what was put in, and nothing of what was not', async () => {
			expect(await area().update('plain', 'a', () => ({ value: 1, note: undefined }))).toEqual({ value: 1 });
			expect(await area().get('plain', 'a')).toEqual({ value: 1 });
			expect(await area().get('plain', 'b')).toBeUndefined();
			expect(await area().get('kept', 'a')).toBeUndefined();
			expect(await area('other').get('plain', 'a')).toBeUndefined();
		});

		it('counts the records of a sandbox, of all kinds', async () => {
			expect(await area().count()).toBe(0);
			for (const id of ['a', 'b', 'b']) await area().update('plain', id, () => ({ value: 1 }));
			await area().update('weighed', 'a', () => ({ text: 'four' }));
			await area('other').update('plain', 'a', () => ({ value: 1 }));
			expect(await area().count()).toBe(3);
			await area().delete('plain', 'a');
			await area().replace({ weighed: [] });
			expect([await area().count(), await area('other').count()]).toEqual([1, 1]);
		});

		it('takes any text for an id', async () => {
			const odd = ['', '__proto__', 'constructor', 'a/b', 'player-one\ncharacter-viewer', 'Zoë', '\u0000', '[]'];
			for (const [value, id] of odd.entries()) await area().update('plain', id, () => ({ value }));
			for (const [value, id] of odd.entries()) expect(await area().get('plain', id)).toEqual({ value });
			expect(await ids()).toEqual(odd);
		});

		it('updates in one step: of many at once each sees the one before', async () => {
			const bump = () => area().update('plain', 'n', (record) => ({ value: (record?.value ?? 0) + 1 }));
			const results = await Promise.all(Array.from({ length: 50 }, bump));
			expect(results.map((record) => record?.value).sort((one, other) => (one ?? 0) - (other ?? 0))).toEqual(
				Array.from({ length: 50 }, (_, at) => at + 1)
			);
			expect(await area().get('plain', 'n')).toEqual({ value: 50 });
		});

		it('lets one of many take what is there once', async () => {
			await area().update('plain', 'code', () => ({ value: 1 }));
			const taken = await Promise.all(Array.from({ length: 20 }, () => area().delete('plain', 'code')));
			expect(taken.filter((record) => record !== undefined)).toEqual([{ value: 1 }]);
		});

		it('deletes where the change gives undefined, and changes nothing where it gives what was there', async () => {
			await area().update('plain', 'a', () => ({ value: 1 }));
			expect(await area().update('plain', 'a', (record) => record)).toEqual({ value: 1 });
			expect(await area().update('plain', 'a', () => undefined)).toBeUndefined();
			expect(await area().get('plain', 'a')).toBeUndefined();
			expect(await area().update('plain', 'b', () => undefined)).toBeUndefined();
		});

		it('changes nothing where the change throws', async () => {
			await area().update('plain', 'a', () => ({ value: 1 }));
			const refuse = () => {
				throw new RangeError('no');
			};
			await expect(area().update('plain', 'a', refuse)).rejects.toThrow(RangeError);
			expect(await area().get('plain', 'a')).toEqual({ value: 1 });
		});

		it('lists the oldest first; a change does not make a record younger', async () => {
			for (const id of ['c', 'a', 'b']) await area().update('plain', id, () => ({ value: 1 }));
			await area().update('plain', 'c', () => ({ value: 2 }));
			expect(await ids()).toEqual(['c', 'a', 'b']);
		});

		it('shows no record from the instant at which it expires, on the clock of its kind', async () => {
			await area().update('plain', 'a', () => ({ value: 1, expires: now + 100 }));
			await area().update('session', 's', () => ({ value: 1, expires: now + 100 }));
			ahead = 99;
			expect(await area().get('plain', 'a')).toBeDefined();
			ahead = 100;
			expect(await area().get('plain', 'a')).toBeUndefined();
			expect(await area().list('plain')).toEqual([]);
			expect(await area().delete('plain', 'a')).toBeUndefined();
			expect(await area().get('session', 's')).toBeDefined();
			now += 100;
			expect(await area().get('session', 's')).toBeUndefined();
		});

		it('gives a change no expired record, and a new one in its place is young', async () => {
			await area().update('plain', 'a', () => ({ value: 1, expires: now + 100 }));
			await area().update('plain', 'b', () => ({ value: 1 }));
			now += 100;
			const seen: unknown[] = [];
			await area().update('plain', 'a', (record) => {
				seen.push(record);
				return { value: 2 };
			});
			expect(seen.at(-1)).toBeUndefined();
			expect(await ids()).toEqual(['b', 'a']);
		});

		it('purges what has expired, and says how much', async () => {
			for (let at = 0; at < 10; at++)
				await area().update('plain', String(at), () => ({ value: at, expires: now + at }));
			await area().update('plain', 'x', () => ({ value: 1 }));
			now += 4;
			const before = (await ids()).length;
			let gone = 0;
			for (let found = 1; found > 0; gone += found) found = await area().purge();
			expect(before).toBe(6);
			expect(gone, 'less those that made room as others came').toBeLessThanOrEqual(5);
			expect(await area().purge()).toBe(0);
			expect(await ids()).toHaveLength(6);
		});

		it('lets the oldest give way to a new one', async () => {
			for (const id of ['a', 'b', 'c', 'd']) await area('small').update('plain', id, () => ({ value: 1 }));
			expect(await ids('small')).toEqual(['b', 'c', 'd']);
			await area('small').delete('plain', 'c');
			await area('small').update('plain', 'e', () => ({ value: 1 }));
			expect(await ids('small')).toEqual(['b', 'd', 'e']);
		});

		it('lets none give way that must be kept, unless it has expired, and then is full', async () => {
			const put = (id: string, isProtected: boolean, expires = now + 100) =>
				area().update('kept', id, () => ({ value: 1, isProtected, expires }));
			await put('a', true, now + 1);
			await put('b', false);
			await put('c', true);
			await put('d', true);
			expect((await area().list('kept')).map(([id]) => id)).toEqual(['a', 'c', 'd']);
			await expect(put('e', true)).rejects.toThrow(StoreFull);
			expect((await area().list('kept')).map(([id]) => id)).toEqual(['a', 'c', 'd']);
			await put('c', true);
			now += 1;
			await put('e', true);
			expect((await area().list('kept')).map(([id]) => id)).toEqual(['c', 'd', 'e']);
		});

		it('counts what records weigh', async () => {
			const put = (id: string, text: string) => area().update('weighed', id, () => ({ text }));
			await put('a', 'xxxx');
			await put('b', 'xxxx');
			await put('a', 'xx');
			await put('c', 'xxxx');
			expect((await area().list('weighed')).map(([id]) => id)).toEqual(['a', 'b', 'c']);
			await put('d', 'xxxxxx');
			expect((await area().list('weighed')).map(([id]) => id)).toEqual(['c', 'd']);
			await expect(put('e', 'x'.repeat(11))).rejects.toThrow(StoreFull);
			expect(
				(await area().list('weighed')).map(([id]) => id),
				'nothing gave way in vain'
			).toEqual(['c', 'd']);
		});

		it('puts records in place of others in one step, the oldest first, and leaves other kinds alone', async () => {
			for (const id of ['a', 'b']) await area().update('plain', id, () => ({ value: 1 }));
			await area().update('kept', 'k', () => ({ value: 1, isProtected: true }));
			const seen: Promise<string>[] = [];
			const look = () => seen.push(ids().then((list) => list.join()));
			look();
			const replaced = area().replace({
				plain: [
					['z', { value: 2 }],
					['c', { value: 2 }]
				],
				weighed: [['w', { text: 'x' }]]
			});
			for (let round = 0; round < 5; round++) look();
			await replaced;
			look();
			for (const list of await Promise.all(seen)) expect(['a,b', 'z,c']).toContain(list);
			expect(await ids()).toEqual(['z', 'c']);
			expect(await area().get('weighed', 'w')).toEqual({ text: 'x' });
			expect(await area().get('kept', 'k')).toBeDefined();
			await area().update('plain', 'd', () => ({ value: 1 }));
			expect([await ids(), await area().count()]).toEqual([['z', 'c', 'd'], 5]);
		});

		it('replaces nothing where that is more than a kind may hold, and counts what it took over', async () => {
			await area().update('weighed', 'a', () => ({ text: 'aaaa' }));
			await area().update('plain', 'a', () => ({ value: 1 }));
			const much = area().replace({
				plain: [],
				weighed: [
					['b', { text: 'x'.repeat(6) }],
					['c', { text: 'x'.repeat(5) }]
				]
			});
			await expect(much).rejects.toThrow(StoreFull);
			expect([await ids(), await area().get('weighed', 'a')]).toEqual([['a'], { text: 'aaaa' }]);
			await area().replace({
				weighed: [
					['b', { text: 'x'.repeat(6) }],
					['c', { text: 'xx' }],
					['b', { text: 'xxxxxx' }]
				]
			});
			await area().update('weighed', 'd', () => ({ text: 'xxx' }));
			expect(
				(await area().list('weighed')).map(([id]) => id),
				'the oldest gave way'
			).toEqual(['c', 'd']);
		});

		it('keeps nothing of what is still written after its sandbox was dropped', async () => {
			const late = area('other');
			await late.update('plain', 'a', () => ({ value: 1 }));
			await store.drop('other');
			await late.update('plain', 'b', () => ({ value: 1 }));
			await late.replace({ plain: [['c', { value: 1 }]] });
			expect([await ids('other'), await area('other').count()]).toEqual([[], 0]);
			await area('other').update('plain', 'd', () => ({ value: 1 }));
			expect(await ids('other')).toEqual(['d']);
		});

		it('takes over what is past by a clock that is about to be set back', async () => {
			ahead = 10_000;
			await area().replace({
				plain: [
					['a', { value: 1, expires: now + 100 }],
					['b', { value: 2 }]
				]
			});
			ahead = 0;
			expect(await ids()).toEqual(['a', 'b']);
		});

		it('clears a kind, and drops a sandbox, whole and alone', async () => {
			for (const sandbox of ['root', 'other']) {
				await area(sandbox).update('plain', 'a', () => ({ value: 1 }));
				await area(sandbox).update('session', 'a', () => ({ value: 1, expires: now + 100 }));
			}
			await area().replace({ plain: [] });
			expect(await area().get('plain', 'a')).toBeUndefined();
			expect(await area().get('session', 'a')).toBeDefined();
			await store.drop('other');
			expect(await area('other').list('session')).toEqual([]);
			expect(await area().get('session', 'a')).toBeDefined();
			for (const id of ['a', 'b', 'c']) await area('small').update('plain', id, () => ({ value: 1 }));
			await area('small').replace({ plain: [] });
			for (const id of ['d', 'e', 'f']) await area('small').update('plain', id, () => ({ value: 1 }));
			expect(await ids('small')).toEqual(['d', 'e', 'f']);
		});
	});
}
