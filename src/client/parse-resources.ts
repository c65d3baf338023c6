import { isArray, isObject, type JsonValue } from './rate-limit/json-value.ts';
import type { Permission } from './world.ts';

type CharacterField = {
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

/** A rate limit record of section 2.5. */
export type ParsedRateLimit = {
	readonly pattern: string;
	readonly limit: number;
	readonly remaining: number;
	/** Milliseconds since 1970 by the service's clock. */
	readonly reset: number;
	/** As the service wrote it. */
	readonly reset_time: string;
};

/**
 * Parses the response of `/ws/v2.0/ratelimits`. Converted from XML, a single record is no array.
 * @param data of the response
 * @returns the valid records
 */
export function parseRateLimits(data: JsonValue | undefined): readonly ParsedRateLimit[] {
	const body = isObject(data) && isObject(data.ratelimits) ? data.ratelimits : data;
	const records = isObject(body) ? body.ratelimit : undefined;
	const list = isArray(records) ? records : records === undefined ? [] : [records];
	return list.map(parseRecord).filter((record) => record !== undefined);
}

function parseRecord(value: JsonValue): ParsedRateLimit | undefined {
	if (!isObject(value) || typeof value.pattern !== 'string') return undefined;
	const { pattern, reset_time } = value;
	const [limit, remaining, reset] = [Number(value.limit), Number(value.remaining), Number(value.reset) * 1000];
	const isValid = Number.isFinite(limit) && Number.isFinite(remaining) && !Number.isNaN(new Date(reset).getTime());
	if (!isValid) return undefined;
	return { pattern, limit, remaining, reset, reset_time: typeof reset_time === 'string' ? reset_time : '' };
}
