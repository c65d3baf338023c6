import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { stillIcon } from '#tooling/vite/static-icons.ts';

test('an icon as Lucide brings it becomes plain markup, hidden from assistive technology', () => {
	const source = readFileSync('node_modules/@lucide/svelte/dist/icons/minus.svelte', 'utf8');
	expect(stillIcon(source)).toMatch(
		/^<svg [^>]*viewBox="0 0 24 24"[^>]* aria-hidden="true" class="lucide lucide-minus"><path d="M5 12h14" \/><\/svg>$/
	);
});

test('a component that holds its shapes in another way ends the build', () => {
	expect(() => stillIcon('<Icon {...props} />')).toThrow('in another way');
});
