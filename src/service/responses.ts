import type { WireResponse } from '#wire/message.ts';
import type { Call } from './context.ts';
import { asciiUrl } from './encoding.ts';
import { ProtocolError } from './errors.ts';
import { bodyLimit } from './service.ts';
import { elements, writable, type Data } from './xml.ts';

const json = 'application/json; charset=utf-8';
const xml = 'application/xml; charset=utf-8';

/** An answer to a program, in JSON or XML as it asked. */
export function answerData(
	call: Call,
	status: number,
	root: string,
	data: Data,
	headers: readonly string[] = []
): WireResponse {
	const isXml = call.format === 'xml';
	return answerText(call, status, isXml ? xml : json, isXml ? elements(root, data) : jsonText(data), headers);
}

/** An answer in JSON only (control API, page data). */
export function answerJson(call: Call, status: number, data: unknown, headers: readonly string[] = []): WireResponse {
	return answerText(call, status, json, jsonText(data), headers);
}

/** An answer of any type; nothing that leaves the service may be stored by a cache. */
export function answerText(
	call: Call,
	status: number,
	type: string,
	body: string,
	headers: readonly string[] = []
): WireResponse {
	return {
		kind: 'response',
		status,
		headers: ['Content-Type', type, ...uncached, ...headers, ...call.headers],
		body
	};
}

/** A refusal for a program (RFC 6749, section 5.2), in JSON or XML as it asked: `<OAuth><error>…`. */
export function answerError(call: Call, error: ProtocolError): WireResponse {
	const data = { error: error.code, error_description: error.message };
	return answerData(call, error.status, 'OAuth', data, error.headers);
}

/** Sends a browser on. 303, so that a form's password is never posted again (RFC 9700, section 4.12). */
export function redirect(call: Call, location: string): WireResponse {
	return {
		kind: 'response',
		status: 303,
		headers: ['Location', asciiUrl(location), ...uncached, ...call.headers],
		body: ''
	};
}

/** Refuses every method but these, and a body longer than the path takes (RFC 9110, sections 15.5.6 and 15.5.14). */
export function requireMethod(call: Call, ...methods: readonly string[]): void {
	const { method, oversized, target } = call.request;
	if (methods.includes(method)) {
		if (oversized) throw tooLong(target);
		return call.saw(method);
	}
	throw new ProtocolError('method_not_allowed', `Use ${methods.join(' or ')} here, not ${shortMethod(call)}.`, {
		headers: ['Allow', methods.join(', ')]
	});
}

function tooLong(target: string): ProtocolError {
	return new ProtocolError('payload_too_large', `A body may have ${bodyLimit(target) / 1024} KiB at the most here.`);
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

function shortMethod(call: Call): string {
	return call.request.method.slice(0, 20);
}

function jsonText(data: unknown): string {
	const text = JSON.stringify(data);
	if (!/\\(?:[bf]|u00[01]|ud[89a-f])|[\ufffe\uffff]/.test(text)) return text;
	return JSON.stringify(data, (_, value: unknown) => (typeof value === 'string' ? writable(value) : value));
}
