import type { ExamResult, Finding } from '#api/exam.ts';
import { sanitizeText } from '#lib/plain-text.ts';
import { probeList } from '../probe-list.ts';
import { areaName, areaOf, byArea, countsLine, earlyEnd, withVerdict } from './findings.ts';

/** How the result is printed. */
export type TextOptions = {
	/** Colors and bold text, by ANSI sequences. Default: none. */
	readonly isColored?: boolean;
	/** A request in words, by its id: `POST /ws/oauth2/token/  200`. */
	readonly requests?: ReadonlyMap<string, string>;
};

/** The longest line, in characters. */
export const textWidth = 80;

const styles = { bold: '1', red: '31', green: '32', yellow: '33', subtle: '2' } as const;
type Style = (text: string, style: keyof typeof styles) => string;

/**
 * The result for a terminal, in lines of at most 80 characters. With failed rules it lists these, otherwise the areas. Then come
 * the advice, and what would show the rules that were not shown.
 */
export function toText(result: ExamResult, { isColored = false, requests }: TextOptions = {}): string {
	const style: Style = (text, name) => (isColored ? `\u001b[${styles[name]}m${text}\u001b[0m` : text);
	const failed = withVerdict(result, 'failed');
	const advice = withVerdict(result, 'advice');
	const early = earlyEnd(result);
	const parts = [
		...(failed.length > 0 ? failed.map((finding) => failure(finding, requests, style)) : [areas(result, style)]),
		advice.map((finding) => adviceLines(finding, style)).join('\n'),
		notShown(withVerdict(result, 'not_shown'), style),
		...(early === undefined ? [] : [early]),
		resultLines(result, failed, style)
	];
	return `${indent(parts.filter((part) => part !== '').join('\n\n'), 2)}\n`;
}

function failure(finding: Finding, requests: TextOptions['requests'], style: Style): string {
	const { rule, severity, text, fix, sections, requests: ids, probe } = finding;
	const [first] = ids;
	const others = ids.length > 1 ? `  and ${ids.length - 1} more` : '';
	const words = first === undefined ? undefined : requests?.get(first);
	const request = first === undefined ? [] : [first, ...(words === undefined ? [] : [sanitizeText(words, 40)])];
	const field = (name: string, value: string) =>
		value === '' ? [] : [`  ${style(name.padEnd(9), 'subtle')}${wrap(value, 13, 11)}`];
	return [
		`${style('✗', 'red')} ${style(rule, 'bold')}${severity === undefined ? '' : style(`  severity ${severity}`, 'subtle')}`,
		`  ${wrap(text, 4, 2)}`,
		...field('step', stepOf(probe)),
		...field('fix', fix),
		...field('request', request.join('  ') + others),
		...field('section', sections.join(', '))
	].join('\n');
}

/** What the service, the browser or the user did when a rule failed. Empty: nothing unusual. */
const stepOf = (probe: Finding['probe']): string => probeList.find(({ id }) => id === probe)?.does ?? '';

function adviceLines({ rule, text }: Finding, style: Style): string {
	return `${style('!', 'yellow')} ${style(rule, 'bold')}  ${wrap(text, rule.length + 6, 2)}`;
}

function areas({ findings }: ExamResult, style: Style): string {
	const lines = [...byArea(findings)].map(([area, inArea]) => {
		const count = (verdict: Finding['verdict']) => inArea.filter((finding) => finding.verdict === verdict).length;
		const column = (number: number, word: string, name: keyof typeof styles) =>
			number === 0 ? ' '.repeat(word.length + 4) : style(`${String(number).padStart(3)} ${word}`, name);
		const columns = [
			column(count('passed'), 'passed', 'green'),
			column(count('not_shown'), 'not shown', 'subtle'),
			column(count('advice'), 'advice', 'yellow')
		];
		return `${areaName(area).padEnd(11)}${columns.join(' ')}`.trimEnd();
	});
	return lines.join('\n');
}

function notShown(findings: readonly Finding[], style: Style): string {
	const longest = Math.max(0, ...findings.map(({ rule }) => rule.length));
	const lines = findings.map(({ rule, text }) => {
		const from = longest + 7;
		const words = text.replace(/^Not shown\. (?:Needs: (.*?)\.?$)?/, (_, need?: string) =>
			need ? `needs ${need}` : ''
		);
		return `${style('○', 'subtle')} ${rule.padEnd(longest + 2)} ${style(wrap(words, from, from - 2), 'subtle')}`;
	});
	return lines.join('\n');
}

function resultLines(result: ExamResult, failed: readonly Finding[], style: Style): string {
	const line = countsLine(result);
	const first = line.split(',', 1)[0] ?? '';
	// An exam that ended early is not passed.
	const good = result.ended === undefined ? style('✓', 'green') : style('○', 'subtle');
	const mark = failed.length > 0 ? style('✗', 'red') : good;
	const lines = [`${mark} ${style(first, 'bold')}${line.slice(first.length)}`];
	if (failed.length > 0) {
		lines.push(`${style('again', 'subtle')}  add --only ${chosen(failed.map(({ rule }) => rule))}`);
		lines.push(`${style('why', 'subtle')}    code of each rule: npx tollgate, then https://localhost:8443/docs/exam`);
	}
	return lines.join('\n');
}

/** The value of `--only` for some rules. Their areas where the rules do not fit on a line. */
function chosen(rules: readonly string[]): string {
	const all = rules.join(',');
	return all.length <= textWidth - 20 ? all : [...new Set(rules.map((rule) => `${areaOf(rule)}.*`))].join(',');
}

/**
 * Breaks a text into lines between words.
 * @param from the column where it begins
 * @param spaces in front of the further lines
 */
function wrap(text: string, from: number, spaces: number): string {
	let column = from;
	let result = '';
	// Two spaces separate parts of a line, so they stay.
	for (const [index, word] of text.split(/(?<=\S) (?=\S)/).entries()) {
		const width = word.length + (index === 0 ? 0 : 1);
		if (index > 0 && column + width > textWidth) {
			result += `\n${' '.repeat(spaces)}${word}`;
			column = spaces + 2 + word.length;
		} else {
			result += index === 0 ? word : ` ${word}`;
			column += width;
		}
	}
	return result;
}

function indent(text: string, spaces: number): string {
	return text.replace(/^(?=.)/gm, ' '.repeat(spaces));
}
