import { expect, it } from 'vitest';
import { ByteBudget } from '#store/byte-budget.ts';
import { createMemoryStore } from '#store/memory.ts';
import { StoreFull } from '#store/errors.ts';

type Notes = { note: { readonly text: string; readonly expires?: number } };
const clocks = { sandbox: () => 0, real: () => 0 };
const text = 'x'.repeat(1000);

function storeWith(now = () => 0) {
	const store = createMemoryStore<Notes>({ note: { maxPerSandbox: 1000, clock: 'real' } });
	return {
		store,
		put: (sandbox: string, id: string, budget: ByteBudget, expires = 10) =>
			store.forSandbox(sandbox, { ...clocks, real: now }, budget).update('note', id, () => ({ text, expires }))
	};
}

it('rejects a record that exceeds the budget of its sandbox, of its creator or of the server', async () => {
	const server = new ByteBudget(12_000);
	const [one, other] = [new ByteBudget(8_000, server), new ByteBudget(100_000, server)];
	const { put, store } = storeWith();
	const [first, second] = [new ByteBudget(5_000, one), new ByteBudget(5_000, one)];
	for (const id of ['a', 'b']) await put('first', id, first);
	await expect(put('first', 'c', first)).rejects.toThrow(StoreFull);
	await put('second', 'a', second);
	await expect(put('second', 'b', second), 'of the creator').rejects.toThrow(StoreFull);
	for (const id of ['a', 'b']) await put('third', id, other);
	await expect(put('third', 'c', other), 'of the server').rejects.toThrow(StoreFull);
	expect(server.used).toBe(first.used + second.used + other.used);
	await store.drop('first');
	await put('third', 'c', other);
});

it('counts what each sandbox may always use against no other budget', async () => {
	const server = new ByteBudget(3_000);
	const { put } = storeWith();
	const [greedy, modest] = [new ByteBudget(100_000, server, 5_000), new ByteBudget(100_000, server, 5_000)];
	for (const id of ['a', 'b', 'c']) await put('greedy', id, greedy);
	await expect(put('greedy', 'd', greedy)).rejects.toThrow(StoreFull);
	for (const id of ['a', 'b']) await put('modest', id, modest);
});

it('releases what was deleted, expired, replaced or dropped, and counts no late write to a dropped sandbox', async () => {
	let now = 0;
	const { put, store } = storeWith(() => now);
	const budget = new ByteBudget(100_000);
	for (let count = 0; count < 20; count++) await put('one', `${count}`, budget);
	const records = store.forSandbox('one', clocks);
	const full = budget.used;
	await records.delete('note', '3');
	expect(budget.used).toBeLessThan(full);
	await records.replace({ note: [['a', { text }]] });
	expect(budget.used).toBeLessThan(3_000);
	await put('one', 'b', budget);
	now = 10;
	await records.purge();
	await records.delete('note', 'a');
	expect(budget.used).toBe(0);
	await put('one', 'c', budget, 100);
	await store.drop('one');
	await records.update('note', 'late', () => ({ text }));
	expect(budget.used).toBe(0);
});

it('changes nothing where a replacement exceeds the budget', async () => {
	const budget = new ByteBudget(5_000);
	const { put, store } = storeWith();
	await put('one', 'a', budget);
	const records = store.forSandbox('one', clocks);
	const before = budget.used;
	const many = Array.from({ length: 5 }, (_, at): [string, { text: string }] => [`${at}`, { text }]);
	await expect(records.replace({ note: many })).rejects.toThrow(StoreFull);
	expect([(await records.list('note')).map(([id]) => id), budget.used]).toEqual([['a'], before]);
	await records.replace({ note: many.slice(0, 2) });
	expect((await records.list('note')).length).toBe(2);
});

it('evicts records of kinds with an owner where the budget is used up, and none where they cannot be enough', async () => {
	type Kinds = {
		token: { readonly by: string; readonly text: string };
		code: { readonly by: string };
		kept: { readonly text: string };
	};
	const store = createMemoryStore<Kinds>({
		token: { maxPerSandbox: 1000, clock: 'real', owner: 'by' },
		code: { maxPerSandbox: 1000, clock: 'real', owner: 'by' },
		kept: { maxPerSandbox: 1000, clock: 'real', protect: 'all' }
	});
	const records = store.forSandbox('one', clocks, new ByteBudget(40_000));
	const ids = async (kind: keyof Kinds) => (await records.list(kind)).map(([id]) => id);
	await records.update('token', 'honest', () => ({ by: 'one', text }));
	for (let count = 0; count < 100; count++) await records.update('token', `${count}`, () => ({ by: 'flood', text }));
	expect((await ids('token')).length).toBeLessThan(20);
	expect((await ids('token')).slice(-1)).toEqual(['99']);
	await records.update('code', 'a', () => ({ by: 'two' }));
	await records.update('kept', 'a', () => ({ text: text.repeat(10) }));
	expect([await ids('code'), (await ids('token'))[0]], 'the kind that takes the most').toEqual([['a'], 'honest']);
	const before = await ids('token');
	await expect(records.update('kept', 'b', () => ({ text: text.repeat(20) }))).rejects.toThrow(StoreFull);
	expect(await ids('token')).toEqual(before);
});

it('evicts no record for one that the budget cannot hold anyway', async () => {
	const store = createMemoryStore<Notes>({ note: { maxPerSandbox: 2, clock: 'real' } });
	const records = store.forSandbox('one', clocks, new ByteBudget(7_000));
	for (const id of ['a', 'b']) await records.update('note', id, () => ({ text }));
	await expect(records.update('note', 'c', () => ({ text: text.repeat(3) }))).rejects.toThrow(StoreFull);
	expect((await records.list('note')).map(([id]) => id)).toEqual(['a', 'b']);
	await records.update('note', 'c', () => ({ text: `${text}${text}` }));
	expect(
		(await records.list('note')).map(([id]) => id),
		'room for it once the oldest is evicted'
	).toEqual(['b', 'c']);
});
