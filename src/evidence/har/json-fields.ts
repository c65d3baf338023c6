// The content of a file is unknown until each part of it was looked at. No part is trusted to have the form that HAR describes.

/** The own field of a parsed object. Undefined where it is absent or the value is no object. */
export function fieldOf(value: unknown, ...path: readonly string[]): unknown {
	let part: unknown = value;
	for (const name of path) {
		if (typeof part !== 'object' || part === null) return undefined;
		part = Object.getOwnPropertyDescriptor(part, name)?.value;
	}
	return part;
}

/** A field that is a text, or a number as a text. Empty where it is neither. */
export function textOf(value: unknown, ...path: readonly string[]): string {
	const found = fieldOf(value, ...path);
	if (typeof found === 'string') return found;
	return typeof found === 'number' ? String(found) : '';
}

/** A field that is a finite number, or a text of one. Undefined where it is neither. */
export function numberOf(value: unknown, ...path: readonly string[]): number | undefined {
	const text = textOf(value, ...path).trim();
	const number = Number(text);
	return text === '' || !Number.isFinite(number) ? undefined : number;
}

/** A field that is a list. Empty where it is none. */
export function listOf(value: unknown, ...path: readonly string[]): readonly unknown[] {
	const found: unknown = fieldOf(value, ...path);
	return Array.isArray(found) ? found : [];
}

/** Whether a value is an object, and no list. */
export function isObject(value: unknown): value is object {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The content of a JSON text. Undefined where it is none. */
export function parseJson(text: string): unknown {
	try {
		const content: unknown = JSON.parse(text);
		return content;
	} catch {
		return undefined;
	}
}

/** The object in a JSON text. Undefined where it has none. */
export function parseObject(text: string): object | undefined {
	if (!/^\s*\{/.test(text)) return undefined;
	const content = parseJson(text);
	return isObject(content) ? content : undefined;
}
