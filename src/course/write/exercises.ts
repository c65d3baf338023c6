import { listed } from '../frame/listed.ts';
import type { ExerciseContent, ExerciseSummary, NearMisses } from './exercise-file.ts';
import type { Exercise } from './exercise.ts';

/** An exercise in the list. Its id is the name of its file in `src/content/exercises`. */
export type ListedExercise = ExerciseSummary & { readonly id: string };

const contents = import.meta.glob<ExerciseContent>('../../content/exercises/*.yaml', { import: 'default' });
/** Apart from the rest: only instructors and tests read them. */
const nearMisses = import.meta.glob<NearMisses>('../../content/exercises/*.yaml', {
	import: 'default',
	query: '?nearMisses'
});

/** All exercises, in their order. */
export const allExercises: readonly ListedExercise[] = listed(
	import.meta.glob<ExerciseSummary>('../../content/exercises/*.yaml', {
		eager: true,
		import: 'default',
		query: '?about'
	})
);

const fileOf = (id: string) => `../../content/exercises/${id}.yaml`;

/** Loads an exercise. Undefined: there is none of this id, or it is the exam of a program. */
export async function loadExercise(id: string): Promise<Exercise | undefined> {
	const [content, { compileExercise }] = await Promise.all([contents[fileOf(id)]?.(), import('./compile-exercise.ts')]);
	return content && compileExercise(id, content);
}

/** Loads the programs that almost work, as changes of the solution. */
export const loadNearMisses = async (id: string): Promise<NearMisses> => (await nearMisses[fileOf(id)]?.()) ?? [];
