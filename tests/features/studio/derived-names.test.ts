import { expect, test } from 'vitest';
import { WorldDraft } from '#features/studio/world-draft.svelte.ts';
import { withText } from '#features/studio/derived-names.ts';
import demoWorld from '#service/world/demo-world.json' with { type: 'json' };
import bank from '#features/studio/templates/bank.json' with { type: 'json' };

/** Types a text as a user does, who first empties the field. */
function type(draft: WorldDraft, place: string, text: string): void {
	for (let length = 0; length <= text.length; length += 1) draft.set(place, text.slice(0, length));
}

test('texts, addresses and ids that contain the name of the brand follow it, in one step of undo', () => {
	const draft = new WorldDraft(bank);
	type(draft, 'brand.name', 'Østbank & Søn');
	expect(draft.mistakes).toEqual([]);
	expect(draft.content).toMatchObject({
		brand: {
			name: 'Østbank & Søn',
			headline: 'Connect your application to Østbank & Søn',
			links: { home: 'https://ostbank-son.example' }
		},
		accounts: [{ email: 'anna@ostbank-son.example' }, {}],
		applications: [{}, { name: 'Østbank & Søn Mobile', client_id: 'ostbank-son-mobile' }],
		companion: { client_id: 'ostbank-son-mobile' }
	});
	draft.undo();
	expect(draft.content).toEqual(bank);
});

test('a name of other letters leaves addresses unchanged', () => {
	const draft = new WorldDraft(bank);
	type(draft, 'brand.name', '例の銀行');
	expect(draft.mistakes).toEqual([]);
	expect(draft.textAt('brand.headline')).toBe('Connect your application to 例の銀行');
	expect(draft.textAt('accounts.0.email')).toBe('anna@example-bank.example');
});

test('a short name is no word that is replaced', () => {
	const draft = new WorldDraft({ ...bank, brand: { name: 'To', headline: 'Connect to accounts' } });
	type(draft, 'brand.name', 'Nordbank');
	expect(draft.textAt('brand.headline')).toBe('Connect to accounts');
});

test('the plural, the path, the permissions and the applications follow the noun of a resource', () => {
	const draft = new WorldDraft(demoWorld);
	type(draft, 'resource.singular', 'delivery');
	expect(draft.mistakes).toEqual([]);
	expect(draft.content).toMatchObject({
		resource: { singular: 'delivery', plural: 'deliveries' },
		permissions: [
			{
				scope: 'delivery_read',
				title: 'Read deliveries',
				consent: 'See the name, race, class, level and guild of deliveries'
			},
			{ consent: 'See where your own deliveries are' },
			{},
			{},
			{ scope: 'delivery_write', title: 'Change your deliveries' }
		],
		applications: [{ client_id: 'delivery-viewer', name: 'Delivery Viewer' }, {}],
		viewer: { client_id: 'delivery-viewer' }
	});
});

test('a plural that a user wrote stays', () => {
	const draft = new WorldDraft({ ...bank, resource: { singular: 'account', plural: 'books' } });
	type(draft, 'resource.singular', 'loan');
	expect(draft.textAt('resource.plural')).toBe('books');
});

test('ids follow the names of users and applications, if they are derived from them', () => {
	const draft = new WorldDraft(bank);
	type(draft, 'accounts.0.name', 'Zoë Šťastná');
	type(draft, 'accounts.1.name', 'Dr. Femi Adeyemi');
	type(draft, 'applications.0.name', 'Cash Flow');
	expect(draft.mistakes).toEqual([]);
	expect(draft.content).toMatchObject({
		accounts: [{ username: 'zoe', email: 'zoe@example-bank.example' }, { username: 'femi' }],
		characters: [{ player: 'zoe' }, { player: 'femi' }],
		kinds: [{ records: [{ owner: 'zoe' }, { owner: 'zoe' }, { owner: 'femi' }] }, {}],
		applications: [{ client_id: 'cash-flow' }, {}],
		viewer: { client_id: 'cash-flow' }
	});
	draft.set('accounts.0.username', 'k-4471');
	draft.set('accounts.0.email', 'care@example-bank.example');
	type(draft, 'accounts.0.name', 'Ida Moe');
	expect(draft.content).toMatchObject({ accounts: [{ username: 'k-4471', email: 'care@example-bank.example' }, {}] });
});

test('data, secrets and names of fields are no words', () => {
	const file = {
		brand: { name: 'balance', logo: { light: 'data:image/png;base64,balance' } },
		permissions: [{ scope: 'balance', opens: ['balance'] }],
		characters: [{ name: 'One', player: 'balance', fields: { balance: 'balance' } }],
		applications: [{ secret: 'balance' }],
		accounts: [{ username: 'balance', password: 'balance' }]
	};
	expect(withText(file, 'brand.name', 'Credit')).toEqual({
		brand: { name: 'Credit', logo: file.brand.logo },
		permissions: [{ scope: 'credit', opens: ['balance'] }],
		characters: [{ name: 'One', player: 'credit', fields: { balance: 'balance' } }],
		applications: file.applications,
		accounts: [{ username: 'credit', password: 'balance' }]
	});
});
