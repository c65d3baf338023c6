import { isArray, isObject, type JsonValue } from './rate-limit/json-value.ts';
import type { Permission } from './world.ts';

export type CharacterField = {
	/** Unique in a character: `location region`. */
	readonly id: string;
	readonly name: string;
	readonly value: string;
};

/** A character, as far as the token's scope allows. */
export type ParsedCharacter = {
	readonly name: string;
	readonly fields: readonly CharacterField[];
	/** The permissions that the user granted, with the fields that each opens here. */
	readonly opened: readonly { readonly scope: string; readonly fields: readonly string[] }[];
	/** The permissions that the user did not grant and whose fields are missing. */
	readonly missingPermissions: readonly Permission[];
	/** Fields are missing although the permission was granted: the character belongs to another user. */
	readonly isOtherUsers: boolean;
};

/**
 * Parses the character resource. The specification does not list its fields, so all are shown.
 * @param data of the response
 * @param scope of the access token
 * @param permissions of the service
 * @returns undefined if it is no character
 */
export function parseCharacter(
	data: JsonValue | undefined,
	scope: readonly string[],
	permissions: readonly Permission[]
): ParsedCharacter | undefined {
	if (!isObject(data)) return undefined;
	const body = isObject(data.character) ? data.character : data;
	const { name, ...others } = body;
	if (typeof name !== 'string') return undefined;
	const present = ({ opens }: Permission) => opens.filter((field) => Object.hasOwn(others, field));
	const missing = permissions.filter((permission) => permission.opens.length > 0 && present(permission).length === 0);
	const isGranted = (permission: Permission) => scope.includes(permission.scope);
	return {
		name,
		fields: Object.entries(others).flatMap(([field, value]) => fieldsOf(field, value)),
		opened: permissions
			.filter(isGranted)
			.map((permission) => ({ scope: permission.scope, fields: present(permission) }))
			.filter(({ fields }) => fields.length > 0),
		missingPermissions: missing.filter((permission) => !isGranted(permission)),
		isOtherUsers: missing.some((permission) => isGranted(permission) && permission.of === 'own')
	};
}

function fieldsOf(name: string, value: JsonValue): CharacterField[] {
	if (!isObject(value)) return [{ id: name, name, value: textOf(value) }];
	return Object.entries(value).map(([inner, part]) => ({ id: `${name} ${inner}`, name: inner, value: textOf(part) }));
}

function textOf(value: JsonValue): string {
	if (isArray(value)) return value.map(textOf).join(', ');
	if (isObject(value))
		return Object.entries(value)
			.map(([name, part]) => `${name}: ${textOf(part)}`)
			.join(', ');
	return String(value);
}
