import type { TrafficEntry } from '#api/control/traffic.ts';
import { isFrontChannel } from '../flow-groups.ts';
import { bodyFormat, readParameters } from '../message/http-message.ts';
import { bodyOf, headersOf, joinTexts, targetOf, type MessageText } from '#evidence/message-text.ts';
import { SecretVariables, toTemplate, type Template } from './template.ts';

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
