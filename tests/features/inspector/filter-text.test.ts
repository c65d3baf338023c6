import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatFilter, parseFilter } from '#features/inspector/filter-choices.ts';
import { emptyFilter, filterFields, type InspectorFilter } from '#features/inspector/inspector-filter.ts';

/** Any text without control characters, which JSON writes in another way than they are typed. */
const value = fc.string({ unit: 'grapheme' }).filter((text) => !/\p{Cc}/u.test(text));

describe('a search', () => {
	test.each<[string, Partial<InspectorFilter>]>([
		['', {}],
		['  ', {}],
		['status:400 endpoint:token user:player-one', { status: '400', endpoint: 'token', user: 'player-one' }],
		['code_verifier  Unknown', { q: 'code_verifier Unknown' }],
		['wrong status:4xx verifier', { status: '4xx', q: 'wrong verifier' }],
		['app:character-viewer', { client_id: 'character-viewer' }],
		['user:"player one" user:"a \\"b\\""', { user: 'a "b"' }],
		['status:', { q: 'status:' }],
		['other:1 https://a.example/ constructor:x', { q: 'other:1 https://a.example/ constructor:x' }],
		['user:"open', { user: '"open' }]
	])('%j is read', (text, expected) => expect(parseFilter(text)).toEqual({ ...emptyFilter, ...expected }));

	test.each([
		['endpoint:account', 'character'],
		['endpoint:character', 'character'],
		['endpoint:"account endpoint"', 'account'],
		['endpoint:token', 'token']
	])('in a world with accounts, %s finds the endpoint %s', (text, endpoint) => {
		const filter = parseFilter(text, 'account');
		expect(filter).toEqual({ ...emptyFilter, endpoint });
		expect(parseFilter(formatFilter(filter, 'account'), 'account')).toEqual(filter);
	});

	test('names the endpoint of a resource by the noun of the world', () => {
		const texts = ['character', 'account', 'token'].map((endpoint) =>
			formatFilter({ ...emptyFilter, endpoint }, 'account')
		);
		expect(texts).toEqual(['endpoint:account', 'endpoint:"account endpoint"', 'endpoint:token']);
		expect(formatFilter({ ...emptyFilter, endpoint: 'character' })).toBe('endpoint:character');
	});

	test('is the same after it was written and read', () => {
		const fields = Object.fromEntries(filterFields.filter((field) => field !== 'q').map((field) => [field, value]));
		fc.assert(
			fc.property(fc.record(fields), fc.array(fc.stringMatching(/^[a-z0-9_./-]{1,12}$/)), (chosen, words) => {
				const filter = { ...emptyFilter, ...chosen, q: words.join(' ') };
				expect(parseFilter(formatFilter(filter))).toEqual(filter);
			})
		);
	});

	test('of any text can be read, and is stable from then on', () => {
		fc.assert(
			fc.property(value, (text) => {
				const filter = parseFilter(text);
				expect(parseFilter(formatFilter(filter))).toEqual(filter);
			})
		);
	});
});
