import * as v from 'valibot';
import type { FileMistake } from '#lib/file/read-json.ts';
import { checkRows } from '#api/check-table/check-table.ts';
import { codeIn, type CodeModule } from '#course/lessons/code-parts.ts';
import { referenceMistakes } from '#evidence/lesson-file/check-lesson-file.ts';
import { lessonFile } from '#evidence/lesson-file/instructor-lesson.ts';
import { placeholders, textsOf, unknownPlaceholder, withNumbers } from '#evidence/lesson-file/numbers.ts';
import { productLesson, summaryParts, type ProductLesson } from '#evidence/lesson-file/product-lesson.ts';
import type { Kind } from './content-kind.ts';

/** The lessons of the product. */
export const lessonKind: Kind<ProductLesson> = {
	schema: productLesson,
	about: summaryParts,
	apart: ['notes', 'review'],
	derived: (content) => (isFile(content) ? { isFile: true } : {}),
	check: (content) => [...referenceMistakes(content), ...nameMistakes(content), ...placeholderMistakes(content)],
	finish: withNumbers
};

/** What a lesson of the product has, and no lesson file. */
const place = new Set(Object.keys(productLesson.entries).filter((name) => !(name in lessonFile.entries)));

/** Whether a lesson file can say what a lesson of the product does. */
function isFile(lesson: ProductLesson): boolean {
	const parts = Object.entries(lesson).filter(([name]) => !place.has(name));
	return v.is(lessonFile, { format: 'tollgate-lesson', version: 1, id: 'lesson', ...Object.fromEntries(parts) });
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
		name in checkRows ? [] : { place, reason: `Use the id of a check of src/api/check-table. Found "${name}".` }
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
