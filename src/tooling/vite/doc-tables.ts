import type { ErrorText, ServiceError } from '#api/errors.ts';
import type { CliErrorText } from '#client/cli/cli-error.ts';
import { lessonFile } from '#evidence/lesson-file/instructor-lesson.ts';
import { shown } from '#evidence/lesson-file/lesson-file.ts';
import { tool } from '#evidence/lesson-file/tools.ts';
import { type FormField, type Part, partOf } from '#course/lessons/file/form-part.ts';
import type { ProviderFile } from '#api/providers/provider-file.ts';
import type { LabContent } from '#course/labs/engine/lab-file.ts';
import type { ListedLab } from '#course/labs/labs.ts';
import type { Area, Rule } from '#evidence/rule.ts';
import type { RuleExplanation } from '#evidence/rule-record.ts';
import { sectionLink } from '#ui/display/section-link.ts';

type Errors<Text> = Readonly<Record<string, Text>>;

/** The error codes of the service as a table in Markdown. */
export function serviceErrorTable(errors: Errors<ServiceError>): string {
	return table(
		['Code', 'Status', 'Cause', 'Fix'],
		Object.entries(errors).map(([code, { status, redirect, cause, fix }]) => {
			const response = redirect === 'only' ? 'a redirect' : `${status}${redirect === 'also' ? ', or a redirect' : ''}`;
			return [`\`${code}\``, response, cause, fix];
		})
	);
}

/** The error codes of the demo clients as a table in Markdown. */
export function clientErrorTable(errors: Errors<ErrorText>): string {
	return table(
		['Code', 'Cause', 'Fix'],
		Object.entries(errors).map(([code, { cause, fix }]) => [`\`${code}\``, cause, fix])
	);
}

/**
 * The error codes that only the command line has, as a table in Markdown.
 * @param others the codes that other tables list
 */
export function cliErrorTable(errors: Errors<CliErrorText>, others: ReadonlySet<string>): string {
	const own = Object.entries(errors).filter(([code]) => !others.has(code));
	return table(
		['Code', 'Exit code', 'Cause', 'Fix'],
		own.map(([code, { exitCode = 1, cause, fix }]) => [`\`${code}\``, String(exitCode), name(cause), name(fix)])
	);
}

/** The exit codes of the command line as a table in Markdown. */
export function exitCodeTable(exitCodes: readonly (readonly [exitCode: number, meaning: string])[]): string {
	return table(
		['Exit code', 'Meaning'],
		exitCodes.map(([code, meaning]) => [String(code), `${meaning.slice(0, 1).toUpperCase()}${meaning.slice(1)}.`])
	);
}

/** Replaces the values of the moment by their names, and commands by how the user types them. */
function name(text: string): string {
	return text
		.replace('{message}', 'The message says what is wrong.')
		.replace(/`([^`]*)\{(\w+)\}`/g, (_, before: string, value: string) => `\`${before}${value.toUpperCase()}\``)
		.replace(/\{(\w+)\}/g, (_, value: string) => `\`${value.toUpperCase()}\``)
		.replace(/\{companion ([^}]+)\}/g, '`npm run companion -- $1`');
}

/** A table in Markdown. */
function table(columns: readonly string[], rows: readonly (readonly string[])[]): string {
	return [columns, columns.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** The conditions of lesson files as a table in Markdown. */
export function conditionTable(): string {
	return kindTable('Shown by', partOf(shown));
}

/** The tools of lesson files as a table in Markdown. */
export function toolTable(): string {
	return kindTable('What it does', partOf(tool));
}

/** The parts of a lesson file as a table in Markdown. */
export function lessonPartTable(): string {
	const part = partOf(lessonFile);
	const fields = part.kind === 'object' ? part.fields.filter(({ hint }) => hint !== undefined) : [];
	return table(
		['Part', 'Meaning', 'Fields'],
		fields.map((field) => [nameOf(field), field.hint ?? '', fieldsOf(field.part).map(nameOf).join(', ')])
	);
}

/** The fields of an object, or of each in a list. */
function fieldsOf(part: Part): readonly FormField[] {
	if (part.kind === 'list') return fieldsOf(part.item);
	return part.kind === 'object' ? part.fields : [];
}

function kindTable(what: string, part: Part): string {
	const options = part.kind === 'variant' ? part.options : [];
	return table(
		['`kind`', what, 'Parameters'],
		options.map(({ kind, hint = '', fields }) => {
			const parameters = fields.filter(({ name }) => name !== 'same');
			return [`\`${kind}\``, hint, parameters.map(withValues).join(', ')];
		})
	);
}

const nameOf = ({ name, isOptional }: FormField) => `\`${name}\`${isOptional ? '' : ' (required)'}`;

/** A parameter, with its values if they are few. */
function withValues(field: FormField): string {
	const { part } = field;
	const isShort = part.kind === 'choice' && part.options.length <= 6;
	return nameOf(field) + (isShort ? `: ${part.options.map((value) => `\`${value}\``).join(' or ')}` : '');
}

type File = Pick<ProviderFile, 'surprises' | 'sources'>;

/** The surprises of all providers with the check that decides and its sources, as a table in Markdown. */
export function surprisesTable(files: readonly (readonly [title: string, file: File])[]): string {
	const rows = files.flatMap(([title, { surprises, sources }]) =>
		surprises.map(({ title: surprise, fact, check }) => {
			const shown = sources.filter(({ facts }) =>
				facts.some((one) => one === fact || fact.startsWith(`${one}.`) || one.startsWith(`${fact}.`))
			);
			const links = shown.map((source) => `[${source.title}](${source.url}), ${source.kind} ${source.read}`);
			return `| ${title} | ${surprise} | \`${check}\` | ${links.join('; ')} |`;
		})
	);
	return ['| Provider | Surprise | Check | Source |', '| --- | --- | --- | --- |', ...rows].join('\n');
}

type DocumentedLab = ListedLab & { readonly lab: LabContent };

const placeOf = ({ place }: LabContent['rejected']) =>
	place === 'authorization server' ? 'the service' : `the ${place}`;

/**
 * The attacks of the labs as Markdown: a table, and a heading for each, with what is wrong, the defense, and what to look for in a client.
 * @param labs in their order
 * @param rules of the exam
 */
export function attacksText(labs: readonly DocumentedLab[], rules: readonly Rule[]): string {
	const rows = labs.map(({ title, lab: { happened, evidence, defense, rejected } }) => [
		`[${title}](#${anchorOf(title)})`,
		happened.why[0],
		evidence,
		defense.title,
		`${rejected.title} (${placeOf(rejected)})`,
		linked(rejected.section)
	]);
	const heads = ['Lab', 'What is wrong', 'Evidence', 'Defense', 'Rejected by', 'Section'];
	const table = [heads, heads.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
	return ['## All attacks', table.join('\n'), ...labs.map((one) => attackText(one, rules))].join('\n\n');
}

function attackText({ id, title, goal, lab }: DocumentedLab, rules: readonly Rule[]): string {
	const { code, defense, rejected, ownClient, remains } = lab;
	const found = remains.flatMap(({ rule }) => rules.find((one) => one.id === rule) ?? []);
	return [
		`## ${title}`,
		`${goal}. ${linked(rejected.section)} · rejected by ${placeOf(rejected)}: ${rejected.title} · [Open the lab](/labs/${id}).`,
		codeBlock(`Wrong: ${code.file}`, code.wrong),
		codeBlock(`Right: ${code.file}`, code.right),
		`${defense.text} Other places for this defense: ${defense.others.join('; ')}.`,
		`**In your own client:**`,
		ownClient.map((text) => `- ${text}`).join('\n'),
		found.length === 0
			? 'No rule of the exam finds it: the traffic of one client does not show it.'
			: `**Rule of the exam:** ${found.map((rule) => `[${rule.title}](exam.md#${anchorOf(rule.title)})`).join(', ')}.`
	].join('\n\n');
}

/** The id of the heading of a rule. */
function anchorOf(title: string): string {
	return title
		.toLowerCase()
		.replace(/[^a-z0-9_]+/g, '-')
		.replace(/^-|-$/g, '');
}

/**
 * The rules of the exam as Markdown: a heading for each area, and one for each rule.
 * @param areaTitles the headings of areas
 * @param explanationOf an explanation, by the id of a rule
 * @throws {Error} where a rule has no explanation
 */
export function rulesText(
	rules: readonly Rule[],
	areaTitles: Readonly<Record<Area, string>>,
	explanationOf: (rule: string) => RuleExplanation | undefined
): string {
	let area: Area | undefined;
	const parts = rules.flatMap((rule) => {
		const explanation = explanationOf(rule.id);
		if (explanation === undefined) throw new Error(`The rule ${rule.id} has no explanation.`);
		const heading = rule.area === area ? [] : [`## ${areaTitles[rule.area]}`];
		area = rule.area;
		return [...heading, ruleText(rule, explanation)];
	});
	return parts.join('\n\n');
}

/** What differs in the dialect of today's standards, as a Markdown table: a row for each rule with another fix, or that is left out. */
export function standardRulesTable(rules: readonly Rule[]): string {
	const rows = rules.flatMap(({ title, sections, standard = {} }) => {
		if (standard.leftOut !== undefined) return `| ${title} | Left out. ${standard.leftOut} | |`;
		const where = (standard.sections ?? sections).map(linked).join(', ');
		return standard.fix === undefined ? [] : `| ${title} | ${standard.fix} | ${where} |`;
	});
	return ['| Rule | With today’s standards | Section |', '| --- | --- | --- |', ...rows].join('\n');
}

function ruleText({ id, title, severity, needs, sections, fix }: Rule, explanation: RuleExplanation): string {
	const { condition, why, wrong, right, parallel } = explanation;
	const facts = [
		`\`${id}\``,
		severity === undefined ? 'Advice only' : `Severity ${severity}`,
		...sections.map(linked),
		`Needs: ${needs}`
	];
	return [
		`### ${title}`,
		`${facts.join(' · ')}.`,
		`**${severity === undefined ? 'Advice' : 'Failed'}:** ${condition} ${why}`,
		`**Fix:** ${fix}`,
		codeBlock('Wrong', wrong),
		codeBlock('Right', right),
		...(parallel === undefined ? [] : [codeBlock('Right, with parallel requests', parallel)])
	].join('\n\n');
}

/** A section of the specification is a link already. */
function linked(section: string): string {
	const link = section.startsWith('RFC') ? sectionLink(section, '') : undefined;
	return link === undefined ? section : `[${section}](${link.href})`;
}

/** A block of code as Markdown. */
const codeBlock = (title: string, code: string) => `\`\`\`ts ${title}\n${code}\n\`\`\``;
