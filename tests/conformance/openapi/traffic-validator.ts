import type { OpenApi, OperationObject, Parameter, ResponseObject } from '#service/openapi/json-schema.ts';
import { openApi } from '#service/openapi/document.ts';
import { operations } from '#service/openapi/operations.ts';
import { findRoute } from '#service/core/routes.ts';
import { readTarget } from '#service/core/target.ts';
import { headerValue } from '#api/headers.ts';
import { AssertionFailure } from '../assert.ts';
import type { RawResponse, TestRequest, Transport } from '../transport.ts';
import { closeResponses } from './close-responses.ts';
import { DocumentSchemas } from './document-schemas.ts';
import { readXml } from './read-xml.ts';

/** A method of a path. */
type Place = { readonly path: string; readonly method: string; readonly operation: OperationObject };

/** Compares requests and responses with the OpenAPI document. */
export class TrafficValidator {
	readonly #schemas: DocumentSchemas;
	/** The operations by endpoint, and by all methods of its path. */
	readonly #places = new Map<string, Map<string, Place>>();
	/** Faults replace the responses of these sandboxes by anything. */
	readonly #faulty = new Set<string>();

	constructor(document: OpenApi = openApi) {
		this.#schemas = new DocumentSchemas(closeResponses(document));
		for (const { key, path, method } of operations) {
			const operation = document.paths[path]?.[method.toLowerCase()];
			if (operation === undefined) continue;
			const sibling = operations.find((one) => one.path === path)?.key ?? key;
			const methods = this.#places.get(sibling) ?? new Map<string, Place>();
			this.#places.set(key, methods.set(method, { path, method: method.toLowerCase(), operation }));
		}
	}

	/** A transport that fails where the traffic is not as the document says. */
	watch(transport: Transport): Transport {
		return {
			...transport,
			send: async (sent) => {
				const response = await transport.send(sent);
				if (response !== undefined) this.#require(sent, response);
				return response;
			},
			stream: async (sent) => {
				const response = await transport.stream(sent);
				this.#require(sent, { ...response, body: '' });
				return response;
			}
		};
	}

	#require(sent: TestRequest, response: RawResponse): void {
		const wrong = this.findDifference(sent, response);
		if (wrong === undefined) return;
		const request = `${sent.method ?? 'GET'} ${sent.target.slice(0, 200)}`;
		throw new AssertionFailure(`OpenAPI: ${request}: ${response.status}: ${wrong}\n${response.body.slice(0, 500)}`);
	}

	/** What the document does not say about an exchange; undefined if nothing. */
	findDifference(sent: TestRequest, response: RawResponse): string | undefined {
		const { sandboxId = '', path, query } = readTarget(sent.target);
		const method = sent.method ?? 'GET';
		const route = findRoute(path, method);
		const methods = this.#places.get(route.endpoint);
		const isOfHost = headerValue(response.headers, 'x-request-id') === undefined;
		if (methods === undefined || isOfHost) return undefined;
		if (method === 'OPTIONS') return undescribedMethod(methods, response);
		const addsFault = route.endpoint === 'POST /control/faults' && response.status === 201;
		const isDocument = route.endpoint === 'PUT /control/client-documents/{document_name}';
		if (addsFault || (isDocument && response.body.includes('"fault"') && !response.body.includes('"fault":"none"')))
			this.#faulty.add(sandboxId);
		if (route.name !== 'control' && this.#faulty.has(sandboxId)) return undefined;
		if (response.status === 405)
			return headerValue(response.headers, 'allow') === undefined ? 'Allow is missing' : undefined;
		const place = methods.get(method === 'HEAD' ? 'GET' : method);
		if (place === undefined) return response.status >= 400 ? undefined : `${method} is not described`;
		return this.#compareResponse(place, response, method) ?? this.#compareRequest(place, sent, query, response);
	}

	#compareResponse({ path, method, operation }: Place, response: RawResponse, sentMethod: string): string | undefined {
		const described = operation.responses[response.status];
		if (described === undefined) return 'the status is not described';
		const header = missingHeader(described, response);
		if (header !== undefined) return `the header ${header} is missing or malformed`;
		const type = mediaType(response.headers);
		const { content } = described;
		if (content === undefined) return response.body === '' ? undefined : 'a body is not described';
		if (content[type] === undefined) return `the type ${type} is not described`;
		if (sentMethod === 'HEAD') return undefined;
		const place = ['paths', path, method, 'responses', String(response.status), 'content', type, 'schema'];
		if (type === 'application/json') return this.#schemas.check(place, JSON.parse(response.body));
		if (type !== 'application/xml') return undefined;
		const { root, content: value } = readXml(response.body);
		const name = content[type].schema.xml?.name;
		return root === name ? this.#schemas.check(place, value, 'xml') : `the root element is ${root}, not ${name}`;
	}

	#compareRequest(place: Place, sent: TestRequest, query: string, response: RawResponse): string | undefined {
		if (response.status >= 400 || isErrorRedirect(response)) return undefined;
		const { path, method, operation } = place;
		for (const [at, parameter] of (operation.parameters ?? []).entries()) {
			const value = parameterOf(parameter, query);
			if (value === undefined) continue;
			const wrong = this.#schemas.check(['paths', path, method, 'parameters', String(at), 'schema'], value);
			if (wrong !== undefined) return `the parameter ${parameter.name}: ${wrong}`;
		}
		const missing = operation.parameters?.find(
			(one) => one.in === 'query' && one.required && !hasParameter(one, query)
		);
		if (missing !== undefined) return `the parameter ${missing.name} is missing`;
		const { requestBody } = operation;
		const body = typeof sent.body === 'string' ? sent.body : new TextDecoder().decode(sent.body);
		if (requestBody === undefined || (body === '' && !requestBody.required)) return undefined;
		const type = mediaType(sent.headers ?? []);
		if (requestBody.content[type] === undefined) return `a body of the type ${type} is not described`;
		const value: unknown = type === 'application/json' ? JSON.parse(body) : formOf(body);
		const wrong = this.#schemas.check(['paths', path, method, 'requestBody', 'content', type, 'schema'], value);
		return wrong === undefined ? undefined : `the request: ${wrong}`;
	}
}

/** A method that a preflight allows and the document does not describe. */
function undescribedMethod(methods: ReadonlyMap<string, Place>, { headers }: RawResponse): string | undefined {
	const allowed = (headerValue(headers, 'access-control-allow-methods') ?? '').split(/,\s*/);
	const wrong = allowed.find((name) => !['', 'OPTIONS', 'HEAD'].includes(name) && !methods.has(name));
	return wrong === undefined ? undefined : `the preflight allows ${wrong}, which is not described`;
}

function missingHeader({ headers = {} }: ResponseObject, response: RawResponse): string | undefined {
	return Object.entries(headers).find(([name, { schema, 'x-dialect': dialect }]) => {
		if (dialect !== undefined) return false; // the dialect of the sandbox is not known here
		const value = headerValue(response.headers, name.toLowerCase());
		return value === undefined || (schema.type === 'integer' && !/^\d+$/.test(value));
	})?.[0];
}

/** Errors after the redirect URI is known are sent by redirect. */
function isErrorRedirect({ headers, body, status }: RawResponse): boolean {
	return (
		/[?&]error=/.test(headerValue(headers, 'location') ?? '') || (status === 200 && body.includes('"step":"redirect"'))
	);
}

function mediaType(headers: readonly string[]): string {
	return (headerValue(headers, 'content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/** An empty parameter counts as absent. */
function parameterOf({ in: place, name }: Parameter, query: string): string | undefined {
	return place === 'query' ? new URLSearchParams(query).get(name) || undefined : undefined;
}

/** A pending authorization continues with its id alone. */
function hasParameter({ name }: Parameter, query: string): boolean {
	const sent = new URLSearchParams(query);
	return sent.has(name) || sent.has('interaction');
}

/** An empty field counts as absent. */
function formOf(body: string): Record<string, string> {
	return Object.fromEntries([...new URLSearchParams(body)].filter(([, value]) => value !== ''));
}
