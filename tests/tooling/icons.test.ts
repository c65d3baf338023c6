import { expect, test } from 'vitest';
import { markupOf } from '#tooling/vite/icons.ts';

test('an icon is markup without what the style sheet says of all icons', () => {
	expect(markupOf('check')).toBe(
		'<svg class="lucide-icon lucide-check" viewBox="0 0 24 24" aria-hidden="true"><path d="M20 6L9 17l-5-5"/></svg>'
	);
	expect(markupOf('palette')).toMatch(
		/^<svg [^>]+><path d="[^"]+"\/><circle [^>]+ fill="currentColor"\/>.*[^g]><\/svg>$/
	);
});

test('an earlier name of an icon is known, and an unknown one is an error', () => {
	expect(markupOf('trash-2')).toContain('<path d=');
	expect(() => markupOf('no-such-icon')).toThrow('no-such-icon');
});
