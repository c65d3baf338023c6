import type { ExerciseContent } from '../exercise-file.ts';

const { '../../../content/exercises/take-the-exam.yaml': exam } = import.meta.glob<
	Pick<ExerciseContent, 'start' | 'solution'>
>('../../../content/exercises/take-the-exam.yaml', { eager: true, import: 'default' });

/** What the editor of the exam begins with: a client that signs in and reads, as exercises 1 to 4 build it. And a client that passes. */
export const { start: firstClient = '', solution: goodClient = '' } = exam ?? {};
