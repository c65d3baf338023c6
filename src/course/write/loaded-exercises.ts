import type { Exercise } from './exercise.ts';

/**
 * All exercises, by file. They are loaded together: what 13 modules share would count as shared by the pages, which would all load it.
 */
export const exercises: Readonly<Record<string, Exercise | undefined>> = import.meta.glob<Exercise>(
	'./exercises/*/exercise.ts',
	{ eager: true, import: 'exercise' }
);
