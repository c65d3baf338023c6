import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Collection } from '#store/collection.ts';
import { createMemoryStore } from '#store/memory.ts';
import type { CollectionOptions } from '#store/store.ts';
import { StoreFull } from '#store/errors.ts';

type Entry = { readonly weight: number; readonly uses: number; readonly expires?: number };
type Act = {
	id: string;
	weight: number;
	uses: number;
	life: number;
	wait: number;
	kind: 'set' | 'delete' | 'purge';
};

const act: fc.Arbitrary<Act> = fc.record({
	id: fc.constantFrom(...'a b c d e f g h i j k l'.split(' ')),
	weight: fc.integer({ min: 1, max: 6 }),
	uses: fc.integer({ min: 0, max: 1 }),
	life: fc.integer({ min: 0, max: 30 }),
	wait: fc.integer({ min: 0, max: 5 }),
	kind: fc.constantFrom('set', 'set', 'set', 'delete', 'purge')
});

it('RL-05 a collection never exceeds its limit and evicts no protected record', () => {
	fc.assert(
		fc.property(fc.array(act, { maxLength: 120 }), (acts) => {
			const max = 12;
			let now = 0;
			const collection = new Collection<Entry>(options(max), max, () => now);
			const kept = new Map<string, Entry>();
			for (const { id, weight, uses, life, wait, kind } of acts) {
				now += wait;
				if (kind === 'purge') collection.purge();
				else if (kind === 'delete') kept.delete(collection.delete(id) === undefined ? '' : id);
				else {
					// A life of 0: it never expires.
					const entry: Entry = { weight, uses, ...(life === 0 ? {} : { expires: now + life }) };
					const before = collection.list();
					try {
						collection.update(id, () => entry);
						if (uses > 0) kept.set(id, entry);
						else kept.delete(id);
					} catch (error) {
						expect(error).toBeInstanceOf(StoreFull);
						expect(collection.list(), 'a rejected record changes nothing').toEqual(before);
					}
				}
				const live = collection.list();
				expect(live.reduce((sum, [, entry]) => sum + entry.weight, 0)).toBeLessThanOrEqual(max);
				for (const [id, entry] of kept) if (!isOver(entry, now)) expect(collection.get(id)).toBe(entry);
				for (const [, entry] of live) expect(isOver(entry, now)).toBe(false);
			}
		}),
		{ numRuns: 300 }
	);
});

it('deletes expired records as new ones are inserted', () => {
	let now = 0;
	const collection = new Collection<Entry>(options(1000), 1000, () => now);
	for (let at = 0; at < 500; at++) collection.update(`old ${at}`, () => ({ weight: 1, uses: 0, expires: 10 }));
	now = 10;
	for (let at = 0; at < 300; at++) collection.update(`new ${at}`, () => ({ weight: 1, uses: 0 }));
	expect(collection.purge(), 'all old ones are deleted already').toBe(0);
	expect(collection.list()).toHaveLength(300);
});

function options(maxPerSandbox: number): CollectionOptions<Entry> {
	return { maxPerSandbox, clock: 'real', weightField: 'weight', protect: [{ field: 'uses', min: 1 }] };
}

function isOver(entry: Entry, now: number): boolean {
	return entry.expires !== undefined && entry.expires <= now;
}

it('evicts behind thousands of protected records without checking them each time', async () => {
	let checks = 0;
	const store = createMemoryStore<{ call: { readonly uses: number } }>({
		call: { maxPerSandbox: 30_000, clock: 'real', protect: [{ field: 'uses', min: 1 }] }
	}).forSandbox('root', { sandbox: () => 0, real: () => 0 });
	const record = (uses: number) => ({
		get uses() {
			checks++;
			return uses;
		}
	});
	for (let count = 0; count < 30_000; count++)
		await store.update('call', `first ${count}`, () => record(count < 9_000 ? 1 : 0));
	checks = 0;
	for (let count = 0; count < 1_000; count++) await store.update('call', `later ${count}`, () => record(0));
	expect((await store.list('call')).length).toBe(30_000);
	expect((await store.get('call', 'first 0'))?.uses).toBe(1);
	expect(checks).toBeLessThan(15_000);
});
