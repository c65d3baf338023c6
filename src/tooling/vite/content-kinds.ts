// What the files of src/content are, by their folders. The plugin imports it as a bundle: Vite runs the plugin before it can read these modules.
import * as v from 'valibot';
import { lineOf, mistakeOf, reservedNamesIn, type FileMistake } from '#lib/file/read-json.ts';
import { readYaml } from '#lib/file/read-yaml.ts';
import { exerciseKind } from './content-exercises.ts';
import { labKind } from './content-labs.ts';
import { lessonKind } from './content-lessons.ts';
import { isObject, type Completed, type ContentSource, type Kind } from './content-kind.ts';

/** A mistake of a content file, with its line. `file`: it is in another file of the folder. */
export type ContentMistake = FileMistake & { readonly line: number; readonly file?: string };
export type ReadContent =
	| { readonly content: object; readonly about: object; readonly apart: object }
	| { readonly mistakes: readonly [ContentMistake, ...ContentMistake[]] };

const kinds: ReadonlyMap<string, (id: string, source: ContentSource) => ReadContent> = new Map([
	['lessons', readerOf(lessonKind)],
	['labs', readerOf(labKind)],
	['exercises', readerOf(exerciseKind)]
]);

/**
 * Reads a file of a folder of `src/content`.
 * @throws {RangeError} where the folder has no format
 */
export function readContent(folder: string, id: string, source: ContentSource): ReadContent {
	const read = kinds.get(folder);
	if (read === undefined) throw new RangeError(`src/content/${folder} has no format. Add one to content-kinds.ts.`);
	return read(id, source);
}

function readerOf<Content>(kind: Kind<Content>): (id: string, source: ContentSource) => ReadContent {
	const { schema, about, apart, derived, complete, check, finish = (content) => content } = kind;
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
		const content = Object.entries(isObject(whole) ? finish(whole) : {});
		const those = (isIn: (name: string) => boolean) => Object.fromEntries(content.filter(([name]) => isIn(name)));
		return {
			content: those((name) => !apart.includes(name) && !about.includes(name)),
			apart: those((name) => apart.includes(name)),
			about: {
				...those((name) => about.includes(name)),
				...(success && derived?.(output))
			}
		};
	};
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
