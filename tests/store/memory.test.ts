import { expect, it } from 'vitest';
import { createMemoryStore } from '#store/memory.ts';
import type { RecordSet, StoreOptions } from '#store/store.ts';
import { testStore } from './contract.ts';

testStore('memory', (rules) => Promise.resolve(createMemoryStore(rules)));

type Note = { readonly text: string; readonly expires?: number };
type Notes = { note: Note; other: Note };

const options: StoreOptions<Notes> = {
	note: { maxPerSandbox: 3, clock: 'real' },
	other: { maxPerSandbox: 3, clock: 'real' }
};
const clocks = { real: () => 0, sandbox: () => 0 };

/** A store, and a copy that its reported changes build. */
function copiedStore(initial: ReadonlyMap<string, RecordSet<Notes>> = new Map()) {
	let now = 0;
	const copy = new Map<string, Note>();
	const store = createMemoryStore<Notes>(options, {
		initial,
		onChange(sandbox, kind, id, record) {
			copy.delete(`${sandbox} ${kind} ${id}`);
			if (record !== undefined) copy.set(`${sandbox} ${kind} ${id}`, record);
		}
	});
	const moving = { real: () => now, sandbox: () => now };
	return { store, copy, records: store.forSandbox('one', moving), advance: (time: number) => (now += time) };
}

it('reports what was written, deleted, evicted, expired and replaced', async () => {
	const { copy, records, advance } = copiedStore();
	const agree = async () => {
		const notes = [...copy].filter(([name]) => name.startsWith('one note '));
		const list = (await records.list('note')).map(([id, record]) => [`one note ${id}`, record]);
		expect(Object.fromEntries(notes)).toEqual(Object.fromEntries(list));
	};
	for (const id of ['a', 'b', 'c', 'd']) await records.update('note', id, () => ({ text: id }));
	expect([...copy.keys()], 'the oldest was evicted').toEqual(['one note b', 'one note c', 'one note d']);
	await records.update('note', 'b', () => ({ text: 'again' }));
	await records.update('note', 'c', (note) => note);
	await records.delete('note', 'd');
	await agree();
	await records.update('note', 'e', () => ({ text: 'e', expires: 10 }));
	await records.update('other', 'e', () => ({ text: 'e', expires: 10 }));
	advance(10);
	expect(await records.get('note', 'e')).toBeUndefined();
	await records.purge();
	await agree();
	expect(copy.has('one other e')).toBe(false);
	await records.replace({ note: [['b', { text: 'new' }]] });
	await agree();
	expect(copy.size).toBe(1);
});

it('reports the records of a dropped sandbox as deleted, and nothing that is written to it later', async () => {
	const { store, copy, records } = copiedStore();
	await records.update('note', 'a', () => ({ text: 'a' }));
	await store.forSandbox('two', clocks).update('note', 'b', () => ({ text: 'b' }));
	await store.drop('one');
	await records.update('note', 'c', () => ({ text: 'late' }));
	expect([...copy.keys()]).toEqual(['two note b']);
});

it('starts with given records in their order, also of sandboxes that are only dropped', async () => {
	const notes = (...ids: string[]): RecordSet<Notes> => ({ note: ids.map((id) => [id, { text: id }]) });
	const { store, copy, records } = copiedStore(
		new Map([
			['one', notes('c', 'a', 'b')],
			['two', notes('x')]
		])
	);
	expect((await records.list('note')).map(([id]) => id).join('')).toBe('cab');
	expect(await store.sandboxes()).toEqual(['one', 'two']);
	expect(copy.size, 'they are no changes').toBe(0);
	copy.set('two note x', { text: 'x' });
	await store.drop('two');
	expect([await store.sandboxes(), copy.size]).toEqual([['one'], 0]);
	expect(await store.forSandbox('two', clocks).count()).toBe(0);
});
