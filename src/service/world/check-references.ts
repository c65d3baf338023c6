import type { WorldFile } from '#api/world/world-file.ts';
import { encodeUtf8 } from '../core/encoding.ts';
import { isTestCardName } from '../sandbox/test-card-list.ts';
import type { CompleteWorldFile } from './complete-file.ts';
import { checkClients } from './check-clients.ts';
import { seedBytes } from './seed-bytes.ts';
import type { WorldMistakes } from './world-mistakes.ts';

/** The longest character, as JSON in bytes. */
const maxCharacter = 16 * 1024;
/** The most memory of all sandboxes together with the records of their world, in bytes. */
const maxMemory = 128 * 1024 * 1024;

/**
 * Checks what the schema cannot: names that occur twice, references to what is not there, and sizes.
 * @param given the file before completion
 * @param most how many sandboxes there can be
 * @param mistakes gets those that are found
 */
export function checkReferences(
	file: CompleteWorldFile,
	given: WorldFile,
	most: number,
	mistakes: WorldMistakes
): void {
	requireUnique('permissions', 'scope', file.permissions, mistakes);
	requireUnique('accounts', 'username', file.accounts, mistakes);
	requireUnique('characters', 'name', file.characters, mistakes);
	requireUnique('applications', 'client_id', file.applications, mistakes);
	checkAccounts(file, mistakes);
	checkCharacters(file, mistakes);
	if (given.permissions !== undefined && given.characters !== undefined) checkOpens(file, mistakes);
	checkClients(file, mistakes);
	const bytes = seedBytes(file);
	if (bytes * most > maxMemory) {
		const mebibytes = Math.ceil((bytes * most) / 1024 / 1024);
		mistakes.add(
			'characters',
			`${most} sandboxes with all of them need ${mebibytes} MiB of at most ${maxMemory / 1024 / 1024} MiB. Use fewer characters, or lower sandboxes.most.`
		);
	}
}

function requireUnique<F extends string>(
	list: string,
	field: F,
	items: readonly { readonly [K in F]: string }[],
	mistakes: WorldMistakes
): void {
	const seen = new Set<string>();
	items.forEach((item, at) => {
		const name = item[field].normalize('NFC');
		if (seen.has(name)) mistakes.add(`${list}.${at}.${field}`, `"${name}" occurs twice. Rename or remove one.`);
		seen.add(name);
	});
}

function checkAccounts({ accounts }: CompleteWorldFile, mistakes: WorldMistakes): void {
	accounts.forEach(({ username }, at) => {
		if (isTestCardName('account', username)) mistakes.add(`accounts.${at}.username`, reserved(username));
	});
}

function checkCharacters({ characters, accounts, viewer }: CompleteWorldFile, mistakes: WorldMistakes): void {
	const usernames = accounts.map(({ username }) => username);
	characters.forEach((character, at) => {
		const { name, player } = character;
		if (isTestCardName('character', name)) mistakes.add(`characters.${at}.name`, reserved(name));
		if (!usernames.includes(player))
			mistakes.add(
				`characters.${at}.player`,
				`There is no account "${player.slice(0, 40)}". Add it to accounts, or name another one.`
			);
		const size = encodeUtf8(JSON.stringify(character)).length;
		if (size > maxCharacter)
			mistakes.add(
				`characters.${at}`,
				`"${name}" has ${Math.ceil(size / 1024)} KiB of JSON. Use at most ${maxCharacter / 1024} KiB.`
			);
	});
	const names = new Set(characters.map(({ name }) => name));
	(viewer.shows ?? []).forEach((shown, at) => {
		if (!names.has(shown)) mistakes.add(`viewer.shows.${at}`, `There is no character "${shown}".`);
	});
}

/** A field that no character has is probably misspelled, and then the true one is public. */
function checkOpens({ permissions, characters }: CompleteWorldFile, mistakes: WorldMistakes): void {
	const fields = new Set(characters.flatMap((character) => Object.keys(character.fields ?? {})));
	permissions.forEach(({ opens = [] }, at) => {
		opens.forEach((field, index) => {
			if (!fields.has(field))
				mistakes.add(
					`permissions.${at}.opens.${index}`,
					`No character has the field "${field}". Correct the name, or remove it.`
				);
		});
	});
}

function reserved(name: string): string {
	return `"${name}" is the name of a test card. Choose another name.`;
}
