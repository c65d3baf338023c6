import { defaultSettings } from '#wire/control/settings.ts';
import { encodeUtf8, base64url } from './encoding.ts';
import { installedRedirects } from './redirect-uris.ts';
import type { Account, Application, SandboxState } from './records.ts';
import type { ServiceOptions } from './service.ts';

/** Gives the stored form of the demo password; the same for every sandbox of a service, since it is no secret. */
export type DemoPassword = () => Promise<Pick<Account, 'salt' | 'password'>>;

/** The password of every demo account. */
export const demoPassword = 'demo';

/** The user names of a new sandbox. */
export const demoUsernames = ['player-one', 'player-two', 'player-three'] as const;

/** A character of the demo world. Every part but the public one needs a permission and belongs to its player. */
export type Character = {
	readonly name: string;
	readonly player: string;
	readonly race: string;
	readonly class: string;
	readonly level: number;
	readonly guild: string;
	readonly location: { readonly region: string; readonly place: string };
	readonly inventory: readonly string[];
	readonly credits: number;
	readonly biography?: string;
};

const characters: readonly Character[] = [
	{
		name: 'Mara Vell',
		player: 'player-one',
		race: 'Human',
		class: 'Cartographer',
		level: 42,
		guild: 'The Long Road',
		location: { region: 'Harrow Coast', place: 'Lantern Quay' },
		inventory: ['brass astrolabe', 'waxed map case', 'three blank charts'],
		credits: 18250
	},
	{
		name: "Tomas d'Arc",
		player: 'player-one',
		race: 'Dwarf',
		class: 'Gatewright',
		level: 17,
		guild: 'Hinge & Bar',
		location: { region: 'Underkeep', place: 'Third Arch' },
		inventory: ['iron key ring', 'oil can'],
		credits: 940
	},
	{
		name: 'Zoë Šťastná',
		player: 'player-two',
		race: 'Elf',
		class: 'Courier',
		level: 63,
		guild: 'The Long Road',
		location: { region: 'Harrow Coast', place: 'Signal Hill' },
		inventory: ['sealed letters', 'grey cloak', '"lucky" <coin>'],
		credits: 40111
	},
	{
		name: 'Half/Life',
		player: 'player-two',
		race: 'Revenant',
		class: 'Arbiter',
		level: 99,
		guild: 'Even & Odd',
		location: { region: 'The Between', place: 'Weighing House' },
		inventory: ['a pair of scales'],
		credits: 7
	},
	{
		name: '100% Orc',
		player: 'player-three',
		race: 'Orc',
		class: 'Toll Collector',
		level: 8,
		guild: 'Hinge & Bar',
		location: { region: 'North Pass', place: 'The Barrier' },
		inventory: ['striped pole', 'notebook', 'very small umbrella'],
		credits: 3920
	}
];

const byName = new Map(characters.map((character) => [character.name.normalize('NFC'), character]));

/** The character of that name, whatever the Unicode normal form; undefined where there is none. */
export function findCharacter(name: string): Character | undefined {
	return byName.get(name.normalize('NFC'));
}

/**
 * The initial state of a sandbox.
 * @param isShared true: clients that do not control it share it. It has no virtual addresses then, because with them every client
 *   evades the limits and the blacklist.
 */
export function initialState(createdAt: number, isShared = false): SandboxState {
	return {
		createdAt,
		key: undefined,
		ownerKeys: [],
		offset: 0,
		settings: { ...defaultSettings, virtual_addresses: !isShared },
		hasApplicationAddresses: false,
		faults: []
	};
}

/** The two applications of a fresh sandbox. Their secrets are printed in the README. */
export function demoApplications(base_url: string, registered: number, { digest }: ServiceOptions): Application[] {
	const secret = (text: string, salt: string) => ({ salt, digest: digest(`${salt}:${text}`) });
	return [
		{
			client_id: 'character-viewer',
			name: 'Character Viewer',
			kind: 'web',
			redirect_uris: [`${base_url}/viewer/callback`],
			secret: secret('viewer-secret', 'character-viewer'),
			registered
		},
		{
			client_id: 'pocket-companion',
			name: 'Pocket Companion',
			kind: 'installed',
			redirect_uris: [...installedRedirects],
			secret: secret('companion-secret', 'pocket-companion'),
			registered
		}
	];
}

/** The accounts of a fresh sandbox, with the stored form of the password that they share. */
export function demoAccounts(stored: Pick<Account, 'salt' | 'password'>): Account[] {
	return demoUsernames.map((username) => ({ username, ...stored }));
}

/** Computes the stored form of the demo password once, when first asked. */
export function createDemoPassword({ scrypt }: ServiceOptions): DemoPassword {
	let stored: Promise<Pick<Account, 'salt' | 'password'>> | undefined;
	const salt = 'tollgate-demo';
	return () =>
		(stored ??= scrypt(demoPassword, encodeUtf8(salt)).then((hash) => ({ salt, password: base64url(hash) })));
}
