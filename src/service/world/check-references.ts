import type { WorldFile } from '#wire/world/world-file.ts';
import { encodeUtf8 } from '../encoding.ts';
import { isTestCardName } from '../test-card-list.ts';
import type { CompleteWorldFile } from './complete-file.ts';
import { checkClients } from './check-clients.ts';
import { seedBytes } from './seed-bytes.ts';
import { WorldError } from './world-error.ts';

/** The longest character, as JSON in bytes. */
const maxCharacter = 16 * 1024;
/** The most memory of all sandboxes together with the records of their world, in bytes. */
const maxMemory = 128 * 1024 * 1024;

/**
 * Checks what the schema cannot: names that occur twice, references to what is not there, and sizes.
 * @param given the file as it is written
 * @param most how many sandboxes there can be
 * @throws WorldError for the first mistake
 */
export function checkReferences(file: CompleteWorldFile, given: WorldFile, most: number): void {
	requireUnique('permissions', 'scope', file.permissions);
	requireUnique('accounts', 'username', file.accounts);
	requireUnique('characters', 'name', file.characters);
	requireUnique('applications', 'client_id', file.applications);
	checkAccounts(file);
	checkCharacters(file);
	if (given.permissions !== undefined && given.characters !== undefined) checkOpens(file);
	checkClients(file);
	const bytes = seedBytes(file);
	if (bytes * most > maxMemory) {
		const mebibytes = Math.ceil((bytes * most) / 1024 / 1024);
		throw new WorldError(
			'characters',
			`${most} sandboxes with all of them need ${mebibytes} MiB of at most ${maxMemory / 1024 / 1024} MiB. Use fewer characters, or lower sandboxes.most.`
		);
	}
}

function requireUnique<F extends string>(
	list: string,
	field: F,
	items: readonly { readonly [K in F]: string }[]
): void {
	const seen = new Set<string>();
	items.forEach((item, at) => {
		const name = item[field].normalize('NFC');
		if (seen.has(name)) throw new WorldError(`${list}.${at}.${field}`, `"${name}" occurs twice. Rename or remove one.`);
		seen.add(name);
	});
}

function checkAccounts({ accounts }: CompleteWorldFile): void {
	accounts.forEach(({ username }, at) => {
		if (isTestCardName('account', username)) throw reserved(`accounts.${at}.username`, username);
	});
}

function checkCharacters({ characters, accounts, viewer }: CompleteWorldFile): void {
	const usernames = accounts.map(({ username }) => username);
	characters.forEach((character, at) => {
		const { name, player } = character;
		if (isTestCardName('character', name)) throw reserved(`characters.${at}.name`, name);
		if (!usernames.includes(player))
			throw new WorldError(
				`characters.${at}.player`,
				`There is no account "${player.slice(0, 40)}". Add it to accounts, or name another one.`
			);
		const size = encodeUtf8(JSON.stringify(character)).length;
		if (size > maxCharacter)
			throw new WorldError(
				`characters.${at}`,
				`"${name}" has ${Math.ceil(size / 1024)} KiB of JSON. Use at most ${maxCharacter / 1024} KiB.`
			);
	});
	const missing = (viewer.shows ?? []).findIndex((shown) => !characters.some(({ name }) => name === shown));
	if (missing >= 0)
		throw new WorldError(`viewer.shows.${missing}`, `There is no character "${viewer.shows?.[missing] ?? ''}".`);
}

/** A field that no character has is probably misspelled, and then the true one is public. */
function checkOpens({ permissions, characters }: CompleteWorldFile): void {
	const fields = new Set(characters.flatMap((character) => Object.keys(character.fields ?? {})));
	permissions.forEach(({ opens = [] }, at) => {
		const unknown = opens.findIndex((field) => !fields.has(field));
		if (unknown >= 0)
			throw new WorldError(
				`permissions.${at}.opens.${unknown}`,
				`No character has the field "${opens[unknown] ?? ''}". Correct the name, or remove it.`
			);
	});
}

function reserved(place: string, name: string): WorldError {
	return new WorldError(place, `"${name}" is the name of a test card. Choose another name.`);
}
