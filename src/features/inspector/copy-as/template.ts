import type { TrafficValue } from '#api/control/traffic.ts';
import type { SecretVariables } from '../secret-variables.ts';
import { splitMarkers } from '../values.ts';

/** A text in which secrets are variables. */
export type Template = readonly ({ readonly text: string } | { readonly variable: string })[];

/** What the log contains in place of a password, a key or a cookie. */
const hidden = '••••';

/**
 * Splits a redacted text into literal parts and variables: `‹access token 7 GQVJab…›` is `ACCESS_TOKEN_7`.
 * @param field name of the field, for a value that has no label
 * @param values of the traffic entry
 * @param variables of the program
 */
export function toTemplate(
	text: string,
	field: string,
	values: readonly TrafficValue[],
	variables: SecretVariables
): Template {
	return splitMarkers(text, values).flatMap(({ text, label }) =>
		label === undefined ? splitHidden(text, field, variables) : [{ variable: variables.ofLabel(label) }]
	);
}

/** The names of the variables, each once. */
export function variablesOf(templates: Iterable<Template>): string[] {
	const parts = [...templates].flat();
	return [...new Set(parts.flatMap((part) => ('variable' in part ? [part.variable] : [])))];
}

function splitHidden(text: string, field: string, variables: SecretVariables): Template {
	return text
		.split(hidden)
		.flatMap((part, index) => [
			...(index === 0 ? [] : [{ variable: variables.ofField(field) }]),
			...(part === '' ? [] : [{ text: part }])
		]);
}
