import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { maxOwnLessons } from '#api/control/own-lessons.ts';
import { readYaml } from '#lib/file/read-yaml.ts';
import { checkLessonFile, isYaml, lessonWarning, mistakeText } from '#evidence/lesson-file/check-lesson-file.ts';
import { withoutNotes, type LessonFile } from '#evidence/lesson-file/instructor-lesson.ts';
import { ConfigError, type Environment } from './read-setting.server.ts';

/**
 * Reads the lesson files of a server: `LESSONS`, paths with commas between them.
 * @param folder for relative paths
 * @returns undefined without them
 * @throws ConfigError with all mistakes of the first wrong file
 */
export function readLessons({ LESSONS: paths = '' }: Environment, folder: string): readonly LessonFile[] | undefined {
	const names = paths.split(',').flatMap((path) => path.trim() || []);
	return names.length === 0 ? undefined : readLessonFiles(names, folder, 'LESSONS');
}

/**
 * Reads lesson files.
 * @param folder for relative paths
 * @param setting what named them: `LESSONS`, `--lesson`
 * @throws ConfigError with all mistakes of the first wrong file
 */
export function readLessonFiles(paths: readonly string[], folder: string, setting: string): readonly LessonFile[] {
	if (paths.length > maxOwnLessons)
		throw new ConfigError(`${setting} names ${paths.length} files. A server can have at most ${maxOwnLessons}.`);
	const files = paths.map((path) => readLesson(path, folder, setting));
	const twice = files.find(({ id }, at) => files.findIndex((one) => one.id === id) < at);
	if (twice !== undefined)
		throw new ConfigError(`Two files of ${setting} have the id "${twice.id}". Change one of them.`);
	return files;
}

/** What authors should know of their files where there is no server, one sentence each. */
export function siteWarnings(files: readonly LessonFile[]): string[] {
	return files.flatMap((file) => {
		const warning = lessonWarning(file);
		return warning === undefined ? [] : [`Warning: ${file.title}. ${warning}`];
	});
}

/** The file `_app/lessons.json` of a site without a server. Learners get no notes. */
export function siteLessons(files: readonly LessonFile[]): string {
	return JSON.stringify(files.map(withoutNotes));
}

/** Checks a lesson file in YAML or in JSON. */
export const checkLessonText = (text: string) => checkLessonFile(text, isYaml(text) ? readYaml : undefined);

function readLesson(path: string, folder: string, setting: string): LessonFile {
	let text: string;
	try {
		text = readFileSync(resolve(folder, path), 'utf8');
	} catch {
		throw new ConfigError(`${setting}: ${path} cannot be read. Check the path.`);
	}
	const checked = checkLessonText(text);
	if ('file' in checked) return checked.file;
	const lines = checked.mistakes.map((mistake) => `  ${mistakeText(mistake)}`);
	throw new ConfigError([`The lesson file ${path} is invalid:`, ...lines].join('\n'));
}
