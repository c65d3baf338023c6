import fc from 'fast-check';
import { expect, it } from 'vitest';
import { Collection } from '#store/collection.ts';
import { createMemoryStore } from '#store/memory.ts';
import { StoreFull } from '#store/store.ts';

type Entry = { readonly weight: number; readonly isProtected: boolean; readonly expires?: number };
type Act = {
	id: string;
	weight: number;
	isProtected: boolean;
	life: number;
	wait: number;
	kind: 'set' | 'delete' | 'purge';
};

const act: fc.Arbitrary<Act> = fc.record({
	id: fc.constantFrom(...'a b c d e f g h i j k l'.split(' ')),
	weight: fc.integer({ min: 1, max: 6 }),
	isProtected: fc.boolean(),
	life: fc.integer({ min: 0, max: 30 }),
	wait: fc.integer({ min: 0, max: 5 }),
	kind: fc.constantFrom('set', 'set', 'set', 'delete', 'purge')
});

it('RL-05 whatever comes, a collection stays below its cap and lets no kept record give way', () => {
	fc.assert(
		fc.property(fc.array(act, { maxLength: 120 }), (acts) => {
			const capacity = 12;
			let now = 0;
			const rules = {
				capacity: () => capacity,
				clock: 'real',
				isProtected: keeps,
				sizeOf: ({ weight }: Entry) => weight
			} as const;
			const collection = new Collection<Entry>(rules, capacity, () => now);
			const kept = new Map<string, Entry>();
			for (const { id, weight, isProtected, life, wait, kind } of acts) {
				now += wait;
				if (kind === 'purge') collection.purge();
				else if (kind === 'delete') kept.delete(collection.delete(id) === undefined ? '' : id);
				else {
					// No life: it never expires.
					const entry: Entry = { weight, isProtected, ...(life === 0 ? {} : { expires: now + life }) };
					const before = collection.list();
					try {
						collection.set(id, entry);
						if (isProtected) kept.set(id, entry);
						else kept.delete(id);
					} catch (error) {
						expect(error).toBeInstanceOf(StoreFull);
						expect(collection.list(), 'a refused record changes nothing').toEqual(before);
					}
				}
				const live = collection.list();
				expect(live.reduce((sum, [, entry]) => sum + entry.weight, 0)).toBeLessThanOrEqual(capacity);
				for (const [id, entry] of kept) if (!isOver(entry, now)) expect(collection.get(id)).toBe(entry);
				for (const [, entry] of live) expect(isOver(entry, now)).toBe(false);
			}
		}),
		{ numRuns: 300 }
	);
});

it('forgets what expired without being asked, as new records come', () => {
	let now = 0;
	const collection = new Collection<Entry>({ capacity: () => 1000, clock: 'real' }, 1000, () => now);
	for (let at = 0; at < 500; at++) collection.set(`old ${at}`, { weight: 1, isProtected: false, expires: 10 });
	now = 10;
	for (let at = 0; at < 300; at++) collection.set(`new ${at}`, { weight: 1, isProtected: false });
	expect(collection.purge(), 'all the old ones had gone').toBe(0);
	expect(collection.list()).toHaveLength(300);
});

function keeps(entry: Entry): boolean {
	return entry.isProtected;
}

function isOver(entry: Entry, now: number): boolean {
	return entry.expires !== undefined && entry.expires <= now;
}

it('finds room behind thousands of records that must be kept, without looking through them each time', async () => {
	let looks = 0;
	const rules = {
		call: {
			capacity: () => 30_000,
			clock: 'real' as const,
			isProtected: (entry: { kept: boolean }) => {
				looks++;
				return entry.kept;
			}
		}
	};
	const area = createMemoryStore<{ call: { kept: boolean } }>(rules).forSandbox('root', {
		sandbox: () => 0,
		real: () => 0
	});
	for (let at = 0; at < 30_000; at++) await area.update('call', `first ${at}`, () => ({ kept: at < 9_000 }));
	for (let at = 0; at < 1_000; at++) await area.update('call', `later ${at}`, () => ({ kept: false }));
	expect((await area.list('call')).length).toBe(30_000);
	expect(await area.get('call', 'first 0')).toEqual({ kept: true });
	expect(looks).toBeLessThan(15_000);
});
