import { openLabStore, type LabStore } from '../labs/model/lab-store.ts';
import { type LessonStore, openLessonStore } from '../lessons/model/lesson-store.svelte.ts';
import { lessonIn, stateOf, type LessonState } from '../lessons/model/progress.ts';
import { recordedOwnLessons } from '../lessons/own-lessons.svelte.ts';
import { openWriteStore, type WriteStore } from '../write/model/write-progress.ts';
import type { World } from '#client/world.ts';
import { courseIn, nameOf, type CourseItem } from './course.ts';

/** An exercise or a lab, and when it was completed, in milliseconds since 1970. */
export type CompletedItem = CourseItem & { readonly done: number };

/** What this browser has done of the whole course. Reactive. */
export class CourseProgress {
	constructor(
		readonly lessons: LessonStore,
		readonly write: WriteStore,
		readonly labs: LabStore
	) {}

	stateOf({ kind, id, path }: Pick<CourseItem, 'kind' | 'id' | 'path'>): LessonState {
		if (kind === 'lesson') return stateOf(lessonIn(this.lessons.progress, id));
		const store = kind === 'exercise' ? this.write : this.labs;
		if (store.progress[nameOf(path)] === undefined) return 'open';
		return this.doneAt({ kind, id, path }) === undefined ? 'started' : 'shown';
	}

	/** What was completed besides the lessons of the product, with the time. In the order of the course. */
	completedPractice(world: World): readonly CompletedItem[] {
		const own = recordedOwnLessons(this.lessons.progress).map((one): CourseItem => {
			return { ...one, kind: 'lesson', path: `learn/${one.id}` };
		});
		const practice = courseIn(world).filter(({ kind }) => kind !== 'lesson');
		return [...practice, ...own].flatMap((item) => {
			const done = this.doneAt(item);
			return done === undefined ? [] : [{ ...item, done }];
		});
	}

	/** What a file with the progress has besides lessons. */
	exportPractice(): object {
		return { write: this.write.progress, labs: this.labs.progress };
	}

	/** Adds what such a file has. */
	async importPractice({ write, labs }: { readonly write: unknown; readonly labs: unknown }): Promise<void> {
		await this.write.merge(write);
		await this.labs.merge(labs);
	}

	/** When it was completed, in milliseconds since 1970. Undefined: it was not. */
	doneAt({ kind, id, path }: Pick<CourseItem, 'kind' | 'id' | 'path'>): number | undefined {
		if (kind === 'lesson') return lessonIn(this.lessons.progress, id).done;
		if (kind === 'exercise') return this.write.progress[nameOf(path)]?.done;
		const { attacked, defended } = this.labs.progress[nameOf(path)] ?? {};
		return attacked === undefined || defended === undefined ? undefined : Math.max(attacked, defended);
	}
}

/** @param path that the app is served from, without a trailing slash */
export async function openCourseProgress(path: string): Promise<CourseProgress> {
	return new CourseProgress(...(await Promise.all([openLessonStore(path), openWriteStore(path), openLabStore(path)])));
}
