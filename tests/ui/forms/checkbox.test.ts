import { render } from 'svelte/server';
import { expect, test } from 'vitest';
import Checkbox from '#ui/forms/Checkbox.svelte';

const hint = { on: 'rejects other links.', off: 'accepts any link.' };

test.each([
	[true, 'On: rejects other links.'],
	[false, 'Off: accepts any link.']
])('the hint of a switch says what is so while it is %s', (checked, text) => {
	const { body } = render(Checkbox, { props: { label: 'Check state', role: 'switch', hint, checked } });
	expect(/<p[^>]*>(.*?)<\/p>/.exec(body)?.[1]).toBe(text);
});

test('the hint of a checkbox says what it is for', () => {
	const { body } = render(Checkbox, { props: { label: 'Lessons', hint: 'All seats begin with them.' } });
	expect(body).toContain('All seats begin with them.');
});
