import type * as v from 'valibot';
import type { FileMistake } from '#lib/file/read-json.ts';
import { readYaml } from '#lib/file/read-yaml.ts';

/** The folder of a content file. */
export type ContentSource = {
	/** The text of a file, by its path in the folder. Undefined: there is none. */
	readonly read: (path: string) => string | undefined;
	/** The ids of all its files. */
	readonly ids: readonly string[];
};

export type Parts = Readonly<Record<string, unknown>>;

/** A content with what other files have. */
export type Completed = {
	readonly content: Parts;
	readonly mistakes: readonly FileMistake[];
	/** What came from `shared/parts.yaml`: its places by those in the content, and its lines. */
	readonly shared: { readonly places: ReadonlyMap<string, string>; readonly lines: ReadonlyMap<string, number> };
};

/** A kind of content files. */
export type Kind<Content> = {
	readonly schema: v.GenericSchema<unknown, Content>;
	/** The parts that a list needs, `?about`. */
	readonly about: readonly string[];
	/** The parts that are loaded by their own names, such as `?notes`. */
	readonly apart: readonly string[];
	/** A file is a record for each id. `about` and `groups` name fields of records, and `apart` names nothing. */
	readonly hasRecords?: boolean;
	/** The fields of records that are loaded together, by the name of the part. */
	readonly groups?: Readonly<Record<string, readonly string[]>>;
	/** What code adds to the records of such a part, by their ids. */
	readonly added?: Readonly<Record<string, (id: string) => object>>;
	/** What a list needs besides. */
	readonly derived?: (content: Content) => object;
	/** Further parts that are loaded by their own names. */
	readonly parts?: (content: Content) => Parts;
	/** Adds what other files have, before the schema checks it. */
	readonly complete?: (content: Parts, id: string, source: ContentSource) => Completed;
	/** What the schema cannot check. */
	readonly check: (content: Content, id: string, source: ContentSource) => readonly FileMistake[];
	/** The last change of its texts. */
	readonly finish?: (content: Parts) => object;
};

export const isObject = (value: unknown): value is Parts =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/** Where a file names shared parts: the group of `shared/parts.yaml`, and the field that keeps the name. */
export type SharedPart = { readonly group: string; readonly key?: string };

/**
 * Fills in what several files share: `use: NAME` with what differs, or the name alone.
 * @param parts by the fields that name them
 */
export function withShared(
	content: Parts,
	{ read }: ContentSource,
	parts: Readonly<Record<string, SharedPart>>
): Completed {
	const file = readYaml(read('shared/parts.yaml') ?? '');
	const shared = 'content' in file && isObject(file.content) ? file.content : {};
	const places = new Map<string, string>();
	const mistakes: FileMistake[] = 'reason' in file ? [{ place: '', reason: `shared/parts.yaml: ${file.reason}` }] : [];

	function complete(part: unknown, place: string, { group, key }: SharedPart): unknown {
		const name = typeof part === 'string' ? part : isObject(part) ? part.use : undefined;
		if (name === undefined) return part;
		const known = shared[group];
		const found = isObject(known) && typeof name === 'string' ? known[name] : undefined;
		if (typeof name !== 'string' || !isObject(found)) {
			const names = Object.keys(isObject(known) ? known : {}).join(', ');
			mistakes.push({ place, reason: `Use one of ${names}. Found ${JSON.stringify(name)}.` });
			return part;
		}
		places.set(place, `${group}.${name}`);
		const { use: _, ...own } = isObject(part) ? part : {};
		const merged = Object.entries(own).map(([field, value]) => {
			const before = found[field];
			return [field, isObject(before) && isObject(value) ? { ...before, ...value } : value];
		});
		return { ...(key !== undefined && { [key]: name }), ...found, ...Object.fromEntries(merged) };
	}

	const completed = Object.entries(parts).flatMap(([field, shares]): [string, unknown][] => {
		const part = content[field];
		if (Array.isArray(part)) {
			const items = part.map((item: unknown, at) => complete(item, `${field}.${at}`, shares));
			return [[field, items]];
		}
		if (!isObject(part)) return [];
		if ('use' in part) return [[field, complete(part, field, shares)]];
		const items = Object.entries(part).map(([name, item]) => [
			name,
			isObject(item) ? complete(item, `${field}.${name}`, shares) : item
		]);
		return [[field, Object.fromEntries(items)]];
	});
	const shown = { places, lines: file.lines };
	return { content: { ...content, ...Object.fromEntries(completed) }, mistakes, shared: shown };
}

/** The names that only one of content and code has. @param place of the names in the file */
export function nameMistakes(place: string, found: readonly string[], code: readonly string[]): FileMistake[] {
	const list = (names: readonly string[]) => (names.length === 0 ? 'nothing' : names.join(', '));
	const at = (name: string) => (place === '' ? name : `${place}.${name}`);
	return [
		...found
			.filter((name) => !code.includes(name))
			.map((name) => ({ place: at(name), reason: `Use a name of its code: ${list(code)}. Found "${name}".` })),
		...code
			.filter((name) => !found.includes(name))
			.map((name) => ({ place: at(name), reason: `Its code has "${name}". Found ${list(found)}.` }))
	];
}

/** What is wrong where a folder of code and a folder of content have different names. @param folder of the code */
export function codeMistakes(
	id: string,
	{ ids }: ContentSource,
	folder: string,
	code: readonly string[]
): FileMistake[] {
	const missing = code.includes(id) ? [] : [`Add ${folder}/${id}.ts. Found ${code.join(', ')}.`];
	const others = code
		.filter((one) => !ids.includes(one))
		.map((one) => `${folder}/${one}.ts has no content. Add ${one}.yaml.`);
	return [...missing, ...others].map((reason) => ({ place: '', reason }));
}
