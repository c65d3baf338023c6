import { hidden } from '#api/redact.ts';
import { partsOf, type MessageText } from '#evidence/message-text.ts';

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

/** The environment variables of the fields whose values have no label. */
const fieldVariables: ReadonlyMap<string, string> = new Map([
	['authorization', 'AUTHORIZATION'],
	['client_secret', 'CLIENT_SECRET'],
	['cookie', 'COOKIE'],
	['password', 'PASSWORD']
]);

/**
 * Names the environment variables of one generated program. The names come from fixed lists: the service hides the values of all
 * fields whose name ends in `key` or `secret`, so a request could otherwise name any variable of the user who runs the program.
 */
export class SecretVariables {
	#unnamed = 0;

	/** @param label of a value: `access token 7` is `ACCESS_TOKEN_7` */
	ofLabel(label: string): string {
		return label.toUpperCase().replaceAll(' ', '_');
	}

	/** @param name of the field of a hidden value, as it was sent. `TOLLGATE_VALUE_1` if it is not a known field */
	ofField(name: string): string {
		return fieldVariables.get(name.toLowerCase()) ?? `TOLLGATE_VALUE_${++this.#unnamed}`;
	}
}
