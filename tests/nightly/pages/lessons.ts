import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Walk } from '#features/lessons/engine/learner.ts';
import type { Lesson, LessonSummary } from '#features/lessons/engine/lesson.ts';

/** A lesson, and how it is done on its page. */
export type WalkedLesson = {
	readonly id: string;
	readonly about: LessonSummary;
	readonly lesson: Lesson;
	readonly walk: Walk;
};

const folder = join(import.meta.dirname, '../../../src/features/lessons');

/** The ids of all lessons. The list of the pages is made by Vite, which these tests do not use. */
export const lessonIds: readonly string[] = readdirSync(folder, { recursive: true, encoding: 'utf8' })
	.filter((path) => /^[^/\\]+[/\\]about\.ts$/.test(path))
	.map((path) => path.replace(/[/\\].*$/, ''))
	.sort();

/** Loads a lesson. */
export async function loadWalkedLesson(id: string): Promise<WalkedLesson> {
	const load = (file: string) => import(join(folder, id, file));
	const { about }: { about: LessonSummary } = await load('about.ts');
	const { lesson }: { lesson: Lesson } = await load('lesson.ts');
	const { walk }: { walk: Walk } = await load('walk.ts');
	return { id, about, lesson, walk };
}
