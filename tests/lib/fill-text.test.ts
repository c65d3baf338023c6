import { expect, it } from 'vitest';
import { fillText, unfilled } from '#lib/fill-text.ts';

const values: Readonly<Record<string, string | number>> = {
	limit: 20,
	burst: 1200,
	brand: 'Tollgate',
	window: '10 seconds'
};
const valueOf = (name: string) => values[name];

it('puts values in place of their names, and adds numbers up', () => {
	expect(fillText('{brand}: {limit+1} of {burst} in {window}, {burst-limit-1}', valueOf)).toBe(
		'Tollgate: 21 of 1,200 in 10 seconds, 1,179'
	);
});

it('leaves what has no value, and a sum with a text', () => {
	const text = '{unknown} {limit+window} {"name": "Mara Vell"} ${origin}/callback';
	expect(fillText(text, valueOf)).toBe(text);
	expect([unfilled(text, valueOf), unfilled('{limit+window}', valueOf)]).toEqual(['{unknown}', '{limit+window}']);
	expect(unfilled('{limit-1}', valueOf)).toBeUndefined();
});
