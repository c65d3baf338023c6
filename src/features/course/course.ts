import { openLabs } from '../labs/all-labs.ts';
import { allLessons } from '../lessons/all-lessons.ts';
import { allExercises } from '../write/all-exercises.ts';

/** A lesson, an exercise or a lab, as what lists the whole course shows it. */
export type CourseItem = {
	/** As classes name it: `whole-trip`, `write/exchange-the-code`, `labs/login-csrf`. */
	readonly id: string;
	readonly kind: 'lesson' | 'exercise' | 'lab';
	/** Below the site, without a leading slash. */
	readonly path: string;
	/** Words of the demo world in them are replaced by `wordsOf`. */
	readonly title: string;
	readonly goal: string;
	readonly minutes: number;
	/** The lesson that it belongs to. */
	readonly lesson?: string;
};

const lessons = allLessons.map(({ id, title, goal, minutes }): CourseItem => {
	return { id, kind: 'lesson', path: `learn/${id}`, title, goal, minutes, lesson: id };
});

const practice = [
	...allExercises.map((one) => ({ ...one, kind: 'exercise' as const, path: `write/${one.id}` })),
	...openLabs.map((one) => ({ ...one, kind: 'lab' as const, path: `labs/${one.id}` }))
].map(({ kind, path, title, goal, minutes, lesson, group }): CourseItem => {
	// Beside a lesson, what is to be repaired would be no riddle.
	const place = lesson === undefined || group === 'Repair' ? {} : { lesson };
	return { id: path, kind, path, title, goal, minutes, ...place };
});

/** All of them: each lesson with its exercises and labs, then the other exercises. */
export const wholeCourse: readonly CourseItem[] = [
	...lessons.flatMap((lesson) => [lesson, ...practice.filter((one) => one.lesson === lesson.id)]),
	...practice.filter(({ lesson }) => lesson === undefined)
];

/** The part of a class, in the order of the course. All lessons where the class names nothing. */
export function courseOf(ids: readonly string[]): readonly CourseItem[] {
	return ids.length === 0 ? lessons : wholeCourse.filter(({ id }) => ids.includes(id));
}

/** Undefined: nothing has this id. */
export function courseItem(id: string): CourseItem | undefined {
	return wholeCourse.find((item) => item.id === id);
}
