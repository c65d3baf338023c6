import fc from 'fast-check';
import { expect, it } from 'vitest';
import { headerValue, headerValues } from '#api/headers.ts';

const name = fc.constantFrom('accept', 'Accept', 'ACCEPT', 'cookie', 'x-y', '__proto__', 'constructor');

it('finds every value of a header in wire order, in whatever letter case it came', () => {
	fc.assert(
		fc.property(fc.array(fc.tuple(name, fc.string())), name, (pairs, asked) => {
			const lower = asked.toLowerCase();
			const expected = pairs.filter(([name]) => name.toLowerCase() === lower).map(([, value]) => value);
			expect(headerValues(pairs.flat(), lower)).toEqual(expected);
			expect(headerValue(pairs.flat(), lower)).toBe(expected[0]);
		})
	);
});

it('takes no value for a name, and a list that breaks off for what it is', () => {
	expect(headerValues(['a', 'accept', 'accept', 'b', 'c'], 'accept')).toEqual(['b']);
	expect(headerValue([], 'accept')).toBeUndefined();
	expect(headerValue(['accept'], 'accept')).toBeUndefined();
});
