import type { LabContent } from '#course/labs/engine/lab-file.ts';
import type { ListedLab } from '#course/labs/labs.ts';
import type { Rule } from '#evidence/rule.ts';
import { codeBlock, linked } from './rules-text.ts';

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
