import { preprocess } from 'svelte/compiler';
import { expect, test } from 'vitest';
import { staticIcons } from '#tooling/static-icons.js';

const folder = '/app/node_modules/@lucide/svelte/dist';

async function compile(filename: string, source: string): Promise<string> {
	return (await preprocess(source, staticIcons(), { filename })).code;
}

test('makes an icon static markup', async () => {
	const source = `<script>import Icon from '../Icon.svelte';
let props = $props();
const iconData = { "name": "dot", "size": 24, "node": [["circle", { "cx": "12", "r": "1" }], ["path", { "d": "M5 12h14" }]] };
</script>
<Icon {...props} icon={iconData} />`;
	expect(await compile(`${folder}/icons/dot.svelte`, source)).toBe(
		'<svg class="lucide-icon lucide-dot" viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" r="1" /><path d="M5 12h14" /></svg>'
	);
});

test('does not change other components', async () => {
	expect(await compile('/app/src/ui/icons/Own.svelte', '<p>own</p>')).toBe('<p>own</p>');
});

test('rejects an icon whose data is not found', async () => {
	await expect(compile(`${folder}/icons/dot.svelte`, '<p></p>')).rejects.toThrow('No icon was found');
});
