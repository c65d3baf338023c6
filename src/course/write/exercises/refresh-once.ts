import type { ExerciseCode } from '../exercise.ts';
import { endTokenTwice } from '../shared/conditions.ts';

export const code: ExerciseCode = { use: endTokenTwice };
