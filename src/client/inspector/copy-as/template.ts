import type { TrafficValue } from '#wire/control/traffic.ts';
import { splitMarkers } from '../split-markers.ts';

/** A text in which secrets are variables. */
export type Template = readonly ({ readonly text: string } | { readonly variable: string })[];

/** What the log contains in place of a password, a key or a cookie. */
const hidden = '••••';

/**
 * Splits a redacted text into literal parts and variables: `‹access token 7 GQVJab…›` is `ACCESS_TOKEN_7`.
 * @param name of the field, for a value that has no label
 * @param values of the traffic entry
 */
export function toTemplate(text: string, name: string, values: readonly TrafficValue[]): Template {
	return splitMarkers(text, values).flatMap(({ text, label }) =>
		label === undefined ? splitHidden(text, name) : [{ variable: variableName(label) }]
	);
}

/** The names of the variables, each once. */
export function variablesOf(templates: Iterable<Template>): string[] {
	const parts = [...templates].flat();
	return [...new Set(parts.flatMap((part) => ('variable' in part ? [part.variable] : [])))];
}

/** `access token 7` is `ACCESS_TOKEN_7`. */
export function variableName(label: string): string {
	const name = label.toUpperCase().replace(/[^A-Z0-9]+/g, '_');
	return /^[A-Z_]/.test(name) ? name : `VALUE_${name}`;
}

function splitHidden(text: string, name: string): Template {
	return text
		.split(hidden)
		.flatMap((part, index) => [
			...(index === 0 ? [] : [{ variable: variableName(name) }]),
			...(part === '' ? [] : [{ text: part }])
		]);
}
