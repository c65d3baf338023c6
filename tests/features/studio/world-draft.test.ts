import { beforeEach, expect, test } from 'vitest';
import { WorldDraft } from '#features/studio/world-draft.svelte.ts';
import { previewOf } from '#features/studio/preview.ts';
import { parseScope } from '#service/core/form-fields.ts';
import { readDraft, readDraftWorld, writeDraft } from '#features/studio/stored-draft.ts';
import { visibleFile } from '#features/studio/visible-file.ts';
import { readWorld } from '#service/world/read-world.ts';
import { toPublicWorld } from '#service/world/world.ts';
import { fieldsText, linesText, listText, readFields, readLines, readList } from '#features/studio/value-text.ts';
import hospital from '../../worlds/hospital.json' with { type: 'json' };
import bank from '../../worlds/bank.json' with { type: 'json' };

let draft: WorldDraft;

beforeEach(() => {
	draft = new WorldDraft(bank);
});

const parsed = (): unknown => JSON.parse(draft.text);

test('a change is in the file, and undo takes a place back in one step', () => {
	for (const text of ['N', 'Ne', 'New']) draft.set('brand.headline', text);
	draft.set('brand.tagline', 'Other');
	expect(parsed()).toEqual({ ...bank, brand: { ...bank.brand, headline: 'New', tagline: 'Other' } });
	draft.undo();
	expect(parsed()).toMatchObject({ brand: { headline: 'New', tagline: bank.brand.tagline } });
	draft.undo();
	expect(parsed()).toEqual(bank);
	expect(draft.canUndo).toBe(false);
});

test('an empty text removes an optional value, and the object around it when it is empty', () => {
	draft.set('texts.sign_in', '');
	draft.set('texts.consent', '');
	draft.set('settings.limits.character', 5);
	draft.set('settings.limits.character', undefined);
	const { texts: _, ...rest } = bank;
	expect(parsed()).toEqual(rest);
	expect(draft.parsed.world).toBeDefined();
});

test('mistakes have their places', () => {
	draft.set('brand.accent.light', '#ffff00');
	draft.set('accounts.0.email', 'no address');
	expect(draft.errorAt('brand.accent.light')).toContain('contrast');
	expect(draft.errorAt('accounts.0.email')).toContain('address');
	expect(draft.mistakes).toHaveLength(2);
	expect(draft.mistakesIn('accounts')).toBe(1);
	expect(draft.mistakesIn('brand.accent', 'accounts.0')).toBe(2);
	expect(draft.mistakesIn('accounts.1', 'brand.acc')).toBe(0);
});

test('a renamed account keeps its characters, and a removed one takes them with it', () => {
	draft.set('accounts.0.username', 'ingrid');
	draft.set('characters.1.name', 'SE10');
	expect(parsed()).toMatchObject({ characters: [{ player: 'ingrid' }, {}], viewer: { shows: ['DK50 0040', 'SE10'] } });
	expect(draft.parsed.world).toBeDefined();
	draft.remove('accounts', 0);
	expect(parsed()).toMatchObject({ characters: [{ name: 'SE10' }], viewer: { shows: ['SE10'] } });
	expect(draft.parsed.world).toBeDefined();
});

test('a renamed application stays the client of its page', () => {
	draft.set('applications.0.client_id', 'planner');
	draft.set('applications.1.client_id', 'mobile');
	expect(parsed()).toMatchObject({ viewer: { client_id: 'planner' }, companion: { client_id: 'mobile' } });
	expect(draft.mistakes).toEqual([]);
	draft.set('applications.0.client_id', '');
	draft.set('applications.0.client_id', 'budget');
	expect(parsed()).toMatchObject({ viewer: { client_id: 'budget' } });
});

test('labels of fields have the names of the fields that resources have', () => {
	expect(draft.fieldNames).toEqual(['type', 'balance', 'currency']);
	draft.set('resource.fields.currency', 'Currency');
	draft.set('resource.fields.balance', '');
	expect(draft.parsed.world?.resource.fields).toEqual({ type: 'Kind of account', currency: 'Currency' });
	draft.set('resource.fields.type', 'Kind\u202e');
	expect(draft.errorAt('resource.fields.type')).toContain('invisible');
	for (const _ of ['type', 'balance', 'currency']) draft.undo();
	expect(parsed()).toEqual(bank);
	draft.set('resource.fields.iban', 'IBAN');
	expect(draft.fieldNames).toEqual(['type', 'balance', 'currency', 'iban']);
});

test('the preview lists permissions in the order of the consent page', () => {
	draft.set('permissions.0.scope', 'read.accounts');
	const { world } = draft.parsed;
	const text = world && previewOf(world, 'consent', 'https://tollgate.test', undefined);
	const scopes = [...(text ?? '').matchAll(/<li>.*?<code>(.*?)<\/code>/gs)].map(([, scope]) => scope);
	expect(scopes).toEqual(parseScope('read.accounts balances.read'));
});

test('markup in a world is text in the preview', () => {
	draft.set('brand.name', '<script>alert(1)</script>');
	draft.set('texts.consent', '<img src=https://evil.example onerror=alert(1)>');
	const { world } = draft.parsed;
	expect(world).toBeDefined();
	if (world === undefined) return;
	for (const page of ['consent', 'sign-in', 'viewer', 'front'] as const) {
		const text = previewOf(world, page, 'https://tollgate.test', 'dark');
		expect(text).not.toMatch(/<script|<img src=https/);
		expect(text).toContain('&lt;script&gt;');
	}
});

test('steps of a guided demo are added, moved, changed and removed, each in one step of undo', () => {
	draft.set('guide', { title: 'Demo', steps: [{ title: 'One', text: 'First', path: '/docs' }] });
	draft.add('guide.steps', { title: 'Two', text: 'Second', path: '/viewer' });
	draft.move('guide.steps', 1, 0);
	draft.setAll('guide.steps.1', { target: 'consent.allow', path: '/ws/oauth2/auth/' });
	draft.set('guide.steps.1.press', true);
	expect(draft.isOn('guide.steps.1.press')).toBe(true);
	expect(draft.parsed.world?.guide?.steps).toEqual([
		{ title: 'Two', text: 'Second', path: '/viewer' },
		{ title: 'One', text: 'First', path: '/ws/oauth2/auth/', target: 'consent.allow', press: true }
	]);
	draft.set('guide.steps.1.path', '/viewer');
	expect(draft.errorAt('guide.steps.1.target')).toContain('/ws/oauth2/auth/');
	for (const _ of ['path', 'press', 'target']) draft.undo();
	draft.remove('guide.steps', 0);
	expect(draft.parsed.world?.guide?.steps).toEqual([{ title: 'One', text: 'First', path: '/docs' }]);
});

test('the fields of a resource are lines of text, which lead to the same fields', () => {
	for (const { fields } of [...bank.characters, ...hospital.characters])
		expect(readFields(fieldsText(fields))).toEqual(fields);
	const fields = {
		kind: 'Current',
		balance: 4120.5,
		open: true,
		iban: '007',
		note: 'two\nlines',
		tags: ['a, b'],
		spaced: ' x '
	};
	const text =
		'kind: Current\nbalance: 4120.5\nopen: true\niban: "007"\nnote: "two\\nlines"\ntags: ["a, b"]\nspaced: " x "';
	expect(fieldsText(fields)).toBe(text.replace('"007"', '007'));
	expect(readFields(text)).toEqual(fields);
	expect(readFields('\nurl: https://bank.example \n bal\n')).toEqual({ url: 'https://bank.example', bal: '' });
	const exact = { iban: '12345678901234567890', price: '10.00', version: '1.10', huge: '1e400', count: 10 };
	expect(readFields(fieldsText(exact))).toEqual(exact);
	expect(readFields('price: 10.00\niban: 12345678901234567890')).toEqual({ price: '10.00', iban: exact.iban });
	expect(fieldsText(undefined)).toBe('');
	expect(readList(listText(['type', 'balance']))).toEqual(['type', 'balance']);
	expect(readList(' , type,')).toEqual(['type']);
});

test('a mistake in a field of a resource is beside its fields', () => {
	draft.set('characters.0.fields', readFields('no name: 1'));
	expect(draft.errorIn('characters.0.fields')).toContain('no name');
	expect(draft.errorIn('characters.1.fields')).toBe('');
	draft.undo();
	draft.set('permissions.1.opens', ['balance', 'xmlx']);
	expect(draft.errorIn('permissions.1.opens')).toContain('xml');
	expect(draft.valueAt('permissions.0.opens')).toEqual(['type']);
});

test('the viewer suggests a new character, until it is removed or no longer chosen', () => {
	draft.add('characters', { name: 'DK50 0042', player: 'bo', fields: { type: 'Loan' } });
	expect(draft.listAt('viewer.shows')).toEqual(['DK50 0040', 'DK50 0041', 'DK50 0042']);
	draft.suggest(0, false);
	expect([0, 1, 2].map((at) => draft.isSuggested(at))).toEqual([false, true, true]);
	draft.remove('characters', 2);
	expect(draft.listAt('viewer.shows')).toEqual(['DK50 0041']);
	expect(draft.parsed.world).toBeDefined();
});

test.each([
	['https://a.example/x\n\n {base_url}/viewer/callback ', ['https://a.example/x', '{base_url}/viewer/callback']],
	[' \n', undefined]
])('redirect URIs of %j', (text, uris) => {
	expect(readLines(text)).toEqual(uris);
	expect(readLines(linesText(uris))).toEqual(uris);
});

test.each([bank, hospital])('what visitors see of $brand.name is a world without its data', (file) => {
	const shown = toPublicWorld(readWorld(file, { digest: (text) => text }));
	const visible = new WorldDraft(visibleFile(shown));
	expect(visible.mistakes).toEqual([]);
	const { name } = file.brand;
	expect(visible.content).toMatchObject({ brand: { name }, resource: file.resource, viewer: file.viewer });
	for (const { fields } of file.characters)
		for (const value of Object.values(fields)) expect(visible.text).not.toContain(`: ${JSON.stringify(value)}`);
});

test('a draft stays in a tab until it is used, and without storage in its page', () => {
	const items = new Map<string, string>();
	const storage = () => ({
		getItem: (key: string) => items.get(key) ?? null,
		setItem: (key: string, value: string) => void items.set(key, value),
		removeItem: (key: string) => void items.delete(key)
	});
	writeDraft(storage, 'https://a.example', draft.text);
	expect(readDraft(storage, 'https://a.example')).toEqual(bank);
	expect(readDraft(storage, 'https://a.example/~other')).toBeUndefined();
	expect(readDraftWorld(storage, 'https://a.example')).toBeUndefined();
	writeDraft(storage, 'https://a.example', draft.text, 'digest');
	expect(readDraftWorld(storage, 'https://a.example'), 'the world that it began with').toBe('digest');
	writeDraft(storage, 'https://a.example', undefined, 'digest');
	expect(readDraftWorld(storage, 'https://a.example')).toBeUndefined();
	expect(items.size).toBe(0);
	const blocked = () => {
		throw new Error('blocked');
	};
	writeDraft(blocked, '', draft.text);
	expect(readDraft(blocked, '')).toEqual(bank);
	writeDraft(blocked, '', undefined);
	expect(readDraft(blocked, '')).toBeUndefined();
});
