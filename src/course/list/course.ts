import { ownLessonPrefix } from '#api/control/own-lessons.ts';
import { countText } from '#lib/count-text.ts';
import { wordsOf } from '#client/world-words.ts';
import type { World } from '#client/world.ts';
import { allLabs, loadLab } from '../labs/labs.ts';
import { allLessons, loadLesson, type ListedLesson } from '../lessons/all-lessons.ts';
import { ownLessons } from '../lessons/own-lessons.svelte.ts';
import { allExercises, loadExercise } from '../write/exercises.ts';

/** A lesson, an exercise or a lab, as what lists the whole course shows it. */
export type CourseItem = {
	/** As classes name it: `whole-trip`, `write/exchange-the-code`, `labs/login-csrf`. */
	readonly id: string;
	readonly kind: 'lesson' | 'exercise' | 'lab';
	/** Below the site, without a leading slash. */
	readonly path: string;
	readonly title: string;
	readonly goal: string;
	readonly minutes: number;
	/** The lesson that it belongs to. */
	readonly lesson?: string;
};

function itemOf({ id, title, goal, minutes }: ListedLesson): CourseItem {
	return { id, kind: 'lesson', path: `learn/${id}`, title, goal, minutes, lesson: id };
}

const lessons = allLessons.map(itemOf);

const practice = [
	...allExercises.map((one) => ({ ...one, kind: 'exercise' as const, path: `write/${one.id}` })),
	...allLabs.map((one) => ({ ...one, kind: 'lab' as const, path: `labs/${one.id}` }))
].map(({ kind, path, title, goal, minutes, lesson, group }): CourseItem => {
	// Beside a lesson, what is to be repaired would be no riddle.
	const place = lesson === undefined || group === 'Repair' ? {} : { lesson };
	return { id: path, kind, path, title, goal, minutes, ...place };
});

/** All of them, in the words of the demo world: each lesson with its exercises and labs, then the other exercises. */
export const wholeCourse: readonly CourseItem[] = [
	...lessons.flatMap((lesson) => [lesson, ...practice.filter((one) => one.lesson === lesson.id)]),
	...practice.filter(({ lesson }) => lesson === undefined)
];

const inWorlds = new WeakMap<World, readonly CourseItem[]>();

/** The whole course in the words of a world, after what instructors wrote, as far as it was read. Reactive. */
export function courseIn(world: World): readonly CourseItem[] {
	const inWorld = wordsOf(world);
	const known =
		inWorlds.get(world) ??
		wholeCourse.map((item) => ({ ...item, title: inWorld(item.title), goal: inWorld(item.goal) }));
	inWorlds.set(world, known);
	const own = ownLessons();
	return own.length === 0 ? known : [...own.map(itemOf), ...known];
}

/** The part of a class, in the order of the course. All lessons where the class names nothing. */
export function courseOf(world: World, ids: readonly string[]): readonly CourseItem[] {
	return courseIn(world).filter(({ id, kind }) => (ids.length === 0 ? kind === 'lesson' : ids.includes(id)));
}

/** The title of a lesson, an exercise or a lab. Empty without one. */
export function courseTitle(world: World, id: string | null): string {
	return courseIn(world).find((item) => item.id === id)?.title ?? id ?? '';
}

const kinds = ['lesson', 'exercise', 'lab'] as const;

/** What a student calls it: what an instructor wrote is an exercise, although it runs as a lesson. */
export function kindWord({ id, kind }: Pick<CourseItem, 'id' | 'kind'>): CourseItem['kind'] {
	return id.startsWith(ownLessonPrefix) ? 'exercise' : kind;
}

/** How many there are of each kind: `7 lessons, 1 lab`. */
export function countsText(items: readonly Pick<CourseItem, 'id' | 'kind'>[]): string {
	const counts = kinds.map((kind) => ({ kind, count: items.filter((item) => kindWord(item) === kind).length }));
	return counts.flatMap(({ kind, count }) => (count > 0 ? countText(count, kind) : [])).join(', ');
}

/** The same, and how long they take: `7 lessons, 1 lab, 50 minutes`. */
export function planText(items: readonly CourseItem[]): string {
	const minutes = items.reduce((sum, item) => sum + item.minutes, 0);
	return [countsText(items), countText(minutes, 'minute')].filter((text) => text !== '').join(', ');
}

/** A row of the plan of a workshop, in minutes. */
export type PlannedItem = Pick<CourseItem, 'id' | 'kind' | 'title' | 'minutes'> & {
	/** When it begins. */
	readonly from: number;
	/** What the notes plan for its discussion. */
	readonly discuss: number;
};

/** The plan of a workshop. @param discussed how long the group discusses each, in minutes. Default: not at all */
export function workshopOf(items: readonly CourseItem[], discussed: ReadonlyMap<string, number>): PlannedItem[] {
	let at = 0;
	return items.map(({ id, kind, title, minutes }) => {
		const [from, discuss] = [at, discussed.get(id) ?? 0];
		at += minutes + discuss;
		return { id, kind, title, minutes, from, discuss };
	});
}

/** The folder of an exercise or a lab. @param path `CourseItem.path` */
export function nameOf(path: string): string {
	return path.slice(path.indexOf('/') + 1);
}

/** The steps of a lesson, an exercise or a lab, in the order in which a seat reports them. */
export async function stepsOf(id: string): Promise<readonly string[]> {
	if (id.startsWith('write/')) {
		// Lists do not need the judge.
		const [exercise, { conditionsOf }] = await Promise.all([
			loadExercise(nameOf(id)),
			import('../write/model/judge.ts')
		]);
		// The exam of a program has one.
		const conditions = exercise === undefined ? [{ title: 'All rules pass' }] : conditionsOf(exercise);
		return conditions.map(({ title }) => title.replaceAll('`', ''));
	}
	const lab = id.startsWith('labs/') ? await loadLab(nameOf(id)) : undefined;
	if (lab === undefined)
		return ((await loadLesson(id))?.stage.steps ?? []).map(({ title }) => title.replaceAll('`', ''));
	return [...lab.steps.map(({ title }) => `Attack: ${title.replaceAll('`', '')}`), 'Defend'];
}
