import { hidden } from '#api/redact.ts';
import { partsOf, type MessageText } from '../message/message-text.ts';
import type { SecretVariables } from '../secret-variables.ts';

/** A text in which secrets are variables. */
export type Template = readonly ({ readonly text: string } | { readonly variable: string })[];

/**
 * Splits a text into literal parts and variables: the value `access token 7` is `ACCESS_TOKEN_7`.
 * @param field name of the field, for a value that has no label
 * @param variables of the program
 */
export function toTemplate(text: MessageText, field: string, variables: SecretVariables): Template {
	return partsOf(text).flatMap(({ text, value }) =>
		value === undefined ? splitHidden(text, field, variables) : [{ variable: variables.ofLabel(value.label) }]
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
