import { openerOf, type ProgressStore } from '../../practice/progress-store.svelte.ts';
import { parseWriteProgress, type ExerciseProgress } from './write-progress.ts';

/** The progress and the programs of this browser. */
export type WriteStore = ProgressStore<ExerciseProgress>;

export const openWriteStore = openerOf('write', parseWriteProgress);
