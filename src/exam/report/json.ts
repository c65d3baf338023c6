import type { ExamResult } from '#api/exam.ts';

/** The result as a JSON file. */
export function toJson(result: ExamResult): string {
	return `${JSON.stringify(result, undefined, 2)}\n`;
}
