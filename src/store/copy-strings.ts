/** V8 makes a part of a string of at least this length a view of the whole. Shorter parts are copied anyway. */
const shortestView = 13;

/** The same text in separate memory. A part of a longer string keeps the whole string alive. */
export function copyString(text: string): string {
	return text.length < shortestView ? text : [text.slice(0, 1), text.slice(1)].join('');
}

/** A record whose strings do not keep longer strings alive, for example the request that they are a part of. */
export function copyStrings<T>(value: T): T;
export function copyStrings(value: unknown): unknown {
	if (typeof value === 'string') return copyString(value);
	if (Array.isArray(value)) return value.map((item: unknown) => copyStrings(item));
	if (typeof value !== 'object' || value === null) return value;
	let copy: Record<string, unknown> | undefined;
	for (const [name, part] of Object.entries(value)) {
		// A spread keeps the shape of the record; counters, which change most often, are not copied at all.
		if (typeof part === 'string' || (typeof part === 'object' && part !== null))
			(copy ??= { ...value })[name] = copyStrings(part);
	}
	return copy ?? value;
}
