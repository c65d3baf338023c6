import * as v from 'valibot';
import { lineOf, mistakeOf, reservedNamesIn, type FileMistake } from '#lib/file/read-json.ts';
import { readYaml } from '#lib/file/read-yaml.ts';
import { mapValues } from '#lib/map-values.ts';
import { isObject, type Completed, type ContentSource, type Kind, type Parts } from './content-kind.ts';

/** A mistake of a content file, with its line. `file`: it is in another file of the folder. */
export type ContentMistake = FileMistake & { readonly line: number; readonly file?: string };
export type ReadContent =
	| { readonly content: object; readonly about: object; readonly apart: object }
	| { readonly mistakes: readonly [ContentMistake, ...ContentMistake[]] };
type Reader = (id: string, source: ContentSource) => ReadContent;

/** Reads a file of one of these folders of `src/content`. */
export function readFolders(readers: Readonly<Record<string, Reader>>) {
	/** @throws {RangeError} where the folder has no format */
	return (folder: string, id: string, source: ContentSource): ReadContent => {
		const read = readers[folder];
		if (read === undefined) throw new RangeError(`src/content/${folder} has no format. Add one to content-kinds.ts.`);
		return read(id, source);
	};
}

/** How files of a kind are read. */
export function readerOf<Content>(kind: Kind<Content>): Reader {
	const { schema, about, apart, derived, parts: computed, complete, check, finish = (content) => content } = kind;
	return (id, source) => {
		const read = readYaml(source.read(`${id}.yaml`) ?? '');
		if ('reason' in read)
			return { mistakes: [{ place: '', reason: read.reason, line: Number(/line (\d+)/.exec(read.reason)?.[1] ?? 1) }] };
		const completed = isObject(read.content) ? complete?.(read.content, id, source) : undefined;
		const {
			success,
			output,
			issues = []
		} = v.safeParse(schema, completed?.content ?? read.content, {
			abortPipeEarly: true
		});
		const [first, ...others] = [
			...reservedNamesIn(read.content),
			...(completed?.mistakes ?? []),
			...issues.map((issue) => withFound(mistakeOf(issue), issue.input)),
			...(success ? check(output, id, source) : [])
		]
			.map((mistake) => located(mistake, read.lines, completed?.shared))
			.sort((one, other) => one.line - other.line);
		if (first !== undefined) return { mistakes: [first, ...others] };
		const whole = completed?.content ?? read.content;
		const parts = Object.entries(isObject(whole) ? finish(whole) : {});
		if (kind.hasRecords === true) return splitRecords(Object.fromEntries(parts), kind);
		const those = (isIn: (name: string) => boolean) => Object.fromEntries(parts.filter(([name]) => isIn(name)));
		return {
			content: those((name) => !apart.includes(name) && !about.includes(name)),
			apart: { ...those((name) => apart.includes(name)), ...(success && computed?.(output)) },
			about: {
				...those((name) => about.includes(name)),
				...(success && derived?.(output))
			}
		};
	};
}

/** A file of records, in parts: what a list needs of each record, what has a separate name, and the rest. */
function splitRecords(
	records: Parts,
	{ about, groups = {}, added = {} }: Pick<Kind<unknown>, 'about' | 'groups' | 'added'>
): ReadContent {
	const named = [about, ...Object.values(groups)].flat();
	return {
		content: picked(records, undefined, named),
		about: picked(records, about, named),
		apart: mapValues(groups, (names, part) =>
			mapValues(picked(records, names, named), (record, id) =>
				isObject(record) ? { ...record, ...added[part]?.(id) } : record
			)
		)
	};
}

/**
 * Some fields, wherever they are in the records.
 * @param names undefined: those that no part names
 */
function picked(value: Parts, names: readonly string[] | undefined, named: readonly string[]): Parts {
	return Object.fromEntries(
		Object.entries(value).flatMap(([name, field]): [string, unknown][] => {
			if (named.includes(name)) return names?.includes(name) === true ? [[name, field]] : [];
			if (!isObject(field)) return names === undefined ? [[name, field]] : [];
			const inner = picked(field, names, named);
			return Object.keys(inner).length === 0 ? [] : [[name, inner]];
		})
	);
}

/** A mistake with its line: of what the file does not have itself, in the shared parts. */
function located(
	mistake: FileMistake,
	lines: ReadonlyMap<string, number>,
	{ places, lines: others }: Completed['shared'] = { places: new Map(), lines: new Map() }
): ContentMistake {
	const { place } = mistake;
	const [at, from] = [...places].find(([one]) => place.startsWith(`${one}.`)) ?? ['', ''];
	const line = lines.has(place) ? undefined : others.get(from + place.slice(at.length));
	return line === undefined
		? { ...mistake, line: lineOf(lines, place) ?? 1 }
		: { ...mistake, line, file: 'shared/parts.yaml' };
}

/** `Use a list. Found "a".` */
function withFound({ place, reason }: FileMistake, found: unknown): FileMistake {
	const text = found === undefined ? 'nothing' : JSON.stringify(found);
	return { place, reason: `${reason} Found ${text.length > 80 ? `${text.slice(0, 80)}…` : text}.` };
}
