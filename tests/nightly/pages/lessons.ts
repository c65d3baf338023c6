import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { CodeModule } from '#course/lessons/code-parts.ts';
import type { ProductLesson } from '#evidence/lesson-file/product-lesson.ts';
import { compileLesson } from '#course/lessons/file/compile-lesson.ts';
import type { Lesson, LessonSummary } from '#course/lessons/lesson.ts';
import { loadRuns, type Walk } from '../../course/lessons/runs.ts';

/** A lesson, and how it is done on its page. */
export type WalkedLesson = {
	readonly id: string;
	readonly about: LessonSummary;
	readonly lesson: Lesson;
	readonly walk: Walk;
};

const source = join(import.meta.dirname, '../../../src');
const folder = join(source, 'content/lessons');

/** The ids of all lessons. Vite builds the list of the pages, and these tests do not use Vite. */
export const lessonIds: readonly string[] = readdirSync(folder)
	.map((name) => name.replace('.yaml', ''))
	.sort();

/** Loads a lesson. */
export async function loadWalkedLesson(id: string): Promise<WalkedLesson> {
	const about: ProductLesson = parse(readFileSync(join(folder, `${id}.yaml`), 'utf8'));
	const { walk } = await loadRuns(id);
	return { id, about, lesson: compileLesson(about, [], await loadCode()), walk };
}

/** The conditions and comparisons that lessons name. */
async function loadCode(): Promise<CodeModule> {
	const conditions = join(source, 'course/lessons/conditions');
	const named = await Promise.all(
		readdirSync(conditions).map(async (name) => {
			const module: CodeModule = await import(join(conditions, name));
			const rename = <Part>(parts: Readonly<Record<string, Part>> = {}) =>
				Object.entries(parts).map(([part, value]) => [`${name.replace('.ts', '')}.${part}`, value] as const);
			return { conditions: rename(module.conditions), comparisons: rename(module.comparisons) };
		})
	);
	return {
		conditions: Object.fromEntries(named.flatMap((one) => one.conditions)),
		comparisons: Object.fromEntries(named.flatMap((one) => one.comparisons))
	};
}
