import fc from 'fast-check';
import { expect, test } from 'vitest';
import { highlight, type Language } from '#ui/display/highlight.ts';
import { codePoint } from '../../code-point.ts';

const languages: readonly Language[] = ['json', 'xml', 'shell', 'ts', 'text'];

function kinds(code: string, language: Language): string[] {
	return highlight(code, language)
		.filter(({ text }) => text.trim() !== '')
		.map(({ kind, text }) => `${kind} ${text.trim()}`);
}

test('keeps the whole input in every language', () => {
	fc.assert(
		fc.property(fc.string({ unit: codePoint, maxLength: 200 }), fc.constantFrom(...languages), (code, language) => {
			expect(highlight(code, language).reduce((text, token) => text + token.text, '')).toBe(code);
		})
	);
});

test('colors names, strings, numbers and literals of JSON', () => {
	expect(kinds('{"a":"b","n":-1.5e3,"t":true}', 'json')).toEqual(
		['mark {', 'name "a"', 'mark :', 'text "b"', 'mark ,', 'name "n"', 'mark :', 'number -1.5e3', 'mark ,'].concat([
			'name "t"',
			'mark :',
			'word true',
			'mark }'
		])
	);
});

test('colors tags, attributes and values of XML', () => {
	expect(kinds('<a b="c"/>', 'xml')).toEqual(['word <a', 'name b', 'plain =', 'text "c"', 'word />']);
});

test('TypeScript: keywords, strings, property names, numbers and comments', () => {
	expect(kinds("const a = { b: 'c' }; // d\nawait f(1_000);", 'ts')).toEqual([
		'word const',
		'plain a',
		'mark =',
		'mark {',
		'name b',
		'mark :',
		"text 'c'",
		'mark }',
		'mark ;',
		'quiet // d',
		'word await',
		'plain f',
		'mark (',
		'number 1_000',
		'mark )',
		'mark ;'
	]);
});
