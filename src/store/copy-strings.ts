/** V8 makes a part of a string of at least this length a view of the whole. Shorter parts are copied anyway. */
const shortestView = 13;

/** The same text in separate memory. A part of a longer string keeps the whole string alive. */
export function copyString(text: string): string {
	return text.length < shortestView ? text : [text.slice(0, 1), text.slice(1)].join('');
}

/**
 * A record whose strings do not keep longer strings alive, for example the request that they are a part of.
 * @param stored the record that it replaces: what is the same there is not copied again
 */
export function copyStrings<T>(value: T, stored?: T): T;
export function copyStrings(value: unknown, stored: unknown): unknown {
	if (value === stored) return stored;
	if (typeof value === 'string') return copyString(value);
	if (!isRecord(value)) return value;
	if (Array.isArray(value)) return copyItems(value, Array.isArray(stored) ? stored : []);
	const before: Readonly<Record<string, unknown>> = isRecord(stored) ? stored : {};
	let copy: Record<string, unknown> | undefined;
	for (const name in value) {
		const part = value[name];
		// A spread keeps the shape of the record; counters, which change most often, are not copied at all.
		if (typeof part === 'string' || (typeof part === 'object' && part !== null))
			(copy ??= { ...value })[name] = copyStrings(part, before[name]);
	}
	return copy ?? value;
}

function copyItems(items: readonly unknown[], stored: readonly unknown[]): unknown[] {
	// Lists grow at their end and lose their oldest: what is stored comes in the same order.
	let from = 0;
	return items.map((item) => {
		const at = typeof item === 'string' ? stored.indexOf(item, from) : -1;
		if (at < 0) return copyStrings(item);
		from = at + 1;
		return stored[at];
	});
}

/** An object of a record, or an array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null;
}
