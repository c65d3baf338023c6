import type { ExamResult, Finding } from '#api/exam.ts';
import { countsLine, dialectText, earlyEnd, judgedText, withVerdict } from './findings.ts';

/** The result as Markdown, for the summary of a job. */
export function toMarkdown(result: ExamResult): string {
	const { client, seed } = result;
	const spoken = dialectText(result);
	const failed = withVerdict(result, 'failed');
	const advice = withVerdict(result, 'advice');
	const notShown = withVerdict(result, 'not_shown');
	const early = earlyEnd(result);
	const facts = [
		client.client_id,
		client.kind,
		...(seed === undefined ? [] : [`seed ${seed}`]),
		...(spoken === undefined ? [] : [spoken])
	];
	return [
		`## Tollgate exam: ${titleOf(result)}`,
		facts.map(escapeMarkdown).join(' · '),
		...(early === undefined ? [] : [early]),
		`**${countsLine(result)}**`,
		...(failed.length === 0
			? []
			: [table(['Rule', 'Severity', 'What happened', 'Fix', 'Requests'], failed.map(failedRow))]),
		...(advice.length === 0 ? [] : ['### Advice', table(['Rule', 'What happened', 'Fix'], advice.map(adviceRow))]),
		...(notShown.length === 0 ? [] : [closed(`${notShown.length} not shown`, notShown)])
	]
		.join('\n\n')
		.concat('\n');
}

function titleOf(result: ExamResult): string {
	const { counts, ended } = result;
	if (counts.failed > 0) return `${counts.failed} failed`;
	return ended === undefined ? 'nothing failed' : judgedText(result);
}

function failedRow({ rule, severity, text, sections, fix, requests }: Finding): string[] {
	const where = sections.length === 0 ? '' : ` (${sections.join(', ')})`;
	return [code(rule), String(severity ?? ''), cell(text + where), cell(fix), requests.map(code).join(' ')];
}

function adviceRow({ rule, text, fix }: Finding): string[] {
	return [code(rule), cell(text), cell(fix)];
}

function closed(summary: string, findings: readonly Finding[]): string {
	const rows = findings.map(({ rule, text }) => `- ${code(rule)} ${escapeMarkdown(text)}`);
	return `<details><summary>${summary}</summary>\n\n${rows.join('\n')}\n\n</details>`;
}

function table(titles: readonly string[], rows: readonly (readonly string[])[]): string {
	const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
	return [line(titles), line(titles.map(() => '---')), ...rows.map(line)].join('\n');
}

const cell = (text: string) => escapeMarkdown(text).replaceAll('\n', ' ');
/** Ids contain no backtick. Any other text loses its backticks. */
const code = (id: string) => `\`${id.replace(/[`|\n]/g, '')}\``;

function escapeMarkdown(text: string): string {
	return text.replace(/[\\`*_{}[\]<>|#]/g, (character) => `\\${character}`);
}
