import { hidden } from '#api/redact.ts';
import { partsOf, type MessageText } from '../message/message-text.ts';
import type { SecretVariables } from '../secret-variables.ts';

/** A text as a JavaScript string literal. No recorded text can end it. */
export function literal(text: string): string {
	return JSON.stringify(text).replace(/[\u2028\u2029]/g, (character) =>
		character === '\u2028' ? '\\u2028' : '\\u2029'
	);
}

/** A text for a comment: one line, no control characters. */
export function commentText(text: string): string {
	return text.replace(/[^\x20-\x7e‹›…·]/g, '?').slice(0, 100);
}

/** The variable of a labeled value: `accessToken7` for `access token 7`. */
export function variableOf(label: string): string {
	const [first = '', ...rest] = label.toLowerCase().split(' ');
	return first + rest.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join('');
}

/** How a recorded text becomes an expression. */
export type ExpressionOptions = {
	/** Of the sandbox of the recording. */
	readonly baseUrl: string;
	/** Whether values must be percent-encoded: in a target or a form. */
	readonly isEncoded: boolean;
	/** Of the test. */
	readonly variables: SecretVariables;
	/** The field of a hidden value that has no name before it: a header. */
	readonly field?: string;
	/** Other texts that become expressions: a code_challenge. */
	readonly replacements?: ReadonlyMap<string, string>;
};

/** A recorded text as a JavaScript expression: the base URL, and labeled values as variables. */
export function expressionOf(text: MessageText, options: ExpressionOptions): string {
	const { baseUrl, isEncoded, variables, field = '', replacements = [] } = options;
	const known = new Map([
		...replacements,
		[baseUrl, 'base'],
		[encodeURIComponent(baseUrl), 'encodeURIComponent(base)']
	]);
	const pattern = new RegExp([...known.keys()].map(escapePattern).concat(hidden).join('|'), 'g');
	const encoded = (value: string) => (isEncoded ? `encodeURIComponent(${value})` : value);
	const expressions: string[] = [];
	let before = '';
	for (const part of partsOf(text)) {
		if (part.value !== undefined) expressions.push(encoded(variableOf(part.value.label)));
		else {
			let end = 0;
			for (const { 0: found, index } of part.text.matchAll(pattern)) {
				if (index > end) expressions.push(literal(part.text.slice(end, index)));
				end = index + found.length;
				const name = fieldBefore(before + part.text.slice(0, index)) ?? field;
				expressions.push(known.get(found) ?? encoded(`environment(${literal(variables.ofField(name))})`));
			}
			if (end < part.text.length) expressions.push(literal(part.text.slice(end)));
		}
		before += part.text;
	}
	return expressions.length === 0 ? literal('') : expressions.join(' + ');
}

/** The name of the field that ends a text: `client_secret=`, or `"password":"`. */
function fieldBefore(text: string): string | undefined {
	return /([\w-]+)"?[=:] ?"?$/.exec(text)?.[1];
}

/** What changes with every run: secrets, the base URL, times, and how many requests are left. */
const changing =
	/\d{9,}|[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} [\d:]+ (?:GMT|UTC|\+0000)|(?<=remaining"?[:=>]"?)\d+|••••/;

/** The parts of a recorded response that are the same in every run, in order. */
export function constantParts(text: MessageText, baseUrl: string): string[] {
	const pattern = [changing.source, escapePattern(baseUrl), escapePattern(encodeURIComponent(baseUrl))].join('|');
	return partsOf(text)
		.flatMap((part) => (part.value === undefined ? part.text.split(new RegExp(pattern)) : []))
		.filter((part) => part !== '');
}

function escapePattern(text: string): string {
	return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}
