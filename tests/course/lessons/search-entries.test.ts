import { expect, test } from 'vitest';
import { sitePages } from '#api/site.ts';
import { findCommands } from '#features/shell/commands.svelte.ts';
import { searchEntries } from '#course/lessons/search-entries.ts';

const nameOf = (path: string) => sitePages.find((page) => page.path === path)?.label;
const found = await searchEntries('', nameOf, () => true);
const entries = found.map((entry) => ({
	id: entry.href,
	label: entry.title,
	group: entry.group,
	words: entry.words ?? '',
	run: () => undefined
}));
const find = (query: string) => findCommands(entries, query).map(({ group, label }) => `${group}: ${label}`);

test('“revoke” finds the account page, the lesson and the documentation', () => {
	const found = find('revoke');
	expect(found[0]).toBe('Account: Revoke access of an application');
	expect(found).toContain('Lessons: Revocation');
	expect(found.some((one) => one.startsWith('Specification: § '))).toBe(true);
	expect(found.some((one) => one.startsWith('Your client: ') || one.startsWith('Control API: '))).toBe(true);
});

test('finds headings of the documentation, and lessons by their titles', () => {
	expect(find('trust the certificate')).toContainEqual(expect.stringMatching(/: Trust the certificate$/));
	expect(find('code flow')).toContain('Lessons: Authorization code flow');
});
