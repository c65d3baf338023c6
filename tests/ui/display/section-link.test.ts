import { expect, test } from 'vitest';
import { differences } from '#evidence/differences/differences.ts';
import { sectionLink } from '#ui/display/section-link.ts';

test.each([
	['2', '/docs/specification/#section-2', 'section 2 of the specification'],
	['8.5', '/docs/specification/#section-8-5', 'section 8.5 of the specification'],
	['RFC 6749', 'https://www.rfc-editor.org/rfc/rfc6749', 'RFC 6749'],
	['RFC 6749 §4.1.2', 'https://www.rfc-editor.org/rfc/rfc6749#section-4.1.2', 'RFC 6749, section 4.1.2']
])('%s links to %s', (section, href, label) => {
	expect(sectionLink(section, '')).toEqual({ href, label });
});

test.each(differences.flatMap(({ specification, standard }) => [specification.section, standard.section]))(
	'the badge %s of the comparison of both dialects has a link',
	(section) => expect(sectionLink(section, '')).toBeDefined()
);

test('the link keeps the base path and the sandbox', () => {
	expect(sectionLink('3.1', '/demo/~abc')?.href).toBe('/demo/~abc/docs/specification/#section-3-1');
});

test.each(['', 'control', '10.1'])('%j is no section', (section) => {
	expect(sectionLink(section, '')).toBeUndefined();
});
