import type { ExamResult } from '#api/exam.ts';
import { withVerdict } from './findings.ts';

/** One `::error` command of GitHub Actions for each failed rule. */
export function toGithubErrors(result: ExamResult): string {
	const lines = withVerdict(result, 'failed').map(
		({ rule, text, fix }) => `::error title=${escapeProperty(rule)}::${escapeMessage(`${text} ${fix}`)}\n`
	);
	return lines.join('');
}

function escapeMessage(text: string): string {
	return text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
}

function escapeProperty(text: string): string {
	return escapeMessage(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}
