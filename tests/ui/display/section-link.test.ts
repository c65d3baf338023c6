import { expect, test } from 'vitest';
import type { ProviderFile } from '#api/providers/provider-file.ts';
import { sectionLink } from '#ui/display/section-link.ts';

test.each([
	['2', '/docs/specification/#section-2', 'section 2 of the specification'],
	['8.5', '/docs/specification/#section-8-5', 'section 8.5 of the specification'],
	['RFC 6749', 'https://www.rfc-editor.org/rfc/rfc6749', 'RFC 6749'],
	['RFC 6749 §4.1.2', 'https://www.rfc-editor.org/rfc/rfc6749#section-4.1.2', 'RFC 6749, section 4.1.2']
])('%s links to %s', (section, href, label) => {
	expect(sectionLink(section, '')).toEqual({ href, label });
});

const [standard] = Object.values(
	import.meta.glob<ProviderFile>('../../../src/content/providers/standard.yaml', { eager: true, import: 'default' })
);
test.each((standard?.differences ?? []).flatMap(({ section, specification }) => [section, specification.section]))(
	'the badge %s of the comparison of both dialects has a link',
	(section) => expect(sectionLink(section, '')).toBeDefined()
);

test('the link keeps the base path and the sandbox', () => {
	expect(sectionLink('3.1', '/demo/~abc')?.href).toBe('/demo/~abc/docs/specification/#section-3-1');
});

test.each(['', 'control', '10.1'])('%j is no section', (section) => {
	expect(sectionLink(section, '')).toBeUndefined();
});
