// What the files of src/content are, by their folders. The plugin imports it as a bundle: Vite runs the plugin before it can read these modules.
import * as v from 'valibot';
import { lineOf, mistakeOf, reservedNamesIn, type FileMistake } from '#api/file/read-json.ts';
import { readYaml } from '#api/file/read-yaml.ts';
import { checks as knownChecks } from '#api/checks.ts';
import { codeIn, type CodeModule } from '#course/lessons/code-parts.ts';
import { referenceMistakes } from '#evidence/lesson-file/check-lesson-file.ts';
import { lessonFile } from '#evidence/lesson-file/instructor-lesson.ts';
import { placeholders, textsOf, unknownPlaceholder, withNumbers } from '#evidence/lesson-file/numbers.ts';
import { productLesson, summaryParts, type ProductLesson } from '#evidence/lesson-file/product-lesson.ts';

type Kind<Content> = {
	readonly schema: v.GenericSchema<unknown, Content>;
	/** The parts that a list needs, `?about`. */
	readonly about: readonly string[];
	/** The parts that are loaded by their own names, such as `?notes`. */
	readonly apart: readonly string[];
	/** What a list needs besides. */
	readonly derived?: (content: Content) => object;
	/** What the schema cannot check. */
	readonly check: (content: Content) => readonly FileMistake[];
};

/** A mistake of a content file, with its line. */
export type ContentMistake = FileMistake & { readonly line: number };
export type ReadContent =
	| { readonly content: object; readonly about: object; readonly apart: object }
	| { readonly mistakes: readonly [ContentMistake, ...ContentMistake[]] };

const lessons: Kind<ProductLesson> = {
	schema: productLesson,
	about: summaryParts,
	apart: ['notes', 'review'],
	derived: (content) => (isFile(content) ? { isFile: true } : {}),
	check: (content) => [...referenceMistakes(content), ...nameMistakes(content), ...placeholderMistakes(content)]
};

const kinds: ReadonlyMap<string, (text: string) => ReadContent> = new Map([['lessons', readerOf(lessons)]]);

/** What a lesson of the product has, and no lesson file. */
const place = new Set(Object.keys(productLesson.entries).filter((name) => !(name in lessonFile.entries)));

/** Whether a lesson file can say what a lesson of the product does. */
function isFile(lesson: ProductLesson): boolean {
	const parts = Object.entries(lesson).filter(([name]) => !place.has(name));
	return v.is(lessonFile, { format: 'tollgate-lesson', version: 1, id: 'lesson', ...Object.fromEntries(parts) });
}

/**
 * Reads a file of a folder of `src/content`.
 * @throws {RangeError} where the folder has no format
 */
export function readContent(folder: string, text: string): ReadContent {
	const read = kinds.get(folder);
	if (read === undefined) throw new RangeError(`src/content/${folder} has no format. Add one to content-kinds.ts.`);
	return read(text);
}

function readerOf<Content>({ schema, about, apart, derived, check }: Kind<Content>): (text: string) => ReadContent {
	return (text) => {
		const read = readYaml(text);
		if ('reason' in read)
			return { mistakes: [{ place: '', reason: read.reason, line: Number(/line (\d+)/.exec(read.reason)?.[1] ?? 1) }] };
		const { success, output, issues = [] } = v.safeParse(schema, read.content, { abortPipeEarly: true });
		const [first, ...others] = [
			...reservedNamesIn(read.content),
			...issues.map((issue) => withFound(mistakeOf(issue), issue.input)),
			...(success ? check(output) : [])
		]
			.map((mistake) => ({ ...mistake, line: lineOf(read.lines, mistake.place) ?? 1 }))
			.sort((one, other) => one.line - other.line);
		if (first !== undefined) return { mistakes: [first, ...others] };
		const content = Object.entries(isObject(read.content) ? withNumbers(read.content) : {});
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

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
	typeof value === 'object' && value !== null;

/** `Use a list. Found "a".` */
function withFound({ place, reason }: FileMistake, found: unknown): FileMistake {
	const text = found === undefined ? 'nothing' : JSON.stringify(found);
	return { place, reason: `${reason} Found ${text.length > 80 ? `${text.slice(0, 80)}…` : text}.` };
}

const modules = import.meta.glob<CodeModule>('../../course/lessons/conditions/*.ts', { eager: true });

/** Names of code and of checks that do not exist. */
function nameMistakes(lesson: ProductLesson): FileMistake[] {
	const code = codeIn(lesson).flatMap(({ place, part, name }) => {
		const known = Object.entries(modules).flatMap(([path, module]) =>
			Object.keys(module[part] ?? {}).map((one) => `${/([^/]+)\.ts$/.exec(path)?.[1] ?? ''}.${one}`)
		);
		return known.includes(name) ? [] : { place, reason: `Use one of ${known.join(', ')}. Found "${name}".` };
	});
	const checks = checkNames(lesson).flatMap(({ place, name }) =>
		name in knownChecks ? [] : { place, reason: `Use the id of a check of src/api/check-table. Found "${name}".` }
	);
	return [...code, ...checks];
}

/** Placeholders without a value. */
function placeholderMistakes(lesson: ProductLesson): FileMistake[] {
	return textsOf(lesson).flatMap(({ place, text }) => {
		const found = unknownPlaceholder(text);
		return found === undefined
			? []
			: { place, reason: `Use a placeholder of ${placeholders.join(', ')}. Found ${found}.` };
	});
}

type Named = { readonly place: string; readonly name: string };

/** The checks that a lesson names, with their places. */
function checkNames(value: unknown, place: readonly string[] = []): Named[] {
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([name, part]: [string, unknown]) => {
		const at = [...place, name];
		if ((name === 'checks' || name === 'passed') && Array.isArray(part))
			return part.map((id, index) => ({ place: [...at, index].join('.'), name: String(id) }));
		return checkNames(part, at);
	});
}
