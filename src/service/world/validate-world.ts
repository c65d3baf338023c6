import { dialectNameOf, dialects, ownProvider } from '#api/dialect.ts';
import { checks } from '#api/checks.ts';
import { providerMistakes } from '#api/providers/provider-mistakes.ts';
import type { WorldFile } from '#api/world/world-file.ts';
import { encodeUtf8 } from '../core/encoding.ts';
import { ProtocolError } from '../core/errors.ts';
import { baseUrlPlaceholder, resolveBaseUrl } from '../sandbox/redirect-uris.ts';
import { validateUris } from '../sandbox/validate-uris.ts';
import { isTestCardName } from '../sandbox/test-card-list.ts';
import type { RecordList } from '../sandbox/records.ts';
import type { Kind, World } from './world.ts';
import type { WorldMistakes } from './world-mistakes.ts';
import { bytesOf } from '#store/byte-budget.ts';
import { scopeOf, valueMistake } from '#api/world/record-values.ts';

/** The longest character, as JSON in bytes. */
const maxCharacter = 16 * 1024;
/** The most memory of all sandboxes together with the records of their world, in bytes. */
const maxMemory = 128 * 1024 * 1024;

/**
 * Checks what the schema cannot: names that occur twice, references to what is not there, and sizes.
 * @param file what the world was read from
 * @param mistakes gets those that are found
 */
export function validateWorld(world: World, file: WorldFile, mistakes: WorldMistakes): void {
	requireUnique('permissions', 'scope', world.permissions, mistakes);
	requireUnique('accounts', 'username', world.accounts, mistakes);
	requireUnique('characters', 'name', world.characters, mistakes);
	requireUnique('applications', 'client_id', world.applications, mistakes);
	checkAccounts(world, mistakes);
	checkCharacters(world, mistakes);
	if (file.permissions !== undefined && file.characters !== undefined) checkOpens(world, mistakes);
	checkFieldNames(world, mistakes);
	checkKinds(file, world, mistakes);
	checkUris(file, mistakes);
	checkProvider(file, mistakes);
	checkViewer(world, mistakes);
	if (world.companion !== undefined) findClient(world, 'companion', 'installed', mistakes);
	checkPublishedSecret(file, 'viewer', mistakes);
	checkPublishedSecret(file, 'companion', mistakes);
	const { most } = world.sandboxes;
	const bytes = seedBytes(world);
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

function checkAccounts({ accounts }: World, mistakes: WorldMistakes): void {
	accounts.forEach(({ username }, at) => {
		if (isTestCardName('account', username)) mistakes.add(`accounts.${at}.username`, reserved(username));
	});
}

function checkCharacters({ characters, accounts, viewer }: World, mistakes: WorldMistakes): void {
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
	viewer.shows.forEach((shown, at) => {
		if (!names.has(shown)) mistakes.add(`viewer.shows.${at}`, `There is no character "${shown}".`);
	});
}

/** A field that no character has is probably misspelled, and then the true one is public. */
function checkOpens({ permissions, characters }: World, mistakes: WorldMistakes): void {
	const fields = new Set(characters.flatMap((character) => Object.keys(character.fields)));
	permissions.forEach(({ opens }, at) => {
		opens.forEach((field, index) => {
			if (!fields.has(field))
				mistakes.add(
					`permissions.${at}.opens.${index}`,
					`No character has the field "${field}". Correct the name, or remove it.`
				);
		});
	});
}

/** Fields within a field have names, too. */
function checkFieldNames({ resource, characters }: World, mistakes: WorldMistakes): void {
	const isIn = (value: unknown, name: string): boolean =>
		typeof value === 'object' &&
		value !== null &&
		(Object.hasOwn(value, name) || Object.values(value).some((part) => isIn(part, name)));
	for (const name of Object.keys(resource.fields ?? {})) {
		if (!characters.some(({ fields }) => isIn(fields, name)))
			mistakes.add(`resource.fields.${name}`, `No character has the field "${name}". Correct the name, or remove it.`);
	}
}

function reserved(name: string): string {
	return `"${name}" is the name of a test card. Choose another name.`;
}

/** An installed application has its own redirect URIs only where new sandboxes have the dialect of today's standards. */
function checkUris({ applications = [], settings = {} }: WorldFile, mistakes: WorldMistakes): void {
	const { loopback } = dialects[dialectNameOf(settings.dialect)];
	const resolve = (uris: readonly string[]) => uris.map((uri) => resolveBaseUrl(uri, 'https://tollgate.test'));
	applications.forEach(({ kind, redirect_uris = [], post_logout_redirect_uris = [] }, at) => {
		try {
			const uris = {
				redirect_uris: resolve(redirect_uris),
				post_logout_redirect_uris: resolve(post_logout_redirect_uris)
			};
			validateUris(kind, uris, loopback);
		} catch (fault) {
			if (!(fault instanceof ProtocolError)) throw fault;
			mistakes.add(`applications.${at}.${fault.field ?? 'redirect_uris'}`, fault.message);
		}
	});
}

function checkProvider({ provider, settings }: WorldFile, mistakes: WorldMistakes): void {
	if (provider === undefined && settings?.dialect === ownProvider)
		mistakes.add('settings.dialect', 'Describe your API in provider, or name another dialect.');
	for (const { place, reason } of provider === undefined ? [] : providerMistakes(provider, checks))
		mistakes.add(`provider.${place}`, reason);
}

function checkViewer(world: World, mistakes: WorldMistakes): void {
	const callback = `${baseUrlPlaceholder}/viewer/callback`;
	const application = findClient(world, 'viewer', 'web', mistakes);
	if (application?.redirect_uris.includes(callback) === false)
		mistakes.add('viewer.client_id', `Add "${callback}" to the redirect_uris of "${application.client_id}".`);
}

/** The application of a page, which must be of a kind. */
function findClient(
	world: World,
	page: 'viewer' | 'companion',
	kind: 'web' | 'installed',
	mistakes: WorldMistakes
): World['applications'][number] | undefined {
	const client_id = world[page]?.client_id;
	const application = world.applications.find((application) => application.client_id === client_id);
	if (application?.kind === kind) return application;
	const reason =
		application === undefined
			? `There is no application "${client_id}".`
			: `The kind of "${client_id}" is not "${kind}".`;
	mistakes.add(`${page}.client_id`, `${reason} Add an application of the kind "${kind}", or name another one.`);
	return undefined;
}

function checkPublishedSecret(
	{ applications = [], ...file }: WorldFile,
	page: 'viewer' | 'companion',
	mistakes: WorldMistakes
): void {
	const { client_id, publish_secret = false } = file[page] ?? {};
	const application = applications.find((application) => application.client_id === client_id);
	if (publish_secret && application !== undefined && typeof application.secret !== 'string')
		mistakes.add(
			`${page}.publish_secret`,
			`The secret of "${client_id}" is not in the file, so it stays secret. Remove publish_secret, or write the secret as a text.`
		);
}

type SeededRecords = {
	readonly characters: readonly { readonly name: string }[];
	readonly permissions: readonly { readonly scope: string }[];
	readonly lists: readonly RecordList[];
};

/** Roughly the memory of the characters, permissions and records of one sandbox, in bytes. */
export function seedBytes({ characters, permissions, lists }: SeededRecords): number {
	let bytes = 0;
	for (const character of characters) bytes += bytesOf(character.name, character);
	for (const permission of permissions) bytes += bytesOf(permission.scope, permission);
	for (const list of lists) bytes += bytesOf(listKey(list), list);
	return bytes;
}

type WrittenKinds = NonNullable<WorldFile['kinds']>;

/** The limit of a resource that states none (specification, section 8.1). */
const defaultLimit = 600;

/** The key of the records of a kind that belong to an account. */
export function listKey({ kind, owner }: Pick<RecordList, 'kind' | 'owner'>): string {
	return `${kind} ${owner}`;
}

/** The kinds of a file, with their defaults, and their records by account. */
export function completeKinds(
	written: WrittenKinds,
	permissions: readonly { readonly scope: string }[]
): Pick<World, 'kinds' | 'lists'> {
	const kinds = written.map(({ limit = defaultLimit, cost, records: _, ...kind }): Kind => {
		const isWritable = permissions.some(({ scope }) => scope === scopeOf(kind.name, 'write'));
		return { ...kind, limit, cost: { list: 1, item: 1, write: 1, ...cost }, isWritable };
	});
	const lists = written.flatMap(({ name: kind, records = [] }) =>
		[...new Set(records.map(({ owner }) => owner))].map((owner): RecordList => {
			const items = records.flatMap(({ id, owner: of, fields }) => (of === owner ? [{ id, fields }] : []));
			return { kind, owner, size: items.length, items };
		})
	);
	return { kinds, lists };
}

/** Checks what the schema of kinds cannot: names, permissions, accounts, and values of fields. */
function checkKinds(
	{ kinds = [] }: WorldFile,
	{ permissions, accounts, resource, lists }: World,
	mistakes: WorldMistakes
): void {
	const scopes = permissions.map(({ scope }) => scope);
	const usernames = accounts.map(({ username }) => username);
	kinds.forEach(({ name, fields, records = [] }, at) => {
		const place = `kinds.${at}`;
		if (kinds.findIndex((kind) => kind.name === name) < at || name === resource.path)
			mistakes.add(`${place}.name`, `"${name}" occurs twice, or is the path of the resource. Rename one.`);
		if (!scopes.includes(scopeOf(name, 'read')))
			mistakes.add(
				`${place}.name`,
				`There is no permission "${scopeOf(name, 'read')}". Add it to permissions. Writes need "${scopeOf(name, 'write')}".`
			);
		for (const [field, { type, values, default: initial }] of Object.entries(fields)) {
			if (values !== undefined && type !== 'text')
				mistakes.add(`${place}.fields.${field}.values`, 'Only a text can have a list of values.');
			const wrong = initial === undefined ? undefined : valueMistake({ type, ...(values && { values }) }, initial);
			if (wrong !== undefined) mistakes.add(`${place}.fields.${field}.default`, wrong);
		}
		const ids = new Set<string>();
		records.forEach(({ id, owner, fields: sent }, index) => {
			const item = `${place}.records.${index}`;
			if (ids.has(id)) mistakes.add(`${item}.id`, `"${id}" occurs twice. Rename one.`);
			ids.add(id);
			if (!usernames.includes(owner))
				mistakes.add(`${item}.owner`, `There is no account "${owner}". Add it to accounts, or name another one.`);
			for (const [field, value] of Object.entries(sent)) {
				const declared = fields[field];
				const wrong = declared
					? valueMistake(declared, value)
					: 'The kind has no such field. Remove it, or declare it.';
				if (wrong !== undefined) mistakes.add(`${item}.fields.${field}`, wrong);
			}
		});
	});
	const count = lists.reduce((sum, { size }) => sum + size, 0);
	if (count > maxRecords) mistakes.add('kinds', `There are ${count} records. Use at most ${maxRecords} in all kinds.`);
}

/** Records of all kinds. As many more fit into a sandbox. */
const maxRecords = 500;
