// What the files of src/content are, by their folders. The plugin imports it as a bundle: Vite runs the plugin before it can read these modules.
import { exerciseKind } from './content-exercises.ts';
import { labKind } from './content-labs.ts';
import { lessonKind } from './content-lessons.ts';
import { providerKind } from './content-providers.ts';
import { readerOf, readFolders } from './content-reader.ts';

/** Reads a lesson, a lab, an exercise or a provider. */
export const readContent = readFolders({
	lessons: readerOf(lessonKind),
	labs: readerOf(labKind),
	exercises: readerOf(exerciseKind),
	providers: readerOf(providerKind)
});
