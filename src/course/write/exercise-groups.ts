/** The groups of the list of exercises, in its order. The last one is for the exam of a program. */
export const exerciseGroups = ['Sign in', 'Use the token', 'Finish', 'Repair', 'Exam'] as const;
export type ExerciseGroup = (typeof exerciseGroups)[number];
