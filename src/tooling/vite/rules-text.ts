import type { Area, Rule } from '#evidence/rule.ts';
import type { RuleExplanation } from '#evidence/rule-record.ts';
import { sectionLink } from '#ui/display/section-link.ts';

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
export function linked(section: string): string {
	const link = section.startsWith('RFC') ? sectionLink(section, '') : undefined;
	return link === undefined ? section : `[${section}](${link.href})`;
}

/** A block of code as Markdown. */
export const codeBlock = (title: string, code: string) => `\`\`\`ts ${title}\n${code}\n\`\`\``;
