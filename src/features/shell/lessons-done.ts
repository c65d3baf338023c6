/** Where a browser keeps how many lessons it has completed, for pages that do not load lessons: `4/13`. */
export const lessonsDoneKey = 'tollgate:lessons-done';
