import { expect, test } from 'vitest';
import { SnippetChoice } from '#features/console/snippet-choice.svelte.ts';
import { snippets } from '#features/console/snippets/index.ts';
import { blockStorage, WebStorage } from '../../client/web-storage.ts';

const last = snippets.at(-1)?.label ?? '';

test('the browser remembers the language', () => {
	new WebStorage();
	const choice = new SnippetChoice();
	expect(choice.label).toBe(snippets[0].label);
	choice.label = last;
	expect([choice.snippet.label, new SnippetChoice().label]).toEqual([last, last]);
});

test('shows the first language where the stored one no longer exists', () => {
	new WebStorage({ 'tollgate:snippet': 'Fortran' });
	expect(new SnippetChoice().snippet).toBe(snippets[0]);
});

test('without storage the choice lasts until the page is closed', () => {
	blockStorage();
	const choice = new SnippetChoice();
	choice.label = last;
	expect([choice.label, new SnippetChoice().label]).toEqual([last, snippets[0].label]);
});
