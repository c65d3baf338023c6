import { expect, test } from 'vitest';
import { inOwnBrand, templates } from '#features/studio/templates.ts';
import { WorldDraft } from '#features/studio/world-draft.svelte.ts';
import bank from '../../worlds/bank.json' with { type: 'json' };
import demoWorld from '#service/world/demo-world.json' with { type: 'json' };

const { logo, accent } = bank.brand;

test.each(templates)('$label is a world without mistakes, whose texts follow the brand', async ({ load }) => {
	const { default: template } = await load();
	const draft = new WorldDraft(template);
	expect(draft.mistakes).toEqual([]);
	expect(draft.text).not.toMatch(/tollgate(?!-world)|player-|character-|mara vell/i);
	draft.set('brand.name', 'Saint Brigid');
	expect(draft.mistakes).toEqual([]);
	expect(draft.text).not.toMatch(/example (?:bank|hospital|shop)|example-(?:bank|hospital|shop)/i);
	const opened = new Set(draft.listAt('permissions').flatMap((_, at) => draft.listAt(`permissions.${at}.opens`)));
	expect(new Set(draft.fieldNames)).toEqual(opened);
});

test('a template keeps the name, the logo and the colors that a user has chosen', async () => {
	const [first, second] = await Promise.all(templates.map(({ load }) => load()));
	if (first === undefined || second === undefined) throw new Error('There are fewer than two templates.');
	const begun = inOwnBrand(first.default, demoWorld, demoWorld);
	expect(begun).toEqual(first.default);
	const draft = new WorldDraft(begun);
	draft.set('brand.name', 'Nordbank');
	draft.setAll('brand', { logo, accent });
	const other = new WorldDraft(inOwnBrand(second.default, draft.content, begun));
	expect(other.mistakes).toEqual([]);
	expect(other.content).toMatchObject({ brand: { name: 'Nordbank', logo, accent } });
	expect(other.textAt('accounts.0.email')).toMatch(/@nordbank\.example$/);
	expect(inOwnBrand(second.default, begun, begun)).toEqual(second.default);
});
