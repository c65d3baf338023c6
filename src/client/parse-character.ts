import { isArray, isObject, type JsonValue } from './rate-limit/json-value.ts';
import { scopes, type ScopeInfo } from './scope-info.ts';

/** A field of a character. */
export type CharacterField = { readonly name: string; readonly value: string };

/** A character, as far as the token's scope allows. */
export type Character = {
	readonly name: string;
	readonly fields: readonly CharacterField[];
	/** The permissions that the user did not grant and whose fields are missing. */
	readonly missingPermissions: readonly ScopeInfo[];
	/** Fields are missing although the permission was granted: the character belongs to another user. */
	readonly isOtherUsers: boolean;
};

/**
 * Parses the character resource. The specification does not list its fields, so all are shown.
 * @param data of the response
 * @param scope of the access token
 * @returns undefined if it is no character
 */
export function parseCharacter(data: JsonValue | undefined, scope: readonly string[]): Character | undefined {
	if (!isObject(data)) return undefined;
	const body = isObject(data.character) ? data.character : data;
	const { name, ...others } = body;
	if (typeof name !== 'string') return undefined;
	const missing = scopes.filter(({ fields }) => fields.some((field) => !(field in body)));
	return {
		name,
		fields: Object.entries(others).flatMap(([field, value]) => fieldsOf(field, value)),
		missingPermissions: missing.filter((one) => !scope.includes(one.name)),
		isOtherUsers: missing.some((one) => scope.includes(one.name))
	};
}

function fieldsOf(name: string, value: JsonValue): CharacterField[] {
	if (isObject(value)) return Object.entries(value).map(([inner, part]) => ({ name: inner, value: textOf(part) }));
	return [{ name, value: textOf(value) }];
}

function textOf(value: JsonValue): string {
	if (isArray(value)) return value.map(textOf).join(', ');
	if (isObject(value)) return Object.values(value).map(textOf).join(', ');
	return String(value);
}
