import * as v from 'valibot';
import { lineOf, mistakeOf, readJson, reservedNamesIn, type FileMistake, type ReadJson } from '#lib/file/read-json.ts';
import { maxLessonFile } from '#api/control/own-lessons.ts';
import { scanJson } from '#lib/file/scan-json.ts';
import { lessonFile, type LessonFile } from './instructor-lesson.ts';
import { maxConditions } from './lesson-file.ts';
import type { Observation } from './observations.ts';
import type { LessonContent } from './product-lesson.ts';

/** A mistake of a lesson file, with its line. Undefined: it concerns the whole file, or the file has one line. */
export type LessonMistake = FileMistake & { readonly line: number | undefined };

/** A lesson file without mistakes, or its mistakes in the order of the file. */
export type CheckedLesson = { readonly file: LessonFile } | { readonly mistakes: readonly LessonMistake[] };

/** How many mistakes are listed. */
const most = 50;

/** How a text is read: its content, and the lines of its parts. */
export type LessonReader = (text: string) => ReadJson & { readonly lines: ReadonlyMap<string, number> };

/**
 * Checks the text of a lesson file: `npx tollgate check`, the form of a class and the studio.
 * @param reader `readYaml` for a file that may be YAML. Pages load it only for such a file, see `isYaml`
 */
export function checkLessonFile(text: string, reader: LessonReader = readLines): CheckedLesson {
	// A character is at least one byte.
	if (text.length > maxLessonFile || new TextEncoder().encode(text).length > maxLessonFile)
		return whole(`It is larger than ${maxLessonFile / 1024} KiB. Shorten its texts.`);
	const read = reader(text);
	if ('reason' in read) return whole(read.reason);
	const { content } = read;
	if (typeof content !== 'object' || content === null || Array.isArray(content))
		return whole(
			reader === readLines
				? 'It is not a JSON object. Begin with {"format": "tollgate-lesson", "version": 1}.'
				: 'It has no fields. Begin with format: tollgate-lesson and version: 1.'
		);
	// Earlier versions had a list of abilities.
	const { able: _, ...current } = { able: undefined, ...content };
	const { success, output, issues = [] } = v.safeParse(lessonFile, current, { abortPipeEarly: true });
	const mistakes = [
		...read.mistakes,
		...reservedNamesIn(content),
		...issues.map(mistakeOf),
		...(success ? referenceMistakes(output) : [])
	];
	if (success && mistakes.length === 0) return { file: output };
	const { lines } = read;
	const isOneLine = !text.trimEnd().includes('\n');
	// The others of the same place may follow from the first.
	const first = new Map(mistakes.map((mistake) => [mistake.place, mistake] as const).reverse());
	return {
		mistakes: [...first.values()]
			.map((mistake) => ({ ...mistake, line: isOneLine ? undefined : lineOf(lines, mistake.place) }))
			.sort((one, other) => (one.line ?? 0) - (other.line ?? 0))
			.slice(0, most)
	};
}

const readLines: LessonReader = (text) => ({ ...readJson(text), lines: scanJson(text).lines });

/** Whether a text can only be YAML. JSON that is not finished begins as JSON. */
export const isYaml = (text: string) => !/^\s*[{[]/.test(text);

/** `line 12, steps.0.text: Write Markdown without HTML.` */
export function mistakeText({ line, place, reason }: LessonMistake): string {
	return (
		[line === undefined ? '' : `line ${line}`, place].filter(Boolean).join(', ') + (place === '' ? '' : ': ') + reason
	);
}

/**
 * What an author should know of a valid file; undefined where there is nothing. A step without tools needs a program of the learner, and no
 * program reaches a service that runs in the page: in static files, SCORM packages, frames of other sites and the preview.
 */
export function lessonWarning({ steps }: LessonContent): string | undefined {
	const numbers = steps.flatMap(({ tools = [] }, at) => (tools.length === 0 ? [String(at + 1)] : []));
	if (numbers.length === 0) return undefined;
	const list = numbers.join(', ').replace(/, (?=\d+$)/, ' and ');
	const [subject, verb, it] = numbers.length === 1 ? ['Step', 'needs', 'it'] : ['Steps', 'need', 'they'];
	return `${subject} ${list} ${verb} a program of the learner, which reaches a server only. In static files, SCORM packages, frames of other sites and the preview ${it} cannot be done. Add tools to use the exercise there.`;
}

const whole = (reason: string): CheckedLesson => ({ mistakes: [{ place: '', reason, line: undefined }] });

/** What the schema cannot check: ids that occur twice, and references to what is not there, or comes later. */
export function referenceMistakes({ steps, findings = [], prediction, question, thief }: LessonContent): FileMistake[] {
	const mistakes: FileMistake[] = [];
	const known = new Set<string>();
	const add = (place: string, reason: string) => void mistakes.push({ place, reason });
	const check = (place: string, shows: Observation) => {
		for (const [relation, id] of Object.entries(shows.same ?? {}))
			if (!known.has(id)) add(`${place}.same.${relation}`, `No earlier condition has the id "${id}".`);
		if (shows.kind === 'resource_read' && shows.elsewhere !== undefined && !known.has(shows.elsewhere))
			add(`${place}.elsewhere`, `No earlier condition has the id "${shows.elsewhere}".`);
		const isRejection = shows.kind === 'error_seen' || shows.kind === 'error_overcome';
		if (isRejection && shows.error === undefined && shows.status === undefined)
			add(place, 'Name the "error", the "status", or both.');
	};
	const conditions = steps.flatMap((step, at) =>
		step.conditions.map((condition, index) => ({ condition, place: `steps.${at}.conditions.${index}` }))
	);
	if (conditions.length > maxConditions) add('steps', `A lesson can have at most ${maxConditions} conditions.`);
	for (const [index, { condition, place }] of conditions.entries()) {
		const { id, shows, near = [] } = condition;
		if (known.has(id)) add(`${place}.id`, `Another condition has the id "${id}". Choose another one.`);
		if (shows.kind === 'number_entered') {
			if (near.length > 0) add(`${place}.near`, 'A number has its sentence in "wrong". Remove this.');
			if (index === 0) add(`${place}.shows`, 'The first condition is an exchange. Begin with a sign-in or a request.');
		} else if (shows.kind !== 'code') check(`${place}.shows`, shows);
		for (const [at, one] of near.entries()) check(`${place}.near.${at}.shows`, one.shows);
		known.add(id);
	}
	if (thief !== undefined) check('thief', thief);
	const refer = (place: string, id: string) => {
		const found = conditions.find(({ condition }) => condition.id === id)?.condition;
		if (found === undefined) add(place, `No condition has the id "${id}".`);
	};
	for (const [at, { tools = [] }] of steps.entries())
		for (const [index, tool] of tools.entries())
			if (tool.kind === 'request' && tool.beside !== undefined) refer(`steps.${at}.tools.${index}.beside`, tool.beside);
	for (const [at, { condition }] of findings.entries()) refer(`findings.${at}.condition`, condition);
	if (prediction !== undefined) refer('prediction.shownBy', prediction.shownBy);
	const comparison = prediction?.comparison;
	for (const [row, { values }] of (comparison !== undefined && 'rows' in comparison ? comparison.rows : []).entries())
		for (const [at, { condition }] of values.entries())
			refer(`prediction.comparison.rows.${row}.values.${at}.condition`, condition);
	if (question?.solution.shows !== undefined) check('question.solution.shows', question.solution.shows);
	if (question !== undefined) refer('question.solution.condition', question.solution.condition);
	return mistakes;
}
