import type { TrafficValue } from '#wire/control/traffic.ts';
import { valueMarker } from '#wire/value-marker.ts';

/** What the log shows in place of a password or key, which has no label. */
const hidden = '••••';

/** A text as a JavaScript string literal. No recorded text can end it. */
export function literal(text: string): string {
	return JSON.stringify(text).replace(/[\u2028\u2029]/g, (character) =>
		character === '\u2028' ? '\\u2028' : '\\u2029'
	);
}

/** The environment variables of the values without a label in a form or query: `PASSWORD`. */
export function hiddenNames(text: string): string[] {
	return [...text.matchAll(new RegExp(hidden, 'g'))].map(({ index }) => hiddenName(text.slice(0, index)));
}

/** A hidden value has the name of its field: `client_secret=••••` is `CLIENT_SECRET`. */
function hiddenName(before: string): string {
	const [, field = 'password'] = /(?:^|[&?])([a-z_]+)=$/.exec(before) ?? [];
	return environmentOf(field);
}

/** A text for a comment: one line, no control characters. */
export function commentText(text: string): string {
	return text.replace(/[^\x20-\x7e‹›…·]/g, '?').slice(0, 100);
}

/** The variable of a labelled value: `accessToken7` for `access token 7`. */
export function variableOf(label: string): string {
	const [first = '', ...rest] = label
		.toLowerCase()
		.replace(/[^a-z0-9 ]/g, '')
		.split(' ');
	return first + rest.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join('');
}

/** The environment variable of a labelled value: `CLIENT_SECRET_1`. */
export function environmentOf(label: string): string {
	return label.toUpperCase().replace(/[^A-Z0-9]+/g, '_');
}

/**
 * A recorded text as a JavaScript expression: the base URL, and labelled values as variables.
 * @param baseUrl of the sandbox of the recording
 * @param isEncoded whether values must be percent-encoded: in a target or a form
 * @param values of the traffic entry
 * @param replacements other texts that become expressions: a code_challenge
 */
export function expressionOf(
	text: string,
	baseUrl: string,
	isEncoded: boolean,
	values: readonly TrafficValue[],
	replacements: ReadonlyMap<string, string> = new Map()
): string {
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
		const label = match[1];
		// A client sent text that looks like a marker.
		if (label !== undefined && !values.some((value) => value.label === label)) {
			parts.push(literal(match[0]));
			continue;
		}
		const value =
			match[0] === hidden ? `environment(${literal(hiddenName(text.slice(0, match.index)))})` : variableOf(label ?? '');
		parts.push(known.get(match[0]) ?? (isEncoded ? `encodeURIComponent(${value})` : value));
	}
	if (end < text.length || parts.length === 0) parts.push(literal(text.slice(end)));
	return parts.join(' + ');
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
