import type { Lab, LabSummary } from '#labs/lab.ts';
import type { Rule } from '#evidence/rule.ts';
import { codeBlock, linked } from './rules-text.ts';

type DocumentedLab = LabSummary & { readonly id: string; readonly lab: Lab };

/**
 * The attacks of the labs as Markdown: a heading for each, with what is wrong, the defense, and what to look for in a client.
 * @param labs in their order
 * @param rules of the exam
 */
export function attacksText(labs: readonly DocumentedLab[], rules: readonly Rule[]): string {
	return labs.map((one) => attackText(one, rules)).join('\n\n');
}

function attackText({ id, title, goal, lab }: DocumentedLab, rules: readonly Rule[]): string {
	const { wrong, defense, rejected, ownClient, remains } = lab;
	const found = remains.flatMap(({ rule }) => rules.find((one) => one.id === rule) ?? []);
	const places = { client: 'the client', resource: 'the resource', user: 'the user' };
	const place = rejected.place === 'authorization server' ? 'the authorization server' : places[rejected.place];
	return [
		`## ${title}`,
		`${goal}. ${linked(rejected.section)} · rejected by ${place}: ${rejected.title} · [Open the lab](/labs/${id}).`,
		codeBlock(`Wrong: ${wrong.file}`, wrong.code),
		codeBlock(`Right: ${defense.file}`, defense.lines.map(({ after }) => after).join('\n')),
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
