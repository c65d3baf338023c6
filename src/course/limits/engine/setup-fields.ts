/** Reads the text of a field in a query. Undefined: it is not a value of the field. */
type ReadField<Value> = (text: string) => Value | undefined;

/** A question of the rate limit lab. */
export type QuestionOf<View extends string, Setup> = {
	/** In the link: `edge-of-a-window`. */
	readonly id: string;
	/** The heading of the page. */
	readonly title: string;
	readonly view: View;
	/** What the view is set up for. */
	readonly setup: Setup;
};

/** How the fields of a setup are read. They are written as `String` does. */
type SetupFields<Setup> = { readonly [Name in keyof Setup]: ReadField<Setup[Name]> };

/** A setup, by the declaration of its fields. */
export type SetupOf<Fields> = {
	readonly [Name in keyof Fields]: Fields[Name] extends ReadField<infer Value> ? Value : never;
};

/** A whole number, and what it may be. */
export function wholeNumber(least: number, most: number) {
	const read: ReadField<number> = (text) => {
		const value = /^\d{1,6}$/.test(text) ? Number(text) : undefined;
		return value !== undefined && value >= least && value <= most ? value : undefined;
	};
	return Object.assign(read, { least, most });
}

/** One of the names. */
export function oneOf<const Name extends string>(names: readonly Name[]): ReadField<Name> {
	return (text) => names.find((name) => name === text);
}

/** At least one of the names, with commas between them, each once. */
export function someOf<const Name extends string>(names: readonly Name[], most: number): ReadField<readonly Name[]> {
	return (text) => {
		const asked = [...new Set(text.split(',', most + 1))];
		const known = asked.flatMap((name) => oneOf(names)(name) ?? []);
		return known.length === asked.length && known.length <= most ? known : undefined;
	};
}

/**
 * A setup with the fields that a query changes. What cannot be read changes nothing.
 * @param setup without changes
 */
export function readSetup<Setup>(fields: SetupFields<Setup>, setup: Setup, query: URLSearchParams): Setup {
	const read = { ...setup };
	for (const name in fields) {
		const value = fields[name](query.get(name) ?? '');
		if (value !== undefined) read[name] = value;
	}
	return read;
}

/** The fields of a query whose values cannot be read, so that the setup has its own. */
export function unreadFields<Setup>(fields: SetupFields<Setup>, query: URLSearchParams): string[] {
	const unread: string[] = [];
	for (const name in fields) {
		const text = query.get(name);
		if (text !== null && fields[name](text) === undefined) unread.push(`${name}=${text.slice(0, 40)}`);
	}
	return unread;
}

/** The fields in which a setup differs from another one, as a query has them. */
export function changedFields<Setup>(
	fields: SetupFields<Setup>,
	setup: Setup,
	original: Setup
): readonly (readonly [name: string, value: string])[] {
	const changed: (readonly [string, string])[] = [];
	for (const name in fields) {
		const value = String(setup[name]);
		if (value !== String(original[name])) changed.push([name, value]);
	}
	return changed;
}
