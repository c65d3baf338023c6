import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { maxLessonFile } from '#api/control/own-lessons.ts';
import { countText } from '#lib/count-text.ts';
import { lessonWarning, mistakeText } from '#evidence/lesson-file/check-lesson-file.ts';
import { checkLessonText } from '../lesson-files.server.ts';

/** A lesson file that is not finished has its format. So has a text with a mistake. */
const isLesson = /\bformat["']?\s*:\s*["']?tollgate-lesson\b/;

/**
 * Checks a lesson file without starting a server: `npx tollgate check lesson.yaml`.
 * @param path of the file
 * @param folder for a relative path
 * @returns what to print, and whether the file is valid; undefined where it is no lesson file, or cannot be read
 */
export function checkLesson(
	path: string,
	folder: string
): { readonly isValid: boolean; readonly text: string } | undefined {
	const text = readLessonText(resolve(folder, path));
	if (text === undefined || !isLesson.test(text)) return undefined;
	const checked = checkLessonText(text);
	if ('file' in checked) {
		const { title, id, minutes, steps } = checked.file;
		const warning = lessonWarning(checked.file);
		const conditions = steps.flatMap((step) => step.conditions);
		const counts = [
			countText(steps.length, 'step'),
			countText(conditions.length, 'condition'),
			countText(minutes, 'minute')
		];
		return {
			isValid: true,
			text: `${path} is valid: ${title}, with ${counts.join(', ')}. Its address is /learn/own-${id}.${warning === undefined ? '' : `\nWarning: ${warning}`}`
		};
	}
	const lines = checked.mistakes.map(mistakeText);
	return {
		isValid: false,
		text:
			lines.length === 1
				? `${path}: ${lines.join('')}`
				: [`${path} has ${lines.length} mistakes:`, ...lines.map((line) => `  ${line}`)].join('\n')
	};
}

/** The text of a file; undefined if it cannot be read. A longer one than a lesson is cut. */
function readLessonText(path: string): string | undefined {
	try {
		return statSync(path).isFile() ? readFileSync(path, 'utf8').slice(0, maxLessonFile + 1) : undefined;
	} catch {
		return undefined;
	}
}
