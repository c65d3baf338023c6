import { scopeOf } from '#api/world/record-values.ts';
import { listIn, partAt, textIn, withPart } from './file-parts.ts';
import { idOf, replaceWord } from './replace-word.ts';

/** What other parts of a world file name items of a list by. */
const references = { accounts: 'username', characters: 'name', applications: 'client_id' } as const;

/** The lists whose items have a name in other parts of the file. */
export type Referenced = keyof typeof references;

/**
 * A copy of a world file with another text at a place, and what follows from it: a brand and a noun change in all sentences, a name of a
 * user or an application in its ids, and an id in what refers to it. Texts that a user wrote in place of derived ones stay.
 * @param place `brand.name`
 */
export function withText(file: unknown, place: string, text: string): unknown {
	const before = textIn(file, place.split('.'));
	const [first = '', at = '', name = ''] = place.split('.');
	if (place === 'brand.name' || place === 'resource.plural')
		return set(replaceWord(file, before, text.trim()), place, text);
	if (place === 'resource.singular') return withNoun(file, before, text);
	if (first === 'accounts' && name === 'name') return withAccountName(set(file, place, text), Number(at), before, text);
	if (first === 'applications' && name === 'name')
		return withDerivedId(set(file, place, text), 'applications', Number(at), before, text);
	if (first === 'kinds' && name === 'name') return withKindName(set(file, place, text), before, text);
	const list = Object.entries(references).find(([list, key]) => list === first && key === name)?.[0];
	return isReferenced(list) ? withReference(file, list, Number(at), text) : set(file, place, text);
}

function isReferenced(list: string | undefined): list is Referenced {
	return list !== undefined && Object.hasOwn(references, list);
}

/** An empty text removes an optional value. */
function set(file: unknown, place: string, text: string): unknown {
	return withPart(file, place.split('.'), text === '' ? undefined : text);
}

/** The plural follows if it is regular. It is replaced first: it can contain the singular. */
function withNoun(file: unknown, before: string, text: string): unknown {
	const noun = text.trim();
	const plural = textIn(file, ['resource', 'plural']);
	const isRegular = plural !== '' && plural === pluralOf(before);
	const changed = isRegular && noun !== '' ? replaceWord(file, plural, pluralOf(noun)) : file;
	return set(replaceWord(changed, before, noun), 'resource.singular', text);
}

/** The regular plural of an English noun. */
function pluralOf(noun: string): string {
	if (/[^aeiou]y$/.test(noun)) return `${noun.slice(0, -1)}ies`;
	return /(?:s|x|z|ch|sh)$/.test(noun) ? `${noun}es` : `${noun}s`;
}

/** The username follows the first name or the whole name, and the e-mail address the username. */
function withAccountName(file: unknown, at: number, before: string, text: string): unknown {
	const username = textIn(file, ['accounts', String(at), 'username']);
	const changed = withDerivedId(file, 'accounts', at, before, text);
	const next = textIn(changed, ['accounts', String(at), 'username']);
	const email = textIn(file, ['accounts', String(at), 'email']);
	if (username === '' || !email.startsWith(`${username}@`)) return changed;
	return withPart(changed, ['accounts', String(at), 'email'], next + email.slice(username.length));
}

function withDerivedId(file: unknown, list: Referenced, at: number, before: string, text: string): unknown {
	const id = textIn(file, [list, String(at), references[list]]);
	const derive = [idOf, firstNameId].find((one) => one(before) === id);
	const next = derive?.(text) ?? '';
	return id === '' || next === '' ? file : withReference(file, list, at, next);
}

/** A word with a full stop is a title: "Dr.". */
function firstNameId(name: string): string {
	return idOf(name.split(/\s+/).find((word) => word !== '' && !word.endsWith('.')) ?? '');
}

const permissionWords = { read: ['Read', 'See your'], write: ['Create', 'Create'] } as const;

/** The permission that reads or writes a kind: its scope, and its words for users. */
export function permissionOf(
	kind: string,
	action: 'read' | 'write'
): { readonly scope: string; readonly title: string; readonly consent: string } {
	const [title, consent] = permissionWords[action];
	return { scope: scopeOf(kind, action), title: `${title} ${kind}`, consent: `${consent} ${kind}` };
}

/** The permissions of a kind have its name, unless the author chose other words. */
function withKindName(file: unknown, before: string, name: string): unknown {
	let changed = file;
	listIn(file, ['permissions']).forEach((permission, at) => {
		for (const action of ['read', 'write'] as const)
			for (const [part, derived] of Object.entries(permissionOf(before, action)))
				if (before !== '' && partAt(permission, [part]) === derived)
					changed = withPart(changed, ['permissions', String(at), part], partAt(permissionOf(name, action), [part]));
	});
	return changed;
}

/** Changes the owner of records of all kinds. */
function withOwner(file: unknown, before: string, username: string): unknown {
	let changed = file;
	listIn(file, ['kinds']).forEach((kind, at) =>
		listIn(kind, ['records']).forEach((record, index) => {
			const path = ['kinds', String(at), 'records', String(index), 'owner'];
			if (partAt(record, ['owner']) === before) changed = withPart(changed, path, username);
		})
	);
	return changed;
}

/** Changes what an item is named by, there and where it is named. */
function withReference(file: unknown, list: Referenced, at: number, name: string): unknown {
	const path = [list, String(at), references[list]];
	const before = textIn(file, path);
	let changed = withPart(file, path, name);
	if (list === 'accounts') changed = withOwner(changed, before, name);
	if (list === 'accounts')
		listIn(file, ['characters']).forEach((one, index) => {
			if (partAt(one, ['player']) === before)
				changed = withPart(changed, ['characters', String(index), 'player'], name);
		});
	if (list === 'characters')
		listIn(file, ['viewer', 'shows']).forEach((one, index) => {
			if (one === before) changed = withPart(changed, ['viewer', 'shows', String(index)], name);
		});
	if (list === 'applications')
		for (const client of ['viewer', 'companion'])
			if (textIn(file, [client, 'client_id']) === before) changed = withPart(changed, [client, 'client_id'], name);
	return changed;
}
