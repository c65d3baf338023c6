import * as v from 'valibot';
import { dialectPart, type DialectPart, type Template } from '#api/providers/dialect-schema.ts';
import type { EndpointKind } from '#api/providers/endpoint-kinds.ts';
import { factsOf } from '#api/providers/provider-mistakes.ts';
import type { OwnProviderFile } from '#api/world/provider.ts';
import { lineOf, readJson } from '#lib/file/read-json.ts';
import { scanJson } from '#lib/file/scan-json.ts';

/** What to check in a draft: a part of the document that is not in it, or what it has beyond the document. The line is that of the document, from 1. */
export type DraftNote = { readonly line: number | undefined; readonly what: string };

/** The draft of a file that describes an own API, or why the document is none that can be read. */
export type OpenApiDraft =
	| { readonly file: OwnProviderFile; readonly notes: readonly DraftNote[] }
	| { readonly reason: string };

type Part = Readonly<Record<string, unknown>>;
type Endpoint = NonNullable<DialectPart['endpoints']>[number];
type Errors = NonNullable<NonNullable<DialectPart['errors']>['token']>;

/** The requests of a window, and its length in seconds, where the document does not say them. */
const usual = 60;
/** A list or an object of a world file has no more. */
const maxEntries = 200;
/** Of a template. Schemas may contain themselves. */
const maxDepth = 6;
/** Parts of one sample. A schema may refer to itself in several places, at each depth. */
const maxParts = 2000;
const methods = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace'];

/** What the service knows for a field of a response, by the name of the field. */
const valuesOf = {
	api: [
		[/^(?:username|user_?name|login|sub|preferred_username|nickname)$/i, 'username'],
		[/^(?:name|full_?name|display_?name)$/i, 'user_name'],
		[/^email(?:_?address)?$/i, 'user_email']
	],
	token: [[/^(?:access_token|refresh_token|expires_in|token_type|scope|id_token)$/, '']],
	error: [
		[/^(?:error|code|error_?code)$/i, 'error'],
		[/^(?:message|msg|detail|description|error_?(?:description|message))$/i, 'error_description']
	]
} as const satisfies Readonly<Record<string, readonly (readonly [RegExp, string])[]>>;

/** What the service knows for a header field of a limit, by its name. */
const limitValues = [
	[/remaining/i, '{remaining}'],
	[/^retry-after$|reset-after/i, '{reset_after}'],
	[/reset/i, '{reset}'],
	[/used/i, '{used}'],
	[/limit$/i, '{limit}']
] as const;

/**
 * Makes the draft of a file that describes an own API of an OpenAPI 3 document in JSON or YAML.
 * @param today such as 2026-11-29, when the document was read
 */
export async function draftOfOpenApi(text: string, today: string): Promise<OpenApiDraft> {
	const isJson = /^\ufeff?\s*[{[]/.test(text);
	const read = isJson
		? { ...readJson(text), lines: scanJson(text.replace(/^\ufeff/, '')).lines }
		: (await import('#lib/file/read-yaml.ts')).readYaml(text);
	if ('reason' in read) return { reason: read.reason };
	const document = partOf(read.content);
	const version = document.openapi;
	if (document.swagger !== undefined)
		return { reason: `Line ${lineOf(read.lines, 'swagger') ?? 1} says Swagger 2. Convert it to OpenAPI 3 first.` };
	if (version === undefined) return { reason: 'It is no OpenAPI document: it has no field "openapi" at the top.' };
	if (!/^3\b/.test(stringOf(version) || `${Number(version)}`))
		return { reason: `Line ${lineOf(read.lines, 'openapi') ?? 1} is not version 3 of OpenAPI.` };
	return new Draft(document, read.lines).make(today);
}

class Draft {
	readonly #document: Part;
	readonly #lines: ReadonlyMap<string, number>;
	readonly #notes: DraftNote[] = [];
	readonly #endpoints: Endpoint[] = [];
	/** Without a slash at the end. */
	#server = 'https://api.example.com';
	/** What the responses of the API have. */
	#rateLimit: NonNullable<DialectPart['rateLimit']> | undefined;
	#apiErrors: Errors | undefined;
	/** Parts of the sample so far. */
	#parts = 0;

	constructor(document: Part, lines: ReadonlyMap<string, number>) {
		this.#document = document;
		this.#lines = lines;
	}

	make(today: string): OpenApiDraft {
		const { info, externalDocs } = this.#document;
		this.#readServer();
		const security = this.#readSecurity();
		const token = this.#endpoints.find(({ kind }) => kind === 'token');
		const ofToken = token === undefined ? {} : this.#readTokenEndpoint(new URL(token.url).pathname);
		this.#readPaths();
		const { errors, tokenResponse } = ofToken;
		const dialect: DialectPart = {
			endpoints: this.#endpoints,
			...security,
			...(tokenResponse && { tokenResponse }),
			...((errors ?? this.#apiErrors) && {
				errors: { ...(errors && { token: errors }), ...(this.#apiErrors && { api: this.#apiErrors }) }
			}),
			...(this.#rateLimit && { rateLimit: this.#rateLimit })
		};
		const title = stringOf(partOf(info).title).replaceAll(/\s+/g, ' ').trim().slice(0, 40).trim() || 'My API';
		const url = stringOf(partOf(externalDocs).url);
		const scope = security.scopes?.known.join(' ') ?? '';
		const file: OwnProviderFile = {
			title,
			...(scope !== '' && scope.length <= maxEntries && { exampleScope: scope }),
			...(/^https:\/\/\S+$/.test(url) && {
				sources: [
					{ title: `OpenAPI document of ${title}`, url, read: today, kind: 'documented', facts: factsOf(dialect) }
				]
			}),
			dialect
		};
		return { file, notes: this.#notes.toSorted((one, other) => (one.line ?? 0) - (other.line ?? 0)) };
	}

	#note(place: string, what: string): void {
		this.#notes.push({ line: lineOf(this.#lines, place), what });
	}

	#readServer(): void {
		const [first] = listOf(this.#document.servers);
		const { url, variables } = partOf(first);
		const filled = stringOf(url).replaceAll(/\{(\w+)\}/g, (_, name: string) =>
			stringOf(partOf(partOf(variables)[name]).default)
		);
		const server = URL.canParse(filled) ? new URL(filled) : undefined;
		if (server?.protocol === 'https:' && server.port === '') {
			this.#server = server.href.replace(/\/$/, '');
			return;
		}
		if (server?.hostname) this.#server = `https://${server.hostname}${server.pathname.replace(/\/$/, '')}`;
		this.#note('servers.0.url', `No https URL of a server without a port. The draft has ${this.#server}.`);
	}

	/** Adds an endpoint whose URL the file can have. */
	#addEndpoint(kind: EndpointKind, given: string, place: string, more: Omit<Endpoint, 'kind' | 'url'> = {}): boolean {
		const absolute = /^https?:/.test(given) ? given : `${this.#server}/${given.replace(/^\//, '')}`;
		const url = absolute
			.replace(/[?#].*$/, '')
			.replaceAll(/\{(\w+)\}/g, (_, name: string) => `{${partNameOf(name)}}`)
			.replace(/^(https:\/\/[^/]+)$/, '$1/');
		const parsed = v.safeParse(dialectPart, { endpoints: [{ kind, url, ...more }] });
		const path = (one: string) => one.replace(/^https:\/\/[^/]*/, '');
		const isTwice = this.#endpoints.some((one) => path(one.url) === path(url));
		if (!parsed.success || isTwice || this.#endpoints.length >= maxEntries) {
			const why = isTwice
				? 'Its path is there already'
				: parsed.success
					? 'The draft is full'
					: 'Its form is not possible';
			this.#note(place, `Left out: ${given}. ${why}.`);
			return false;
		}
		if (url !== absolute && /[?#]/.test(absolute)) this.#note(place, `Left out: the query of ${given}.`);
		this.#endpoints.push(...(parsed.output.endpoints ?? []));
		return true;
	}

	/** The endpoints, scopes and schemes of the first authorization code flow. */
	#readSecurity(): Pick<DialectPart, 'scopes' | 'schemes'> {
		const root = 'components.securitySchemes';
		let scopes: DialectPart['scopes'];
		let hasFlow = false;
		for (const [name, given] of Object.entries(partOf(partOf(this.#document.components).securitySchemes))) {
			const place = `${root}.${name}`;
			const { type, scheme, flows, openIdConnectUrl } = this.#resolve(given, place);
			if (type === 'openIdConnect') this.#addEndpoint('metadata', stringOf(openIdConnectUrl), place);
			else if (type === 'oauth2') {
				for (const [flow, parts] of Object.entries(partOf(flows))) {
					const at = `${place}.flows.${flow}`;
					if (flow.startsWith('x-')) continue;
					if (flow !== 'authorizationCode' || hasFlow) {
						this.#note(at, `Left out: the flow ${flow} of ${name}.`);
						continue;
					}
					hasFlow = true;
					const { authorizationUrl, tokenUrl, refreshUrl, scopes: named } = partOf(parts);
					this.#addEndpoint('authorize', stringOf(authorizationUrl), `${at}.authorizationUrl`);
					this.#addEndpoint('token', stringOf(tokenUrl), `${at}.tokenUrl`);
					if (typeof refreshUrl === 'string' && refreshUrl !== tokenUrl)
						this.#addEndpoint('token', refreshUrl, `${at}.refreshUrl`);
					const known = Object.keys(partOf(named)).filter((one) => one !== '');
					if (known.length > maxEntries)
						this.#note(`${at}.scopes`, `Left out: ${known.length - maxEntries} of ${known.length} scopes.`);
					if (known.length > 0) scopes = { known: known.slice(0, maxEntries), unknown: 'rejected' };
				}
			} else if (type !== 'http' || stringOf(scheme).toLowerCase() !== 'bearer')
				this.#note(place, `Left out: the security scheme ${name} (${[type, scheme].filter(Boolean).join(', ')}).`);
		}
		if (!hasFlow)
			this.#note(root, 'There is no authorization code flow. Add endpoints of the kinds authorize and token.');
		return { ...(scopes && { scopes }) };
	}

	/** What the token endpoint returns, where the paths of the document have it. */
	#readTokenEndpoint(pathname: string) {
		const base = new URL(this.#server).pathname.replace(/\/$/, '');
		const found = Object.entries(partOf(this.#document.paths)).find(
			([path]) => path === pathname || base + path === pathname
		);
		if (found === undefined) return {};
		const [path, item] = found;
		const place = `paths.${path}.post`;
		const responses = partOf(partOf(this.#resolve(item, `paths.${path}`)).post).responses;
		const at = (status: string) => `${place}.responses.${status}`;
		const body = this.#bodyOf(partOf(responses)['200'], at('200'), 'token');
		const failed = Object.keys(partOf(responses)).find((status) => /^4\d\d$/.test(status) && status !== '429');
		const errorBody = failed && this.#bodyOf(partOf(responses)[failed], at(failed), 'error');
		const status = failed !== undefined && !['400', '401'].includes(failed) ? Number(failed) : undefined;
		const isOwn = typeof body === 'object' && body !== null && 'access_token' in body;
		if (body !== undefined && !isOwn) this.#note(at('200'), 'Left out: the token response, which has no access_token.');
		const errors: Errors = { ...(status && { status }), ...(errorBody !== undefined && { body: errorBody }) };
		return {
			...(isOwn && { tokenResponse: { body } }),
			...(Object.keys(errors).length > 0 && { errors })
		};
	}

	/** GET requests of the API, with the errors and limits of the first that has them. */
	#readPaths(): void {
		const isOAuth = new Set(this.#endpoints.map(({ url }) => url));
		for (const [path, item] of Object.entries(partOf(this.#document.paths))) {
			const place = `paths.${path}`;
			const operations = this.#resolve(item, place);
			if (isOAuth.has(this.#server + path) || isOAuth.has(new URL(path, this.#server).href)) continue;
			const others = Object.keys(operations).filter((name) => name !== 'get' && methods.includes(name));
			if (others.length > 0)
				this.#note(place, `Left out: ${others.join(', ').toUpperCase()} ${path}. Only GET is simulated.`);
			if (operations.get === undefined) continue;
			const { responses, security } = partOf(operations.get);
			const needed = listOf(security ?? this.#document.security).flatMap((one) =>
				Object.values(partOf(one)).map((scopes) => listOf(scopes).map(String))
			);
			if (Array.isArray(security) && security.length === 0) {
				this.#note(`${place}.get.security`, `Left out: GET ${path}, which needs no token.`);
				continue;
			}
			const [scopes = []] = needed;
			if (scopes.length > 1)
				this.#note(
					`${place}.get.security`,
					`Left out: the scopes ${scopes.join(', ')} of GET ${path}. A file can name one.`
				);
			const at = `${place}.get.responses`;
			const success = Object.keys(partOf(responses)).find((status) => /^2/.test(status)) ?? '200';
			const body = this.#bodyOf(partOf(responses)[success], `${at}.${success}`, 'api');
			const more = { ...(body !== undefined && { body }), ...(scopes.length === 1 && { scopes }) };
			if (!this.#addEndpoint('api', path, place, more)) continue;
			const filled = fieldsOfUser(body);
			if (filled.length > 0)
				this.#note(`${at}.${success}`, `From the user who signed in: ${filled.join(', ')} of GET ${path}.`);
			this.#readResponses(partOf(responses), at, success);
		}
	}

	#readResponses(responses: Part, place: string, success: string): void {
		const headersOf = (status: string) => this.#limitHeaders(responses[status], `${place}.${status}`);
		const limited = ['429', '420', '403', '503'].find(
			(status) => status === '429' || headersOf(status).headers['retry-after'] !== undefined
		);
		if (this.#apiErrors === undefined) {
			const body = this.#bodyOf(responses['401'], `${place}.401`, 'error');
			if (body !== undefined) this.#apiErrors = { body };
		}
		if (limited !== undefined && responses[limited] !== undefined && this.#rateLimit === undefined) {
			const always = headersOf(success);
			const over = headersOf(limited);
			const body = this.#bodyOf(responses[limited], `${place}.${limited}`, 'error');
			const requests = always.requests ?? over.requests;
			const missing = ['window', ...(requests === undefined ? ['requests'] : [])].map((one) => `rateLimit.${one}`);
			this.#note(`${place}.${limited}`, `The document does not say ${missing.join(' and ')}. The draft has ${usual}.`);
			this.#rateLimit = {
				requests: requests ?? usual,
				window: usual,
				status: Number(limited),
				...(Object.keys(always.headers).length > 0 && { headers: always.headers }),
				...(Object.keys(over.headers).length > 0 && { limitedHeaders: over.headers }),
				...(body !== undefined && { body })
			};
		}
		const rest = Object.keys(responses).filter((status) => ![success, '401', limited].includes(status));
		if (rest.length > 0)
			this.#note(place, `Left out: responses with ${rest.join(', ')} of ${place.split('.get.')[0]?.slice(6)}.`);
	}

	/** Fields of a limit, and how many requests an example says. */
	#limitHeaders(response: unknown, place: string) {
		const headers: Record<string, string> = {};
		let requests: number | undefined;
		for (const [name, header] of Object.entries(partOf(this.#resolve(response, place).headers))) {
			if (!/limit|^retry-after$|^x-.*(?:remaining|reset)/i.test(name)) continue;
			const [, value] = limitValues.find(([pattern]) => pattern.test(name)) ?? [];
			if (value === undefined) continue;
			headers[/^retry-after$/i.test(name) ? 'retry-after' : name] = value;
			const { example, schema } = this.#resolve(header, `${place}.headers.${name}`);
			const said = Number(example ?? this.#sampleOf(schema, place));
			if (value === '{limit}' && Number.isInteger(said) && said > 0) requests = said;
		}
		return { headers, requests };
	}

	/** The body of a response as a template. Undefined: the document does not describe it as JSON. */
	#bodyOf(given: unknown, place: string, kind: keyof typeof valuesOf): Template | undefined {
		const content = partOf(this.#resolve(given, place).content);
		const media = Object.keys(content).find((type) => /[/+]json\b/.test(type));
		if (media === undefined) return undefined;
		const { schema, example, examples } = partOf(content[media]);
		const [first] = Object.values(partOf(examples));
		const value = example ?? this.#resolve(first, place).value ?? this.#sampleOf(schema, place);
		return value === undefined ? undefined : templateOf(value, kind);
	}

	/** A value that a schema describes. */
	#sampleOf(given: unknown, place: string, depth = 0): unknown {
		this.#parts = depth === 0 ? 0 : this.#parts + 1;
		if (given === undefined || depth > maxDepth || this.#parts > maxParts) return undefined;
		const schema = this.#resolve(given, place);
		const { example, type, properties, items, allOf, oneOf, anyOf } = schema;
		const [said] = [example, ...listOf(schema.examples), schema.const, schema.default, ...listOf(schema.enum)].filter(
			(one) => one !== undefined
		);
		if (said !== undefined) return said;
		if (Array.isArray(allOf)) return Object.assign({}, ...allOf.map((one) => this.#sampleOf(one, place, depth + 1)));
		const [choice] = [...listOf(oneOf), ...listOf(anyOf)];
		if (choice !== undefined) return this.#sampleOf(choice, place, depth + 1);
		if (properties !== undefined) {
			const samples = Object.entries(partOf(properties)).map(
				([name, one]) => [name, this.#sampleOf(one, place, depth + 1)] as const
			);
			return Object.fromEntries(samples.filter(([, one]) => one !== undefined));
		}
		const [kind] = [type].flat();
		if (kind === 'array') return [this.#sampleOf(items, place, depth + 1)].filter((one) => one !== undefined);
		return { object: {}, string: 'text', number: 1, integer: 1, boolean: true }[String(kind)];
	}

	/** What a part is or refers to, in the same document. */
	#resolve(given: unknown, place: string): Part {
		let part = partOf(given);
		for (let times = 0; times < 10 && typeof part.$ref === 'string'; times += 1) {
			if (!part.$ref.startsWith('#/')) {
				this.#note(place, `Left out: ${part.$ref}, which is in another file.`);
				return {};
			}
			const names = part.$ref.slice(2).split('/');
			part = names.reduce<Part>(
				(parent, name) => partOf(parent[name.replaceAll('~1', '/').replaceAll('~0', '~')]),
				this.#document
			);
		}
		return part;
	}
}

/** Puts names of values in place of those that the service knows. */
function templateOf(value: unknown, kind: keyof typeof valuesOf, name = '', depth = 0): Template {
	if (Array.isArray(value)) return value.slice(0, 2).map((one) => templateOf(one, kind, name, depth + 1));
	if (typeof value === 'object' && value !== null) {
		if (depth > maxDepth) return {};
		const parts = Object.entries(value).slice(0, maxEntries);
		return Object.fromEntries(parts.map(([one, part]) => [one, templateOf(part, kind, one, depth + 1)]));
	}
	const [, known] = valuesOf[kind].find(([pattern]) => pattern.test(name)) ?? [];
	if (known !== undefined && (typeof value === 'string' || kind === 'token')) return `{${known || name}}`;
	return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null;
}

/** The fields of a template that have a value of the user. */
function fieldsOfUser(part: unknown, name = ''): string[] {
	if (typeof part !== 'object' || part === null) return /^\{user/.test(stringOf(part)) ? [name] : [];
	const all = Object.entries(part).flatMap(([key, one]) => fieldsOfUser(one, Array.isArray(part) ? name : key));
	return [...new Set(all)];
}

/** The name of a part of a URL as files write it: userId is user_id. */
function partNameOf(name: string): string {
	const words = name.replaceAll(/([a-z])([A-Z])/g, '$1_$2').toLowerCase();
	return words.replaceAll(/[^a-z_]/g, '') || 'part';
}

function partOf(value: unknown): Part {
	return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {};
}

function listOf(value: unknown): readonly unknown[] {
	return Array.isArray(value) ? value : [];
}

function stringOf(value: unknown): string {
	return typeof value === 'string' ? value : '';
}
