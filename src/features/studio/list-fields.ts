import type { ListName } from './world-draft.svelte.ts';

export type ItemField = {
	/** The name in the file. */
	readonly name: string;
	readonly label: string;
	readonly maxlength: number;
	readonly mono?: true;
};

/** What the studio shows of the items of a list, and what a new item is. */
type ListFields = {
	readonly title: string;
	/** The button that adds an item. */
	readonly addLabel: string;
	readonly most: number;
	/** The first two are shown while an item is folded. */
	readonly fields: readonly [ItemField, ItemField, ...ItemField[]];
	/** @param number of the new item */
	readonly create: (number: number, firstAccount: string) => object;
};

export const listFields: Readonly<Record<ListName, ListFields>> = {
	permissions: {
		title: 'Permissions',
		addLabel: 'Add permission',
		most: 50,
		fields: [
			{ name: 'title', label: 'Title', maxlength: 80 },
			{ name: 'scope', label: 'scope', maxlength: 64, mono: true },
			{ name: 'consent', label: 'On the consent page', maxlength: 200 }
		],
		create: (number) => ({ scope: `permission_${number}`, title: `Permission ${number}`, consent: 'See your data' })
	},
	accounts: {
		title: 'Accounts',
		addLabel: 'Add account',
		most: 100,
		fields: [
			{ name: 'name', label: 'Name', maxlength: 80 },
			{ name: 'username', label: 'Username', maxlength: 64, mono: true },
			{ name: 'email', label: 'E-mail', maxlength: 100 },
			{ name: 'note', label: 'Note', maxlength: 120 },
			{ name: 'password', label: 'Password', maxlength: 100, mono: true }
		],
		create: (number) => ({ username: `user-${number}`, name: `User ${number}`, password: 'demo' })
	},
	characters: {
		title: 'Resources',
		addLabel: 'Add resource',
		most: 1000,
		fields: [
			{ name: 'name', label: 'Name', maxlength: 100 },
			{ name: 'player', label: 'Owner (username)', maxlength: 64, mono: true }
		],
		create: (number, player) => ({ name: `Resource ${number}`, player, fields: {} })
	},
	kinds: {
		title: 'More kinds of resources',
		addLabel: 'Add kind',
		most: 8,
		fields: [
			{ name: 'plural', label: 'Several of them', maxlength: 30 },
			{ name: 'name', label: 'Path: /ws/v2.0/…', maxlength: 24, mono: true },
			{ name: 'singular', label: 'One of them', maxlength: 30 }
		],
		create: (number, owner) => ({
			name: `kind_${number}`,
			singular: `kind ${number}`,
			plural: `kinds ${number}`,
			fields: { title: { type: 'text', required: true } },
			records: [{ id: 'one', owner, fields: { title: 'First' } }]
		})
	},
	applications: {
		title: 'Applications',
		addLabel: 'Add application',
		most: 50,
		fields: [
			{ name: 'name', label: 'Name', maxlength: 80 },
			{ name: 'client_id', label: 'client_id', maxlength: 64, mono: true },
			{ name: 'secret', label: 'client_secret', maxlength: 100, mono: true }
		],
		create: (number) => ({
			client_id: `application-${number}`,
			name: `Application ${number}`,
			kind: 'web',
			redirect_uris: ['https://application.example/callback'],
			secret: `secret-${number}`
		})
	}
};
