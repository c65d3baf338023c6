import type { TrafficEntry } from '#api/control/traffic.ts';
import { toCurl } from './curl.ts';
import { requestParts, type RequestParts, type Template, variablesOf } from './template.ts';
import { dialectOfExchange } from '../exchange-dialect.ts';

/** A program that sends a logged request again. */
export type RequestCode = {
	readonly name: 'curl' | 'fetch' | 'oauth4webapi' | 'Python';
	readonly language: 'shell' | 'ts' | 'python';
	readonly code: string;
};

/**
 * A request in each language that can express it.
 * @param origin of the service
 */
export function requestCode(entry: TrafficEntry, origin: string): RequestCode[] {
	const parts = requestParts(entry, origin);
	const library = toOauth4webapi(entry, parts, origin);
	return [
		{ name: 'curl', language: 'shell', code: toCurl(parts) },
		{ name: 'fetch', language: 'ts', code: toFetch(parts) },
		...(library === undefined ? [] : [{ name: 'oauth4webapi', language: 'ts', code: library } as const]),
		{ name: 'Python', language: 'python', code: toPython(parts) }
	];
}

const own = ['client_id', 'client_secret', 'grant_type'];

/**
 * A token request as a call of oauth4webapi. In the dialect of today's standards, the library takes the endpoint from the metadata of
 * the issuer.
 * @returns undefined for any other request
 */
function toOauth4webapi(entry: TrafficEntry, { url, headers, form }: RequestParts, origin: string): string | undefined {
	const value = (name: string): Template | undefined => form?.find(([one]) => one === name)?.[1];
	const [sentId, client_secret, grantType] = own.map(value);
	const isBasic = headers.some(([name, [first]]) => name.toLowerCase() === 'authorization' && isBasicScheme(first));
	// The header contains it, too, but together with the secret.
	const client_id = sentId ?? (isBasic && entry.client_id !== undefined ? [{ text: entry.client_id }] : undefined);
	if (entry.endpoint !== 'token' || form === undefined || client_id === undefined || grantType === undefined) {
		return undefined;
	}
	const authentication = isBasic
		? `oauth.ClientSecretBasic(${scriptString([{ variable: 'CLIENT_SECRET' }])})`
		: client_secret === undefined
			? 'oauth.None()'
			: `oauth.ClientSecretPost(${scriptString(client_secret)})`;
	const { metadata, tokenType } = dialectOfExchange(entry);
	const path = entry.request.target.replace(/\/ws\/oauth2\/token\/.*$/s, '');
	const issuer = scriptString([{ text: origin + path }]);
	const server = metadata
		? `const issuer = new URL(${issuer});
const server = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, { algorithm: 'oauth2' }));`
		: `const server = { issuer: ${scriptString([{ text: origin }])}, token_endpoint: ${scriptString(url)} };`;
	const options = tokenType === 'OAuth' ? `, {\n  recognizedTokenTypes: { oauth: () => {} }\n}` : '';
	const parameters = form.filter(([name]) => !own.includes(name));
	return `import * as oauth from 'oauth4webapi';

${server}
const client = { client_id: ${scriptString(client_id)} };

const response = await oauth.genericTokenEndpointRequest(
  server,
  client,
  ${authentication},
  ${scriptString(grantType)},
  new URLSearchParams(${pairs(parameters, '  ')})
);
const tokens = await oauth.processGenericTokenEndpointResponse(server, client, response${options});
console.log(tokens);`;
}

function isBasicScheme(part: Template[number] | undefined): boolean {
	return part !== undefined && 'text' in part && /^basic /i.test(part.text);
}

/** A request as Python with requests. Secrets come from the environment. */
function toPython({ method, url, headers, form, body }: RequestParts): string {
	const values = [url, body, ...headers.map(([, value]) => value), ...(form ?? []).map(([, value]) => value)];
	const lines = [
		`    ${pythonString([{ text: method }])}, ${pythonString(url)},`,
		...(headers.length === 0
			? []
			: [
					`    headers={${headers.map(([name, value]) => `\n        ${pythonString([{ text: name }])}: ${pythonString(value)},`).join('')}\n    },`
				]),
		...(form === undefined
			? []
			: [
					`    data=[${form.map(([name, value]) => `\n        (${pythonString([{ text: name }])}, ${pythonString(value)}),`).join('')}\n    ],`
				]),
		...(body.length === 0 ? [] : [`    data=(${pythonString(body)}).encode(),`]),
		'    allow_redirects=False, timeout=10,'
	];
	const imports = variablesOf(values).length === 0 ? 'import requests' : 'import os\nimport requests';
	return `${imports}\n\nresponse = requests.request(\n${lines.join('\n')}\n)\nprint(response.status_code, response.text)`;
}

/** A Python expression for a string: literals and variables, joined. */
export function pythonString(template: Template): string {
	const parts = template.map((part) =>
		'variable' in part ? `os.environ['${part.variable}']` : `'${escape(part.text, "'")}'`
	);
	return parts.join(' + ') || "''";
}

type Pairs = readonly (readonly [name: string, value: Template])[];

/** A request as a call of fetch in Node. Secrets come from the environment. */
function toFetch({ method, url, headers, form, body }: RequestParts): string {
	const options = [
		...(method === 'GET' ? [] : [`  method: ${scriptString([{ text: method }])},`]),
		...(headers.length === 0 ? [] : [`  headers: ${pairs(headers, '  ')},`]),
		...(form === undefined ? [] : [`  body: new URLSearchParams(${pairs(form, '  ')}),`]),
		...(body.length === 0 ? [] : [`  body: ${scriptString(body)},`]),
		`  redirect: 'manual'`
	];
	return `const response = await fetch(${scriptString(url)}, {\n${options.join('\n')}\n});\nconsole.log(response.status, await response.text());`;
}

/** Pairs as an object, or as a list if an object cannot have them: a name occurs twice, or is `__proto__`. */
function pairs(list: Pairs, indent: string): string {
	const names = new Set(list.map(([name]) => name.toLowerCase()));
	const isObject = names.size === list.length && !names.has('__proto__');
	const lines = list.map(([name, value]) => {
		const quoted = scriptString([{ text: name }]);
		const key = /^[a-z_]\w*$/i.test(name) ? name : quoted;
		return `${indent}  ${isObject ? `${key}: ${scriptString(value)}` : `[${quoted}, ${scriptString(value)}]`}`;
	});
	const [open, close] = isObject ? '{}' : '[]';
	return `${open}\n${lines.join(',\n')}\n${indent}${close}`;
}

/** A JavaScript expression for a string: a literal, a variable, or a template with variables. */
export function scriptString(template: Template): string {
	const [only] = template;
	if (only === undefined) return "''";
	if (template.length === 1) return 'variable' in only ? environment(only.variable) : `'${escape(only.text, "'")}'`;
	const parts = template.map((part) =>
		'variable' in part ? `\${${environment(part.variable)}}` : escape(part.text, '`').replaceAll('$', '\\$')
	);
	return `\`${parts.join('')}\``;
}

/** Escapes text for a string literal of JavaScript or Python. */
function escape(text: string, quote: string): string {
	return text
		.replaceAll('\\', '\\\\')
		.replaceAll(quote, `\\${quote}`)
		.replaceAll('\n', '\\n')
		.replaceAll('\r', '\\r')
		.replace(
			/[\p{Cc}\p{Cs}\u2028\u2029]/gu,
			(character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
		);
}

function environment(variable: string): string {
	return `process.env.${variable}`;
}
