import type { TrafficValue } from '#api/control/traffic.ts';
import { valueMarker } from '#api/value-marker.ts';
import type { SecretVariables } from '../secret-variables.ts';
import { isMarker } from '../values.ts';

/** What the log shows in place of a password or key, which has no label. */
const hidden = '••••';

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

/** The variable of a labelled value: `accessToken7` for `access token 7`. */
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
	/** Of the traffic entry. */
	readonly values: readonly TrafficValue[];
	/** Of the test. */
	readonly variables: SecretVariables;
	/** The field of a hidden value that has no name before it: a header. */
	readonly field?: string;
	/** Other texts that become expressions: a code_challenge. */
	readonly replacements?: ReadonlyMap<string, string>;
};

/** A recorded text as a JavaScript expression: the base URL, and labelled values as variables. */
export function expressionOf(text: string, options: ExpressionOptions): string {
	const { baseUrl, isEncoded, values, variables, field = '', replacements = [] } = options;
	const known = new Map([
		...replacements,
		[baseUrl, 'base'],
		[encodeURIComponent(baseUrl), 'encodeURIComponent(base)']
	]);
	const pattern = new RegExp([...known.keys()].map(escapePattern).concat(valueMarker.source, hidden).join('|'), 'g');
	const parts: string[] = [];
	let end = 0;
	for (const match of text.matchAll(pattern)) {
		if (match.index > end) parts.push(literal(text.slice(end, match.index)));
		end = match.index + match[0].length;
		const [, label, preview = ''] = match;
		// A client sent text that looks like a marker.
		if (label !== undefined && !isMarker(values, label, preview)) {
			parts.push(literal(match[0]));
			continue;
		}
		const value =
			match[0] === hidden
				? `environment(${literal(variables.ofField(fieldBefore(text.slice(0, match.index)) ?? field))})`
				: variableOf(label ?? '');
		parts.push(known.get(match[0]) ?? (isEncoded ? `encodeURIComponent(${value})` : value));
	}
	if (end < text.length || parts.length === 0) parts.push(literal(text.slice(end)));
	return parts.join(' + ');
}

/** The name of the field that ends a text: `client_secret=`, or `"password":"`. */
function fieldBefore(text: string): string | undefined {
	return /([\w-]+)"?[=:] ?"?$/.exec(text)?.[1];
}

/** What changes with every run: secrets, the base URL, times, and how many requests are left. */
const changing =
	/\d{9,}|[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} [\d:]+ (?:GMT|UTC|\+0000)|(?<=remaining"?[:=>]"?)\d+|••••/;

/** The parts of a recorded response that are the same in every run, in order. */
export function constantParts(text: string, baseUrl: string): string[] {
	const pattern = [changing.source, valueMarker.source.replaceAll(/\((?!\?)/g, '(?:'), escapePattern(baseUrl)];
	const parts = text.split(new RegExp([...pattern, escapePattern(encodeURIComponent(baseUrl))].join('|')));
	return parts.filter((part) => part !== '');
}

function escapePattern(text: string): string {
	return text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&');
}
