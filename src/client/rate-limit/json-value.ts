/** What JSON can hold. XML is converted to it; its values are strings then. */
export type JsonValue =
	| string
	| number
	| boolean
	| null
	| readonly JsonValue[]
	| { readonly [name: string]: JsonValue };

/**
 * Parses JSON; undefined if it is none.
 * @example
 * parseJson('{"name":"Mara Vell"}'); // { name: 'Mara Vell' }
 * parseJson('<name>'); // undefined
 */
export function parseJson(text: string): JsonValue | undefined {
	try {
		const value: unknown = JSON.parse(text);
		return isJsonValue(value) ? value : undefined;
	} catch {
		return undefined;
	}
}

/**
 * Whether a value has fields.
 * @example
 * isObject({ name: 'Mara Vell' }); // true
 * isObject([]); // false
 */
export function isObject(value: JsonValue | undefined): value is { readonly [name: string]: JsonValue } {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Whether a value is an array.
 * @example
 * isArray([1, 2]); // true
 */
export function isArray(value: JsonValue | undefined): value is readonly JsonValue[] {
	return Array.isArray(value);
}

/** True for everything that `JSON.parse` returns. */
function isJsonValue(value: unknown): value is JsonValue {
	return value !== undefined;
}
