import { writeFragment } from '#client/packed-link.ts';
import { expect, it } from 'vitest';
import { createPresetLink, PresetLinkError, readPresetLink } from '#features/controls/preset-link.ts';
import type { Preset } from '#api/control/preset.ts';
import bank from '../../worlds/bank.json' with { type: 'json' };

const root = 'https://tollgate.test/demo';
const content: Preset = { format: 'tollgate-preset', version: 1, name: 'Zoë Šťastná', offset: 60, accounts: ['alice'] };

it('puts a preset into the fragment of a link, and reads it', async () => {
	const link = new URL(await createPresetLink(root, content));
	expect([link.origin + link.pathname, link.search]).toEqual([`${root}/preset`, '']);
	expect(await readPresetLink(link.hash)).toEqual(content);
});

it('rejects links that are damaged, too long or of another kind', async () => {
	const { hash } = new URL(await createPresetLink(root, content));
	const long = await writeFragment(new TextEncoder().encode('x'.repeat(300_000)));
	await expect(createPresetLink(root, { ...content, name: 'x'.repeat(40_000) })).rejects.toThrow('smaller images');
	const other = new URL(await createPresetLink(root, { ...content, offset: -1 })).hash;
	for (const [fragment, message] of [
		['', 'damaged or incomplete'],
		['#', 'damaged or incomplete'],
		[hash.slice(0, -1), 'damaged or incomplete'],
		[hash.replace('.', ''), 'damaged or incomplete'],
		[long, 'too long'],
		[other, 'at offset']
	] as const) {
		await expect(readPresetLink(fragment)).rejects.toThrow(PresetLinkError);
		await expect(readPresetLink(fragment)).rejects.toThrow(message);
	}
});

it('keeps the world, without the picture of previews, which would make the link too long', async () => {
	const picture = `data:image/png;base64,${Array.from({ length: 50_000 }, (_, at) => ((at * at * 31) % 36).toString(36)).join('')}`;
	const world = { ...bank, brand: { ...bank.brand, picture } };
	const link = await createPresetLink('https://tollgate.test', { format: 'tollgate-preset', version: 1, world });
	expect((await readPresetLink(new URL(link).hash)).world).toEqual(bank);
});
