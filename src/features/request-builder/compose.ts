import type { RequestParts, Template } from '../inspector/copy-as/template.ts';
import { isSecret, isSigned, type RequestDraft, type Parameter } from './draft.ts';

type Fill = (parameter: Parameter) => Template;

/** The values that are sent. */
const plain: Fill = ({ value }) => [{ text: value }];

/** Secrets as shell variables. Their names are on a fixed list. The scheme of an Authorization header stays. */
const variables: Fill = ({ name, value }) => {
	if (isSigned(name, value)) return [{ variable: name === 'DPoP' ? 'DPOP_PROOF' : 'CLIENT_ASSERTION' }];
	if (!isSecret(name)) return [{ text: value }];
	if (name.toLowerCase() !== 'authorization') return [{ variable: name.toUpperCase() }];
	const [, scheme = ''] = /^(\S* )/.exec(value) ?? [];
	return [{ text: scheme }, { variable: /^basic/i.test(scheme) ? 'CREDENTIALS' : 'ACCESS_TOKEN' }];
};

/** The parts of a request as code writes them, with secrets as variables. */
export function codeParts(draft: RequestDraft, baseUrl: string): RequestParts {
	return partsOf(draft, baseUrl, variables);
}

/** The URL of a request, with all values. */
export function urlOf(draft: RequestDraft, baseUrl: string): string {
	return textOf(partsOf(draft, baseUrl, plain).url);
}

/** A request for `fetch`. */
export function requestOf(draft: RequestDraft, baseUrl: string): { url: string; init: RequestInit } {
	const { method, url, headers, form, body } = partsOf(draft, baseUrl, plain);
	const fields = headers.map(([name, value]): [string, string] => [name, textOf(value)]);
	const content = form === undefined ? textOf(body) : formBody(form);
	if (form !== undefined) fields.push(['Content-Type', formType]);
	const hasBody = method === 'POST';
	return { url: textOf(url), init: { method, headers: fields, ...(hasBody ? { body: content } : {}) } };
}

/** The bytes of a request as text, with secrets hidden. */
export function rawRequest(draft: RequestDraft, baseUrl: string): string {
	const { method, url, headers, form, body } = partsOf(draft, baseUrl, variables);
	const { host, origin } = new URL(baseUrl);
	const lines = [
		`${method} ${textOf(url).slice(origin.length)} HTTP/1.1`,
		`Host: ${host}`,
		...headers.map(([name, value]) => `${name}: ${textOf(value)}`),
		...(form === undefined ? [] : [`Content-Type: ${formType}`])
	];
	const content = form === undefined ? textOf(body) : formBody(form).replaceAll('&', '\n&');
	return content === '' ? lines.join('\n') : `${lines.join('\n')}\n\n${content}`;
}

const formType = 'application/x-www-form-urlencoded';

function partsOf({ method, path, bodyType, parameters }: RequestDraft, baseUrl: string, fill: Fill): RequestParts {
	const sent = parameters.filter(({ isOn }) => isOn);
	const of = (place: Parameter['in']) => sent.filter((one) => one.in === place);
	const named = (list: Parameter[]) => list.map((one) => [one.name, fill(one)] as const);
	const fields = of('form');
	const isJson = bodyType === 'json' && fields.length > 0;
	const headers = named(of('header'));
	return {
		method,
		url: [{ text: baseUrl + fillPath(path, of('path')) }, ...queryOf(of('query'), fill)],
		headers: isJson ? [...headers, ['Content-Type', [{ text: 'application/json' }]]] : headers,
		form: isJson || method === 'GET' ? undefined : named(fields),
		body: isJson ? jsonBody(fields, fill) : []
	};
}

function fillPath(path: string, parameters: readonly Parameter[]): string {
	return path.replace(/\{(\w+)\}/g, (_, name: string) => {
		const value = parameters.find((one) => one.name === name)?.value ?? '';
		return encodeURIComponent(value);
	});
}

function queryOf(parameters: readonly Parameter[], fill: Fill): Template {
	return parameters.flatMap((one, index) => [
		{ text: `${index === 0 ? '?' : '&'}${encodeURIComponent(one.name)}=` },
		...encode(fill(one))
	]);
}

/** What is no text in a JSON body. */
const typed = /^(?:-?(?:0|[1-9]\d*)(?:\.\d+)?|true|false)$/;

function jsonBody(fields: readonly Parameter[], fill: Fill): Template {
	const members = fields.flatMap((one, index) => {
		const name = { text: `${index === 0 ? '' : ','}\n  ${JSON.stringify(one.name)}: ` };
		if (one.isTyped === true && typed.test(one.value)) return [name, { text: one.value }];
		const value = fill(one).map((part) => ('text' in part ? { text: JSON.stringify(part.text).slice(1, -1) } : part));
		return [name, { text: '"' }, ...value, { text: '"' }];
	});
	return [{ text: '{' }, ...members, { text: '\n}' }];
}

function formBody(form: NonNullable<RequestParts['form']>): string {
	return form.map(([name, value]) => `${encodeURIComponent(name)}=${textOf(encode(value))}`).join('&');
}

function encode(template: Template): Template {
	return template.map((part) => ('text' in part ? { text: encodeURIComponent(part.text) } : part));
}

function textOf(template: Template): string {
	return template.map((part) => ('text' in part ? part.text : `$${part.variable}`)).join('');
}
