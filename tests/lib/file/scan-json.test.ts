import fc from 'fast-check';
import { expect, it, test } from 'vitest';
import { scanJson } from '#lib/file/scan-json.ts';

test.each([
	['{"a": 1,}', 'a comma before } in line 1, column 9'],
	['{"a": [1,\n]}', 'a comma before ] in line 2, column 1'],
	['{"a": 1\n"b": 2}', 'no comma or } in line 2, column 1'],
	['{"a": {}\n', 'no comma or } in line 2, column 1'],
	['[1 2]', 'no comma or ] in line 1, column 4'],
	['{"a" 1}', 'no colon in line 1, column 6'],
	['{a: 1}', 'no name in double quotes or } in line 1, column 2'],
	['{"a": 1, // why\n"b": 2}', 'no name in double quotes in line 1, column 10'],
	["{'a': 1}", 'no name in double quotes or } in line 1, column 2'],
	['{"a": }', 'no value in line 1, column 7'],
	['["a\n"]', 'a text without an end quote, or with a line break or a wrong escape sequence, in line 1, column 2'],
	['{}\n{}', 'no end in line 2, column 1']
])('says what is wrong with %j', (text, mistake) => {
	expect(scanJson(text).mistake).toBe(mistake);
});

test('finds names that occur twice, at any depth, and no others', () => {
	const text = '{"a": [{"b": 1},\n{"b": {"c": 1, "c": 2,\n"c": 3}}],\n"a": 1, "b": 1}';
	expect(scanJson(text).duplicates).toEqual([
		{ place: 'a.1.b.c', lines: [2, 2] },
		{ place: 'a.1.b.c', lines: [2, 3] },
		{ place: 'a', lines: [1, 4] }
	]);
});

test('knows the line of each part', () => {
	const text = '{"a": [\n1,\n{"b": 2,\n"c":\n[3, [4]]}]}';
	expect(Object.fromEntries(scanJson(text).lines)).toEqual({
		a: 1,
		'a.0': 2,
		'a.1': 3,
		'a.1.b': 3,
		'a.1.c': 4,
		'a.1.c.0': 5,
		'a.1.c.1': 5,
		'a.1.c.1.0': 5
	});
});

it('accepts what a JSON parser accepts, and rejects the rest', () => {
	const pieces = fc.constantFrom(
		'{',
		'}',
		'[',
		']',
		',',
		':',
		'"',
		'"a"',
		'\\',
		'\n',
		' ',
		'0',
		'-1.5e3',
		'null',
		'tru',
		'/*'
	);
	const changed = fc.tuple(fc.json(), fc.nat(), fc.nat({ max: 2 }), pieces).map(([text, at, length, piece]) => {
		const start = at % (text.length + 1);
		return text.slice(0, start) + piece + text.slice(start + length);
	});
	fc.assert(
		fc.property(
			fc.oneof(
				fc.json(),
				changed,
				fc.array(pieces).map((all) => all.join(''))
			),
			(text) => {
				expect(scanJson(text).mistake === undefined).toBe(isJson(text));
			}
		),
		{ numRuns: 2000 }
	);
});

function isJson(text: string): boolean {
	try {
		JSON.parse(text);
		return true;
	} catch {
		return false;
	}
}
