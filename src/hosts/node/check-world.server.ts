import { resolve } from 'node:path';
import type { World } from '#service/world/world.ts';
import { WorldError } from '#service/world/world-mistakes.ts';
import { loadWorldFile } from '../world-file.server.ts';
import { readFileSync, statSync } from 'node:fs';
import { maxLessonFile } from '#api/control/own-lessons.ts';
import { countText } from '#lib/count-text.ts';
import { lessonWarning, mistakeText } from '#evidence/lesson-file/check-lesson-file.ts';
import { checkLessonText } from '../lesson-files.server.ts';

/**
 * Checks a world file without starting a server: `npx tollgate check world.json`. Environment variables that it refers to can be
 * absent: the server may get them elsewhere.
 * @param path of the file
 * @param folder for a relative path
 * @returns what to print, and whether the file is valid
 */
export function checkWorld(path: string, folder: string): { readonly isValid: boolean; readonly text: string } {
	const missing = new Set<string>();
	const variable = (name: string) => {
		if (!process.env[name]) missing.add(name);
		return process.env[name] || 'absent';
	};
	try {
		const world = loadWorldFile(resolve(folder, path), variable);
		const variables =
			missing.size === 0
				? ''
				: `\nThe server needs environment variables that are not set here: ${[...missing].join(', ')}.`;
		return { isValid: true, text: describe(path, world) + variables };
	} catch (fault) {
		if (fault instanceof WorldError) return { isValid: false, text: fault.message };
		throw fault;
	}
}

/** What the world contains, and which of its secrets every visitor gets. */
function describe(
	path: string,
	{ brand, picture, permissions, accounts, characters, applications, ...world }: World
): string {
	const counts = [
		count(permissions.length, 'permission'),
		count(accounts.length, 'account'),
		count(characters.length, 'character'),
		count(applications.length, 'application')
	];
	const shown = accounts.filter(({ isPublished }) => isPublished).map(({ username }) => username);
	const clients = [world.viewer, world.companion].filter((client) => client?.client_secret !== undefined);
	return [
		`${path} is valid: ${brand.name}, with ${counts.join(', ')}.`,
		`Passwords that the sign-in page shows: ${shown.length === 0 ? 'none' : `those of ${shown.join(', ')}`}.`,
		`Secrets that pages get: ${clients.length === 0 ? 'none' : `those of ${clients.map((one) => one?.client_id).join(', ')}`}.`,
		...(brand.logo !== undefined && picture === undefined
			? ['Previews of links have no picture. Add brand.picture, a PNG. The world studio draws one.']
			: [])
	].join('\n');
}

function count(number: number, noun: string): string {
	return `${number} ${noun}${number === 1 ? '' : 's'}`;
}

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
