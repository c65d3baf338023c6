/** The value at a path in the content of a file. Undefined if there is none. */
export function partAt(value: unknown, path: readonly string[]): unknown {
	const [name, ...rest] = path;
	if (name === undefined) return value;
	if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
	return partAt(Reflect.get(value, name), rest);
}

/** A copy with another value at a path. Undefined removes it, and objects that are empty then. */
export function withPart(value: unknown, path: readonly string[], part: unknown): unknown {
	const [name, ...rest] = path;
	if (name === undefined) return part;
	if (Array.isArray(value)) {
		const list = Array.from<unknown>(value);
		list[Number(name)] = withPart(list[Number(name)], rest, part) ?? {};
		return list;
	}
	const object = typeof value === 'object' && value !== null ? value : {};
	const next = withPart(partAt(object, [name]), rest, part);
	if (next !== undefined) return { ...object, [name]: next };
	const others = Object.entries(object).filter(([key]) => key !== name);
	return others.length === 0 ? undefined : Object.fromEntries(others);
}

/** The text at a path. Empty if there is none. */
export function textIn(value: unknown, path: readonly string[]): string {
	const part = partAt(value, path);
	return typeof part === 'string' ? part : '';
}

/** The list at a path. Empty if there is none. */
export function listIn(value: unknown, path: readonly string[]): readonly unknown[] {
	const part = partAt(value, path);
	return Array.isArray(part) ? part : [];
}
