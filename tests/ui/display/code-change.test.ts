import { expect, test } from 'vitest';
import { changedLines } from '#ui/display/code-change.ts';

/** Lines with their signs, and marks in brackets. */
function shown(before: string, after: string): string[] {
	const signs = { same: ' ', removed: '-', added: '+' };
	return changedLines(before, after).map(({ kind, text, mark }) => {
		const { start, end } = mark ?? { start: 0, end: 0 };
		const marked = mark === undefined ? text : `${text.slice(0, start)}[${text.slice(start, end)}]${text.slice(end)}`;
		return signs[kind] + marked;
	});
}

test('marks the words of a line that differ', () => {
	expect(shown('headers: `OAuth ${token}`', 'headers: `Bearer ${token}`')).toEqual([
		'-headers: `[OAuth] ${token}`',
		'+headers: `[Bearer] ${token}`'
	]);
});

test('marks only what one of the lines has', () => {
	expect(shown('const { access_token } = tokens;', 'const { access_token, refresh_token } = tokens;')).toEqual([
		'-const { access_token } = tokens;',
		'+const { access_token[, refresh_token] } = tokens;'
	]);
});

test('keeps the lines that both versions begin or end with', () => {
	expect(shown('a();\nb();\nc();', 'a();\nnew x();\nc();')).toEqual([' a();', '-[b]();', '+[new x]();', ' c();']);
	expect(shown('a();\na();', 'a();\na();\na();')).toEqual([' a();', ' a();', '+a();']);
	expect(shown('a();', 'a();')).toEqual([' a();']);
});

test('keeps lines between two changes', () => {
	expect(shown('a();\nb();\nc();', 'x();\nb();\ny();')).toEqual(['-[a]();', '+[x]();', ' b();', '-[c]();', '+[y]();']);
});
