import {
	findingStates,
	findingTitles,
	foreignRoleTitles,
	type ForeignFinding,
	type HarContent,
	type ProviderForm
} from './har-reading.ts';
import { withoutHosts } from './hide-hosts.ts';

/** How a report is written. */
export type ReportFormat = 'text' | 'markdown' | 'json';

/**
 * The findings of a file for a terminal, a ticket or a program.
 * @param name of the file
 * @param hosts false: host names are replaced
 */
export function harReport(content: HarContent, name: string, format: ReportFormat = 'text', hosts = true): string {
	// The form of a provider names it.
	const shown = hosts ? content : { ...content, findings: content.findings.map(({ form: _, ...one }) => one) };
	const text = format === 'json' ? jsonReport(shown, name) : textReport(shown, name, format === 'markdown');
	return hosts ? text : withoutHosts(content)(text);
}

/** The numbers of the exchanges of a finding: `2, 4`. */
function numbersOf(content: HarContent, ids: readonly string[]): string {
	return content.exchanges.flatMap(({ entry }) => (ids.includes(entry.id) ? [entry.seq] : [])).join(', ');
}

function textReport(content: HarContent, name: string, isMarkdown: boolean): string {
	const { exchanges, total, recorder, startedAt, findings, gaps, notes, unmatched = [] } = content;
	const heading = (text: string) => (isMarkdown ? `\n## ${text}\n` : `\n${text}`);
	const by = recorder === '' ? '' : ` by ${recorder}`;
	const at = startedAt > 0 ? ` on ${new Date(startedAt).toISOString().slice(0, 16).replace('T', ', ')} UTC` : '';
	const lines = [
		`${isMarkdown ? '# ' : ''}${name}: ${exchanges.length} of ${total} requests belong to a sign-in`,
		...(by + at === '' ? [] : [`${isMarkdown ? '\n' : ''}Recorded${by}${at}.`]),
		...notes
	];
	const outcome = findings.find(({ id, state }) => id === 'file.outcome' && state === 'not_shown');
	if (outcome !== undefined)
		lines.push(`Whether the sign-in worked: ${outcome.text.replace('Not shown', 'not shown')}`);
	for (const state of findingStates) {
		const same = findings.filter((one) => one.state === state);
		if (same.length === 0) continue;
		lines.push(heading(`${findingTitles[state]} ${same.length}`));
		if (state === 'not_shown') lines.push(...byNeed(same));
		else
			for (const one of same)
				lines.push(...(state === 'shown' ? [`- ${one.title}`] : findingLines(content, one, isMarkdown)));
	}
	if (gaps.length > 0) lines.push(heading('Missing'), ...gaps.map(({ text, needs }) => `- ${text}. Needs: ${needs}`));
	if (unmatched.length > 0) lines.push(heading('Without a sign-in'), `Exchanges ${numbersOf(content, unmatched)}`);
	lines.push(
		heading('Exchanges'),
		...(isMarkdown ? ['| No. | Status | Request | Role | Outcome |', '|---|---|---|---|---|'] : [])
	);
	for (const { entry, host, role, outcome, source } of exchanges) {
		const status = entry.response?.status ?? '-';
		const request = `${entry.request.method} ${host}${entry.request.target.split('?', 1)[0] ?? ''}`;
		const from = source === 'watch' ? ' (watch)' : '';
		const cells = [
			entry.seq,
			status,
			isMarkdown ? `\`${request.replaceAll('`', '')}\`` : request,
			foreignRoleTitles[role],
			outcome + from
		];
		lines.push(
			isMarkdown
				? `| ${cells.map(cell).join(' | ')} |`
				: `${String(entry.seq).padStart(4)}  ${status}  ${request}  ${outcome}${from}`
		);
	}
	return lines.join('\n');
}

/** What a finding rests on. Only the quoted words are those of the response: its cause is inferred. */
export function basisText(basis: ForeignFinding['basis'], cause: string | undefined): string {
	if (basis === 'inferred') return 'Inferred from the file.';
	return cause === undefined ? 'Quoted from the response.' : 'Quoted from the response. The cause is inferred.';
}

/** `Documented: Rate limits, https://docs.example, read 2026-11-29.` */
const formSource = ({ source: { kind, title, url, read } }: ProviderForm) =>
	`${kind === 'observed' ? 'Observed' : 'Documented'}: ${title}, ${url}, read ${read}.`;

/** What is not shown, by what would show it. */
function byNeed(findings: readonly ForeignFinding[]): string[] {
	const needs = [...new Set(findings.map(({ needs = '' }) => needs))];
	return needs.map((need) => {
		const titles = findings.flatMap((one) => (one.needs === need ? [one.title] : []));
		return `- Needs ${need}: ${titles.length > 3 ? `${titles.length} rules` : titles.join(', ')}`;
	});
}

const cell = (text: string | number) => String(text).replaceAll('|', '\\|').replace(/\s+/g, ' ');

function findingLines(content: HarContent, finding: ForeignFinding, isMarkdown: boolean): string[] {
	const { title, severity, text, cause, fix, sections, exchanges, basis, form } = finding;
	const numbers = numbersOf(content, exchanges);
	const label = (name: string) => (isMarkdown ? `**${name}:**` : `${name}:`);
	return [
		`- ${isMarkdown ? `**${title}**` : title}${severity === undefined ? '' : ` (severity ${severity})`}`,
		`  ${text}`,
		...(form === undefined ? [] : [`  ${form.text} ${formSource(form)}`]),
		...(cause === undefined ? [] : [`  ${label('Cause')} ${cause}`]),
		...(fix === undefined ? [] : [`  ${label('Fix')} ${fix}`]),
		`  ${numbers === '' ? '' : `Exchanges ${numbers}. `}${basisText(basis, cause)}${sections.length === 0 ? '' : ` ${sections.join(', ')}`}`
	];
}

function jsonReport({ exchanges, ...content }: HarContent, name: string): string {
	const rows = exchanges.map(({ entry, role, reason, origin, outcome, source, position, tokens }) => ({
		id: entry.id,
		number: entry.seq,
		position,
		source,
		role,
		reason,
		signIn: entry.flow,
		begin: new Date(entry.at - entry.duration).toISOString(),
		method: entry.request.method,
		url: origin + entry.request.target,
		status: entry.response?.status ?? null,
		outcome,
		tokens
	}));
	return JSON.stringify({ file: name, ...content, exchanges: rows }, undefined, 2);
}
