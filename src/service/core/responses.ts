import type { WireResponse, WireStream } from '#api/message.ts';
import type { ErrorBody } from '#api/protocol/token.ts';
import type { Context } from './context.ts';
import { asciiUrl } from './encoding.ts';
import { ProtocolError } from './errors.ts';
import { readTarget, rootSandbox } from './target.ts';
import { bodyLimitOf, findRoute } from './routes.ts';

const json = 'application/json; charset=utf-8';
const xml = 'application/xml; charset=utf-8';

/** A response to a program, in JSON or XML by its `Accept` header. */
export function respondData(
	context: Context,
	status: number,
	root: string,
	data: Data,
	headers: readonly string[] = []
): WireResponse {
	const isXml = context.format === 'xml';
	return respondText(context, status, isXml ? xml : json, isXml ? xmlFromData(root, data) : jsonText(data), headers);
}

/** A response in JSON (control API, data of pages). */
export function respondJson(
	context: Context,
	status: number,
	data: unknown,
	headers: readonly string[] = []
): WireResponse {
	return respondText(context, status, json, jsonText(data), headers);
}

/** A response of any type. No cache may store a response of the service. */
export function respondText(
	context: Context,
	status: number,
	type: string,
	body: string,
	headers: readonly string[] = []
): WireResponse {
	return {
		kind: 'response',
		status,
		headers: ['Content-Type', type, ...uncached, ...headers, ...context.headers],
		body
	};
}

/** A stream of server-sent events. */
export function respondEvents(body: AsyncIterable<string>): WireStream {
	const headers = ['Content-Type', 'text/event-stream; charset=utf-8', ...uncached];
	return { kind: 'stream', status: 200, headers, body };
}

/**
 * An error response (RFC 6749, section 5.2) in the negotiated format: JSON or XML, `<OAuth><error>…`. One with a problem type is a
 * problem document in JSON (RFC 9457), with the same members.
 */
export function respondError(context: Context, error: ProtocolError): WireResponse {
	const data: ErrorBody = { error: error.code, error_description: error.message, field: error.field };
	if (error.problem !== undefined && context.format === 'json') {
		const body = jsonText({ ...error.problem, status: error.status, detail: error.message, ...data });
		return respondText(context, error.status, 'application/problem+json', body, error.headers);
	}
	return respondData(context, error.status, 'OAuth', data, error.headers);
}

/** Sends a browser on. 303, so that a form's password is never posted again (RFC 9700, section 4.12). */
export function redirect(context: Context, location: string, status: 303 | 307 = 303): WireResponse {
	return {
		kind: 'response',
		status,
		headers: ['Location', asciiUrl(location), ...uncached, ...context.headers],
		body: ''
	};
}

/** Rejects every method but these, and a body longer than the path takes (RFC 9110, sections 15.5.6 and 15.5.14). */
export function requireMethod(context: Context, ...methods: readonly string[]): void {
	const { request } = context;
	if (methods.includes(request.method)) {
		if (request.bodyTooLarge) throw bodyTooLarge(context);
		return context.compare(request.method, [listOf(methods)]);
	}
	throw new ProtocolError('method_not_allowed', `Method not allowed: use ${listOf(methods)}.`, {
		headers: ['Allow', methods.join(', ')],
		received: [request.method],
		expected: [listOf(methods)]
	});
}

/** Accepts GET, and HEAD in the dialect of today's standards (RFC 9110, section 9.1). */
export function requireRead(context: Context, ...others: readonly string[]): void {
	requireMethod(context, 'GET', ...(context.dialect.metadata ? ['HEAD'] : []), ...others);
}

/** The error for a body over the limit of its path. */
export function bodyTooLarge({ received: { method, target }, sandbox }: Context): ProtocolError {
	// The host has read the body by the path that was sent, which may be that of a provider.
	const sent = findRoute(readTarget(target).path, method);
	const limit = bodyLimitOf(sent, sandbox.id === rootSandbox);
	return new ProtocolError('payload_too_large', `The body is too long. The limit here is ${limit / 1024} KiB.`, {
		cause: 'body_too_large',
		expected: [`at most ${limit / 1024} KiB`]
	});
}

/** `GET`, `GET or POST`, `GET, HEAD or POST`. */
function listOf(methods: readonly string[]): string {
	return methods.join(', ').replace(/, (?=[^,]*$)/, ' or ');
}

const uncached = [
	'Cache-Control',
	'no-store',
	'Pragma',
	'no-cache',
	'X-Content-Type-Options',
	'nosniff',
	'Vary',
	'Accept, Origin'
];

function jsonText(data: unknown): string {
	const text = JSON.stringify(data);
	if (!/\\(?:[bf]|u00[01]|ud[89a-f])|[\ufffe\uffff]/.test(text)) return text;
	return JSON.stringify(data, (_, value: unknown) => (typeof value === 'string' ? replaceInvalidXml(value) : value));
}

/** A value that both JSON and XML can carry. */
export type Data = string | number | boolean | null | readonly Data[] | { readonly [name: string]: Data | undefined };

const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n';
// eslint-disable-next-line no-control-regex -- XML 1.0, section 2.2: these can't be written, not even as references
const unwritable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udfff]/gu;
const references: Record<string, string> = {
	'&': '&amp;',
	'<': '&lt;',
	'>': '&gt;',
	'"': '&quot;',
	"'": '&apos;',
	'\t': '&#9;',
	'\n': '&#10;',
	'\r': '&#13;'
};

/** A text without the characters that XML can't carry: each is U+FFFD, in JSON as in XML, so that both say the same. */
export function replaceInvalidXml(text: string): string {
	return text.replace(unwritable, '\ufffd');
}

/**
 * A document whose fields are child elements; an array is an element with one `item` each.
 * @param root name of the root element
 */
export function xmlFromData(root: string, data: Data): string {
	return `${declaration}${element(root, data)}`;
}

/**
 * An element without content whose fields are attributes.
 * @param content already written child elements
 */
export function xmlElement(name: string, fields: { readonly [name: string]: string | number }, content = ''): string {
	const attributes = Object.entries(fields)
		.map(([key, value]) => ` ${key}="${escape(String(value))}"`)
		.join('');
	return content === '' ? `<${name}${attributes}/>` : `<${name}${attributes}>${content}</${name}>`;
}

/** A document of one already written root element. */
export function xmlDocument(root: string): string {
	return `${declaration}${root}`;
}

function element(name: string, data: Data): string {
	if (data === null) return `<${name}/>`;
	if (typeof data !== 'object') return `<${name}>${escape(String(data))}</${name}>`;
	if (isList(data)) return `<${name}>${data.map((item) => element('item', item)).join('')}</${name}>`;
	const children = Object.entries(data).map(([key, value]) => (value === undefined ? '' : element(key, value)));
	return `<${name}>${children.join('')}</${name}>`;
}

function isList(data: object): data is readonly Data[] {
	return Array.isArray(data);
}

function escape(text: string): string {
	return replaceInvalidXml(text).replace(/[&<>"'\t\n\r]/g, (character) => references[character] ?? character);
}
