import { hidden } from '#api/redact.ts';
import { bodyOf, headersOf, joinTexts, type MessageText, partsOf, targetOf } from '#evidence/message-text.ts';
import type { TrafficEntry } from '#api/control/traffic.ts';
import { isFrontChannel } from '../flow-groups.ts';
import { bodyFormat, readParameters } from '../message/http-message.ts';

/** A text in which secrets are variables. */
export type Template = readonly ({ readonly text: string } | { readonly variable: string })[];

/**
 * Splits a text into literal parts and variables: the value `access token 7` is `ACCESS_TOKEN_7`.
 * @param field name of the field, for a value that has no label
 * @param variables of the program
 */
function toTemplate(text: MessageText, field: string, variables: SecretVariables): Template {
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
class SecretVariables {
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

/** A request as programs write it: without what every HTTP client adds. */
export type RequestParts = {
	readonly method: string;
	readonly url: Template;
	readonly headers: readonly (readonly [name: string, value: Template])[];
	/** The fields of a form; undefined for any other body. */
	readonly form: readonly (readonly [name: string, value: Template])[] | undefined;
	/** The body as text, where it is no form. Empty without a body. */
	readonly body: Template;
};

const added =
	/^(?:accept-encoding|accept-language|cache-control|connection|content-length|dnt|host|origin|pragma|priority|referer|sec-.*|te|upgrade-insecure-requests|user-agent|x-forwarded-.*)$/i;

/** The name of a header (RFC 9110 §5.1). A file can contain others, and curl reads `-H @name` as the name of a file. */
const fieldName = /^[\w!#$%&'*+.^`|~-]+$/;

/**
 * The parts of a logged request.
 * @param origin of the service: `https://localhost:8443`
 */
export function requestParts(entry: TrafficEntry, origin: string): RequestParts {
	const { method, headers } = entry.request;
	const body = bodyOf(entry, 'request');
	// A form that would be written in another way is kept as text.
	const isForm = bodyFormat(headers) === 'form' && body.text !== '' && !/%(?![0-9a-f]{2})/i.test(body.text);
	// A browser also sends its cookies to endpoints that have none.
	const implied = [...(isForm ? ['content-type'] : []), ...(isFrontChannel(entry) ? [] : ['cookie'])];
	const kept = headersOf(entry, 'request').filter(
		([name]) => fieldName.test(name) && !added.test(name) && !implied.includes(name.toLowerCase())
	);
	const variables = new SecretVariables();
	const template = (text: MessageText, field = ''): Template => toTemplate(text, field, variables);
	return {
		method,
		url: template(joinTexts(origin, targetOf(entry))),
		headers: kept.map(([name, value]) => [name, template(value, name)]),
		form: isForm ? readParameters(body).map(([name, value]) => [name, template(value, name)]) : undefined,
		body: isForm ? [] : template(body)
	};
}
