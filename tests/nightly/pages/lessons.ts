import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { lessonContent } from '#evidence/lesson-file/lesson-file.ts';
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

const folder = join(import.meta.dirname, '../../../src/course/lessons');

/** The ids of all lessons. Vite builds the list of the pages, and these tests do not use Vite. */
export const lessonIds: readonly string[] = readdirSync(folder, { recursive: true, encoding: 'utf8' })
	.filter((path) => /^[^/\\]+[/\\]about\.ts$/.test(path))
	.map((path) => path.replace(/[/\\].*$/, ''))
	.sort();

/** Loads a lesson. */
export async function loadWalkedLesson(id: string): Promise<WalkedLesson> {
	const load = (file: string) => import(join(folder, id, file));
	const { about }: { about: LessonSummary } = await load('about.ts');
	const file = join(folder, id, 'lesson.json');
	const { lesson }: { lesson: Lesson } = existsSync(file)
		? { lesson: compileLesson(v.parse(lessonContent, JSON.parse(readFileSync(file, 'utf8')))) }
		: await load('lesson.ts');
	const { walk } = await loadRuns(id);
	return { id, about, lesson, walk };
}
