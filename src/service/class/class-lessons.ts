import type { LessonFile } from '#evidence/lesson-file/lesson-file.ts';
import type { SandboxStore } from '#store/store.ts';
import type { Records } from '../sandbox/records.ts';

/** The lesson files of classes, which their instructors wrote. */
export class ClassLessons {
	readonly #store: SandboxStore<Records>;

	/** @param store of the root sandbox */
	constructor(store: SandboxStore<Records>) {
		this.#store = store;
	}

	/** The lesson files of a class. Empty for a class without them, or that has ended. */
	async find(code: string): Promise<readonly LessonFile[]> {
		return (await this.#store.get('class_lessons', code))?.lessons ?? [];
	}

	/** @param expires when the class ends, in milliseconds */
	async set(code: string, lessons: readonly LessonFile[], expires: number): Promise<void> {
		await this.#store.update('class_lessons', code, () => ({ lessons, expires }));
	}

	/** Keeps them as long as the class. */
	async extend(code: string, expires: number): Promise<void> {
		await this.#store.update('class_lessons', code, (record) => record && { ...record, expires });
	}

	async delete(code: string): Promise<void> {
		await this.#store.delete('class_lessons', code);
	}
}
