import { maxLessonFile, maxOwnLessons } from '#api/control/own-lessons.ts';
import { parseJson } from '#client/rate-limit/json-value.ts';
import { storedText, storeText } from '#client/storage/web-storage.ts';
import type { LessonFile } from '#evidence/lesson-file/instructor-lesson.ts';

/** Where a site without a server has its lesson files, below its base. */
const path = '/_app/lessons.json';
/** How long the network may take, in milliseconds. */
const timeout = 5_000;

/**
 * Reads the lesson files of a site without a server, or of a package for a course system. Each is checked as on a server, and one with
 * mistakes is left out. Without a network, they are those of the last time.
 * @param baseUrl of the site, without a trailing slash
 */
export async function readSiteLessons(baseUrl: string): Promise<readonly LessonFile[]> {
	const key = `tollgate-lessons ${baseUrl}`;
	const text = await download(baseUrl + path).catch(() => storedText(key));
	const found = text.length > 2 * maxOwnLessons * maxLessonFile ? undefined : parseJson(text);
	if (!Array.isArray(found) || found.length === 0) return [];
	storeText(key, text);
	const { checkLessonFile } = await import('#evidence/lesson-file/check-lesson-file.ts');
	return found.slice(0, maxOwnLessons).flatMap((file) => {
		const checked = checkLessonFile(JSON.stringify(file));
		return 'file' in checked ? [checked.file] : [];
	});
}

/** @throws where the server does not respond. A site of an earlier version has none */
async function download(url: string): Promise<string> {
	const response = await fetch(url, { cache: 'no-cache', signal: AbortSignal.timeout(timeout) });
	return response.ok ? response.text() : '';
}
