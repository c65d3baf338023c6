import { ownLessonPrefix } from '#api/control/own-lessons.ts';
import { typedText } from '#client/storage/typed-text.svelte.ts';
import { type ControlApi, ControlError } from '#client/control-api/control-api.ts';
import type { LessonFile } from '#evidence/lesson-file/instructor-lesson.ts';
import type { Lesson, ListedLesson } from './lesson.ts';
import type { Progress } from './model/progress.ts';

/** The exercise that the studio of this tab shows. No file can have this id. */
export const draftLesson = `${ownLessonPrefix}0`;
/** Where it is in the storage of the tab, which its frames share. */
export const draftKey = 'tollgate-exercise';

type Read = {
	files: readonly LessonFile[];
	draft: LessonFile | undefined;
	of: string | undefined;
	loading: Promise<void>;
};

/** What was read, and of which class. */
const read: Read = $state({ files: [], draft: undefined, of: undefined, loading: Promise.resolve() });

/** The service is our own, and it has checked the file. */
function isLessonFile(found: unknown): found is LessonFile {
	return typeof found === 'object' && found !== null && 'steps' in found && 'learnt' in found;
}

/**
 * Reads the lesson files of the server, and of a class. Without a response there are none.
 * @param root control API of the root sandbox
 * @param code of the class
 */
export function loadOwnLessons(root: ControlApi, code?: string): Promise<void> {
	const of = `${root.baseUrl} ${code ?? ''}`;
	if (read.of === of) return read.loading;
	read.of = of;
	read.loading = load(root, code, of);
	return read.loading;
}

async function load(root: ControlApi, code: string | undefined, of: string): Promise<void> {
	try {
		if (__BROWSER_HOST__) {
			const { readSiteLessons } = await import('./file/site-lessons.ts');
			read.files = await filled(await readSiteLessons(root.baseUrl));
			return;
		}
		const query = code === undefined ? {} : { query: { class_code: code } };
		const { files } = await root.request('GET /control/lessons', query);
		const own = await filled(files.filter(isLessonFile));
		if (read.of === of) read.files = own;
	} catch (thrown) {
		if (!(thrown instanceof ControlError)) throw thrown;
		if (read.of === of) read.of = undefined;
	}
}

/** The lessons that instructors wrote, as far as they were read. Reactive. */
export function ownLessons(): readonly ListedLesson[] {
	return read.files.map(listed);
}

/** Reads the exercise that the studio of this tab shows, and checks it. Undefined without one, or with mistakes. */
export async function loadDraft(): Promise<LessonFile | undefined> {
	const { checkLessonFile } = await import('#evidence/lesson-file/check-lesson-file.ts');
	const checked = checkLessonFile(typedText(draftKey, () => sessionStorage));
	[read.draft] = await filled('file' in checked ? [checked.file] : []);
	return read.draft;
}

/** Their texts with the numbers of their settings. */
async function filled(files: readonly LessonFile[]): Promise<readonly LessonFile[]> {
	if (files.length === 0) return files;
	const { withNumbers } = await import('#evidence/lesson-file/numbers.ts');
	return files.map(withNumbers);
}

/** A lesson of an instructor that was read. Undefined if there is none with this id. Reactive. */
export function ownLesson(id: string): ListedLesson | undefined {
	const file = fileOf(id);
	return file && { ...listed(file), id };
}

function fileOf(id: string): LessonFile | undefined {
	return id === draftLesson ? read.draft : read.files.find((one) => ownLessonPrefix + one.id === id);
}

/** The files that were read. They have notes for the instructor of their class only. Reactive. */
export function ownFiles(): readonly LessonFile[] {
	return read.files;
}

/** A lesson file as lists show it. */
export function listed({ id, title, goal, minutes }: LessonFile): ListedLesson {
	return { id: ownLessonPrefix + id, title, goal, minutes };
}

/** Compiles one that was read. Undefined if there is none with this id. */
export async function loadOwnLesson(id: string): Promise<Lesson | undefined> {
	await read.loading;
	const file = fileOf(id);
	return file && compileFile(file);
}

/** Compiles a lesson file, with the rules of the exam where it names one. */
export async function compileFile(file: LessonFile): Promise<Lesson> {
	const observations = file.steps.flatMap(({ conditions }) =>
		conditions.flatMap(({ shows, near = [] }) => [shows, ...near.map((one) => one.shows)])
	);
	const needsRules = observations.some(({ kind }) => kind === 'rule_passed');
	const [{ compileLesson }, { allRules }] = await Promise.all([
		import('./file/compile-lesson.ts'),
		needsRules ? import('#evidence/all-rules.ts') : { allRules: [] }
	]);
	return compileLesson(file, allRules);
}

/** The lessons of instructors that this browser has a record of, also after their class. */
export function recordedOwnLessons({ lessons }: Progress): readonly ListedLesson[] {
	return Object.entries(lessons).flatMap(([id, { title }]) =>
		title === undefined || !id.startsWith(ownLessonPrefix) ? [] : [{ id, title, goal: '', minutes: 0 }]
	);
}
