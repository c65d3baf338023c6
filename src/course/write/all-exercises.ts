import type { Exercise, ExerciseSummary } from './exercise.ts';

/** An exercise in the list. */
export type ListedExercise = ExerciseSummary & {
	/** The name of its folder: `exchange-the-code`. */
	readonly id: string;
};

const summaries = import.meta.glob<ExerciseSummary>('./exercises/*/about.ts', { eager: true, import: 'about' });

const idOf = (file: string) => file.split('/').at(-2) ?? '';

/** All exercises, in their order. */
export const allExercises: readonly ListedExercise[] = Object.entries(summaries)
	.map(([file, summary]) => ({ ...summary, id: idOf(file) }))
	.sort((a, b) => a.order - b.order);

/** Loads an exercise. Undefined: there is none of this id. */
export async function loadExercise(id: string): Promise<Exercise | undefined> {
	const { exercises } = await import('./loaded-exercises.ts');
	return exercises[`./exercises/${id}/exercise.ts`];
}
