import * as v from 'valibot';
import { examResult, type ExamResult } from '#api/exam.ts';

/** The longest file of a result, in bytes. */
export const maxResultBytes = 1024 * 1024;

/** The result as a JSON file. */
export function toJson(result: ExamResult): string {
	return `${JSON.stringify(result, undefined, 2)}\n`;
}

/**
 * Reads the file of a result. A file that is wrong anywhere is rejected as a whole.
 * @throws {ResultFileError} says what is wrong
 */
export function readResult(text: string): ExamResult {
	if (text.length > maxResultBytes) throw new ResultFileError('The file is larger than 1 MiB.');
	let found: unknown;
	try {
		found = JSON.parse(text);
	} catch {
		throw new ResultFileError('The file is no JSON. Open a file that npx tollgate exam wrote with --json.');
	}
	const { success, output, issues } = v.safeParse(examResult, found);
	if (success) return output;
	const [issue] = issues;
	const path = v.getDotPath(issue);
	throw new ResultFileError(
		path === 'format' || path === null
			? 'The file is no result of an exam. Open a file that npx tollgate exam wrote with --json.'
			: `The file is damaged at ${path}: ${issue.message}`
	);
}

/** A file that is no result of an exam, in words for its reader. */
export class ResultFileError extends Error {}
