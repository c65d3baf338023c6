import { permissions, type Permission } from '../permissions.ts';
import { hasFields, isList, type Tree } from '../xml.ts';

/** One line of a character sheet. */
export type Line = { readonly field: string; readonly value: string };

/** A character as far as this person may see it. */
export type Character = {
	readonly name: string;
	readonly lines: readonly Line[];
	/** Permissions that the person has not given, and whose fields are missing. */
	readonly lacking: readonly Permission[];
	/** True where permissions were given and their fields are missing all the same: the character is somebody else's. */
	readonly foreign: boolean;
};

/**
 * Reads the character resource. Its fields are not promised by the specification, so whatever is there is shown.
 * @param tree the answer as data, from JSON or XML
 * @param scope what the person allowed
 */
export function characterOf(tree: Tree | undefined, scope: readonly string[]): Character | undefined {
	if (!hasFields(tree)) return undefined;
	const body = hasFields(tree.character) ? tree.character : tree;
	const { name, ...rest } = body;
	if (typeof name !== 'string') return undefined;
	const lines = Object.entries(rest).flatMap(([field, value]) => linesOf(field, value));
	const missing = permissions.filter(({ fields }) => fields.some((field) => !(field in body)));
	return {
		name,
		lines,
		lacking: missing.filter((permission) => !scope.includes(permission.scope)),
		foreign: missing.some((permission) => scope.includes(permission.scope))
	};
}

function linesOf(field: string, value: Tree): Line[] {
	if (isList(value)) return [{ field, value: value.map(textOf).join(', ') }];
	if (hasFields(value)) return Object.entries(value).map(([inner, part]) => ({ field: inner, value: textOf(part) }));
	return [{ field, value: textOf(value) }];
}

function textOf(value: Tree): string {
	if (isList(value)) return value.map(textOf).join(', ');
	if (hasFields(value)) return Object.values(value).map(textOf).join(', ');
	return String(value);
}
