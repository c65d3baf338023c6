import { expect, test } from 'vitest';
import { keptFor, keptForTab } from '#client/shelf.ts';

test('what one service says replaces what it said, and nothing of another', () => {
	const all = keptFor({ a: 1, b: 2 }, 'a', 3);
	expect(all).toEqual({ a: 3, b: 2 });
	expect(keptFor(undefined, 'a', 1)).toEqual({ a: 1 });
});

test('twenty services are remembered; the one written least recently gives way', () => {
	let all: Readonly<Record<string, number>> | undefined;
	for (let service = 1; service <= 20; service += 1) all = keptFor(all, `s-${String(service)}`, service);
	all = keptFor(keptFor(all, 's-1', 100), 's-21', 21);
	expect(Object.keys(all)).toHaveLength(20);
	expect(all).toMatchObject({ 's-1': 100, 's-21': 21 });
	expect(all).not.toHaveProperty('s-2');
});

test('a tab keeps its things at each service', () => {
	const one = { tab: 'tab-1', service: 'a', thing: 1 };
	const elsewhere = { tab: 'tab-1', service: 'b', thing: 2 };
	const other = { tab: 'tab-2', service: 'a', thing: 3 };
	const all = [one, elsewhere, other].reduce<readonly (typeof one)[]>((kept, mine) => keptForTab(kept, mine), []);
	expect(keptForTab(all, { ...one, thing: 4 })).toEqual([elsewhere, other, { ...one, thing: 4 }]);
});
