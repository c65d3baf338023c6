import { expect, test } from 'vitest';
import { readWorld } from '#service/world/read-world.ts';
import { WorldError } from '#service/world/world-mistakes.ts';

const ada = [{ username: 'ada' }];
const characters = (...players: string[]) => players.map((player, at) => ({ name: `C${at}`, player }));

/** The places of all mistakes. */
function placesOf(content: object): string[] {
	try {
		readWorld({ format: 'tollgate-world', version: 1, ...content }, { digest: (text) => text });
	} catch (fault) {
		if (fault instanceof WorldError) return fault.mistakes.map(({ place }) => place).sort();
	}
	throw new Error('The world was read.');
}

test('mistakes of the schema hide no mistake in what the other parts refer to', () => {
	const content = {
		brand: { name: '' },
		accounts: [{ username: 'ada', email: 'none' }, { username: 'bob' }],
		characters: [
			{ name: 'A', player: 'adda' },
			{ name: 'B', player: 'ada', fields: { ship: 1 } },
			{ name: 'B', player: 'bob' }
		],
		permissions: [{ scope: 'a', title: 'A', consent: 'A', opens: ['shipp'], of: 'all' }],
		viewer: { client_id: 'other', shows: ['C'] }
	};
	expect(placesOf(content)).toEqual([
		'accounts.0.email',
		'brand.name',
		'characters.0.player',
		'characters.2.name',
		'permissions.0.of',
		'permissions.0.opens.0',
		'viewer.client_id',
		'viewer.shows.0'
	]);
	expect(content.brand.name + content.accounts[0]?.email).toBe('none');
});

test.each<[what: string, content: object, places: string[]]>([
	[
		'an account without a name',
		{ accounts: [7, {}, { username: 'ada' }], characters: characters('ada', 'bob') },
		['accounts.0', 'accounts.1.username']
	],
	[
		'items after those that are left out',
		{ accounts: ada, characters: [7, { player: 'ada' }, { name: 'C', player: 'bob' }] },
		['characters.0', 'characters.1.name', 'characters.2.player']
	],
	[
		'an application',
		{ applications: [{ client_id: 'portal' }], viewer: { client_id: 'portal' } },
		['applications.0.kind', 'applications.0.name', 'applications.0.secret']
	],
	['a list', { accounts: 'ada', characters: characters('ada') }, ['accounts']],
	['the version', { version: 2, accounts: ada, characters: characters('bob') }, ['characters.0.player', 'version']]
])('no mistake follows from one in %s', (_, content, places) => {
	expect(placesOf(content)).toEqual(places);
});
