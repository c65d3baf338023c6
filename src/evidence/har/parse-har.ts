import { fieldOf, isObject, listOf, parseJson } from './json-fields.ts';
import { maxHarSize, type HarOptions, type HarProblem } from './har-reading.ts';

/** The entries of a file, and what recorded them. */
export type ParsedHar = {
	readonly log: unknown;
	readonly entries: readonly unknown[];
	/** Whether only the first entries of a cut file are read. */
	readonly isPart: boolean;
};

/** More entries than a sign-in has. What comes after them is not read. */
export const mostEntries = 50_000;
/** A parser needs much memory for each level. A HAR has about ten. */
const mostLevels = 500;
const har = 'a JSON object with log.entries';
const requests = 'entries with a request of HTTP each';
const chooseAnother = 'Record the sign-in again, and save the whole list as HAR.';

/** The problem of a file that cannot be read. */
export const problem = (
	error: string,
	expected: string,
	found: string,
	whatToDo = chooseAnother,
	more: Partial<HarProblem> = {}
): HarProblem => ({ kind: 'unreadable', error, expected, found, whatToDo, readable: 0, ...more });

/** Reads the text of a HAR file (version 1.1 or 1.2). A file that is cut is a problem, or with `part` its whole entries. */
export function parseHar(given: string, { part = false }: HarOptions): ParsedHar | HarProblem {
	const text = given.startsWith('\ufeff') ? given.slice(1) : given;
	if (text.length > maxHarSize)
		return problem(
			'The file is larger than 50 MB.',
			'at most 50 MB',
			`${Math.ceil(text.length / 1024 / 1024)} MB`,
			'Record the sign-in only, or save the list without content.'
		);
	if (text.trim() === '') return problem('The file is empty.', har, 'nothing');
	if (text.includes('\0'))
		return problem('The file is no text in UTF-8.', 'a text in UTF-8', 'a null character', 'Save it in UTF-8.');
	if (isTooDeep(text))
		return problem('The file is nested too deeply.', 'about ten levels', `more than ${mostLevels} levels`);
	const content = parseJson(text);
	if (content === undefined) return readCut(text, part);
	if (!isObject(content))
		return problem('The file is JSON, but no object.', har, Array.isArray(content) ? 'a list' : typeof content);
	const log = isObject(fieldOf(content, 'log')) ? fieldOf(content, 'log') : content;
	if (!Array.isArray(fieldOf(log, 'entries'))) return otherJson(content);
	const entries = listOf(log, 'entries');
	if (entries.length === 0)
		return problem(
			'The file has no requests.',
			requests,
			'an empty log.entries',
			'Open the developer tools before the sign-in, select Preserve log, and record again.'
		);
	if (!entries.some((entry) => isObject(fieldOf(entry, 'request'))))
		return problem('The entries of the file have no requests.', requests, 'log.entries without request');
	return { log, entries: entries.slice(0, mostEntries), isPart: false };
}

function otherJson(content: object): HarProblem {
	const names = Object.keys(content);
	if (names.includes('info') && names.includes('item'))
		return problem('The file is a collection of requests, not a recording.', har, 'info and item');
	if (names.includes('traceEvents'))
		return problem(
			'The file is a performance trace, not a HAR.',
			har,
			'traceEvents',
			'Save the list of the Network tab, not that of Performance.'
		);
	if (names.includes('openapi') || names.includes('swagger'))
		return problem('The file describes an API. It is no recording.', har, 'openapi');
	return problem('The file is JSON, but no HAR.', har, 'no log.entries');
}

/** Whether objects and lists are nested more than a parser should follow. Texts are skipped. */
function isTooDeep(text: string): boolean {
	let depth = 0;
	for (let at = 0; at < text.length; at++) {
		const char = text.charCodeAt(at);
		if (char === 0x22) {
			at = endOfText(text, at);
			if (at < 0) return false;
		} else if (char === 0x7b || char === 0x5b) {
			if (++depth > mostLevels) return true;
		} else if (char === 0x7d || char === 0x5d) depth--;
	}
	return false;
}

/** Where a text that begins at a quote ends. −1: it does not end. */
function endOfText(text: string, start: number): number {
	for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
		let slashes = 0;
		while (text.charCodeAt(end - 1 - slashes) === 0x5c) slashes++;
		if (slashes % 2 === 0) return end;
	}
	return -1;
}

/** What can be read of a text that is no JSON as a whole. */
function readCut(text: string, part: boolean): ParsedHar | HarProblem {
	if (/^\s*</.test(text))
		return problem(
			'The file is XML or HTML, not a HAR.',
			har,
			'<',
			'Choose HAR as the format. Charles and Fiddler save other formats by default.'
		);
	if (!/^\s*[{[]/.test(text)) return problem('The file is not JSON.', har, 'no { at its start');
	const start = /"entries"\s{0,20}:\s{0,20}\[/.exec(text);
	if (start === null) return problem('The file is not JSON, and has no log.entries.', har, 'a mistake in the JSON');
	const { entries, at, isInside } = wholeObjects(text, start.index + start[0].length);
	if (part && entries.length > 0) return { log: undefined, entries, isPart: true };
	const isCut = at >= text.length;
	const where = isInside ? `in the middle of entry ${entries.length + 1}` : `after entry ${entries.length}`;
	const error = isCut
		? `The file ends ${where}. The browser was probably closed while it was saving.`
		: `The JSON of the file has a mistake ${where}.`;
	const canRead = entries.length > 0 ? 'Read what comes before it, or record again.' : chooseAnother;
	return problem(error, 'JSON that is whole', shapeBefore(text, at), canRead, { at, readable: entries.length });
}

/** The objects of a list up to the first mistake. Without recursion: a text can be as deep as it is long. */
function wholeObjects(
	text: string,
	start: number
): { readonly entries: unknown[]; readonly at: number; readonly isInside: boolean } {
	const entries: unknown[] = [];
	let depth = 0;
	let begin = start;
	let isText = false;
	for (let at = start; at < text.length; at++) {
		const char = text.charCodeAt(at);
		if (isText) {
			if (char === 0x5c) at++;
			else if (char === 0x22) isText = false;
		} else if (char === 0x22) isText = true;
		else if (char === 0x7b || char === 0x5b) {
			if (depth === 0) begin = at;
			depth++;
		} else if (char === 0x7d || char === 0x5d) {
			depth--;
			if (depth < 0) return { entries, at, isInside: false };
			if (depth > 0) continue;
			const entry = parseJson(text.slice(begin, at + 1));
			if (entry === undefined || entries.length >= mostEntries) return { entries, at, isInside: true };
			entries.push(entry);
		}
	}
	return { entries, at: text.length, isInside: depth > 0 };
}

/** The last name before a place, and what follows only where it is a media type. A value may be a secret. */
function shapeBefore(text: string, at: number): string {
	const before = text.slice(Math.max(0, at - 300), at);
	const [, name = '', value = ''] = /"([a-zA-Z]{1,20})"\s{0,5}:\s{0,5}("?[^"]{0,40})$/.exec(before) ?? [];
	if (name === '') return 'the end of the file';
	return `"${name}": ${/^"?(?:text|image|application|font)\/[a-z.+-]{0,30}$/.test(value) ? value : '…'}`;
}
