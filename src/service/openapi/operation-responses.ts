import { type DialectName, dialectNames } from '#api/dialect.ts';
import type { DeclaredResponse, HeaderName } from '#api/declare.ts';
import { limitProblem } from '#api/protocol/rate-limits.ts';
import { error } from '#api/protocol/token.ts';
import { type Content, referenceName, type ResponseObject, type Schema, type SchemaConverter } from './json-schema.ts';
import type { Operation } from './operations.ts';
import { exampleOf } from './field-descriptions.ts';

/** The responses of an operation: its own, and those that all of its kind have. */
export function describeResponses(
	operation: Operation,
	schemas: SchemaConverter
): Readonly<Record<string, ResponseObject>> {
	const own = Object.entries(operation.responses).map(([status, response]): [string, ResponseObject] => [
		status,
		{
			description: response.description,
			headers: describeHeaders(response.headers),
			...withContent(contentOf(response, schemas))
		}
	]);
	const hasPage = operation.isPage === true || Object.values(operation.responses).some(({ page }) => page === true);
	const errors = Object.entries(errorsOf(operation)).map(([status, description]): [string, ResponseObject] => [
		status,
		{
			...describe(description),
			headers: describeHeaders(errorHeaders(operation, Number(status))),
			content: errorContent(schemas, hasPage, Number(status) === 429 && operation.access === 'access token')
		}
	]);
	return Object.fromEntries([...own, ...errors]);
}

/** Why a request can be rejected, by status. */
function errorsOf({ isControl, access, body, errors = {} }: Operation): NonNullable<Operation['errors']> {
	const unknown = 'There is no such sandbox.';
	return {
		...(body !== undefined && { 400: 'The body is invalid. `field` names the field.', 413: 'The body is too long.' }),
		...(isControl && access === undefined && { 403: 'The caller does not control the sandbox.' }),
		429: 'Too many attempts from this address.',
		...(!isControl && { 503: 'The sandbox is full, or a fault is active.' }),
		500: 'An internal error. Report it with the id of the request.',
		...errors,
		404: typeof errors[404] === 'string' ? `${errors[404]} Or: ${unknown.toLowerCase()}` : unknown
	};
}

/** One text, or that of each dialect. */
function describe(
	text: string | Readonly<Record<DialectName, string>>
): Pick<ResponseObject, 'description' | 'x-descriptions'> {
	if (typeof text === 'string') return { description: text };
	const description = dialectNames.map((dialect) => `\`${dialect}\`: ${text[dialect]}`).join(' ');
	return { description, 'x-descriptions': text };
}

function errorHeaders({ responses, access }: Operation, status: number): readonly HeaderName[] {
	const limits = (responses[200]?.headers ?? []).filter((name) => name !== 'Link');
	if (status === 429) return ['Retry-After'];
	if (access !== 'access token') return [];
	if (status === 400) return limits;
	return status === 401 || status === 403 ? ['WWW-Authenticate', ...limits] : [];
}

function errorContent(schemas: SchemaConverter, hasPage: boolean, isProblem: boolean): Content {
	const schema = schemas.convert(error);
	return {
		'application/json': { schema },
		...(isProblem && { 'application/problem+json': { schema: schemas.convert(limitProblem) } }),
		'application/xml': { schema: { ...schema, xml: { name: 'OAuth' } } },
		...(hasPage && page)
	};
}

const page: Content = { 'text/html': { schema: { type: 'string' } } };

function contentOf(response: DeclaredResponse, schemas: SchemaConverter): Content {
	const schema = response.json && schemas.convert(response.json);
	const attributes = response.xml === undefined ? undefined : rateLimitsXml[response.xml];
	return {
		...(schema && { 'application/json': { schema, example: createExample(schema, schemas.named) } }),
		...(schema &&
			response.xml && { 'application/xml': { schema: attributes ?? { ...schema, xml: { name: response.xml } } } }),
		...(response.page === true && page),
		...(response.events === true && { 'text/event-stream': { schema: { type: 'string' } } })
	};
}

function withContent(content: Content): { content?: Content } {
	return Object.keys(content).length === 0 ? {} : { content };
}

const whole = { type: 'integer' } as const;
const text = { type: 'string' } as const;

type HeaderText = readonly [description: string, schema: Schema, dialect?: DialectName];

const headers = {
	'X-Request-Id': ['The id of the request in the traffic log.', text],
	'X-RateLimit-Limit': ['Requests per window.', whole],
	'X-RateLimit-Remaining': ['Requests that are left in this window.', whole],
	'X-RateLimit-Reset': ['When the window resets, in Unix seconds.', whole],
	'X-RateLimit-ResetTime': ['The same as a date.', text],
	RateLimit: ['The requests that are left, and the seconds until there are more.', text, 'standard'],
	'RateLimit-Policy': ['The requests of a window, its seconds, and what they count for.', text, 'standard'],
	'WWW-Authenticate': [
		'The scheme, and the error code if a token was sent.',
		{ type: 'string', pattern: '^(?:OAuth|Bearer) ' }
	],
	'Retry-After': ['Seconds, or a date in a sandbox with that setting.', text],
	Location: ['Where the browser goes.', text],
	Link: ['The pages before and after.', text],
	'Set-Cookie': ['The cookie of this browser.', text],
	'Content-Disposition': ['The name of the file.', text],
	Allow: ['The methods that the path supports.', text]
} as const satisfies Record<HeaderName | 'X-Request-Id', HeaderText>;

/** Describes headers that are always in a response, and `X-Request-Id`, which is in all of them. */
function describeHeaders(names: readonly HeaderName[] = []): NonNullable<ResponseObject['headers']> {
	return Object.fromEntries(
		(['X-Request-Id', ...names] as const).map((name) => {
			const [description, schema, dialect]: HeaderText = headers[name];
			return [name, { description, required: true, schema, 'x-dialect': dialect }];
		})
	);
}

const attribute = (type: string): Schema => ({ type: type === 'integer' ? type : 'string', xml: { attribute: true } });

const ratelimits: Schema = {
	type: 'object',
	xml: { name: 'ratelimits' },
	properties: {
		version: attribute('string'),
		total: attribute('integer'),
		ratelimit: {
			type: 'array',
			items: {
				type: 'object',
				properties: {
					pattern: attribute('string'),
					limit: attribute('integer'),
					remaining: attribute('integer'),
					reset: attribute('integer'),
					reset_time: attribute('string')
				}
			}
		}
	}
};

/** The XML documents with attributes, by root element. All others have one child element per field (section 2.4). */
const rateLimitsXml: Readonly<Record<string, Schema>> = {
	ratelimits,
	ratelimiting: {
		type: 'object',
		xml: { name: 'ratelimiting' },
		properties: {
			state: attribute('string'),
			address: attribute('string'),
			reason: attribute('string'),
			since: attribute('integer'),
			support: attribute('string'),
			tickets: attribute('string'),
			ratelimits
		}
	}
};

/**
 * A value that fits a schema, built from the examples of its fields.
 * @param named the schemas that references lead to
 */
export function createExample(
	schema: Schema,
	named: Readonly<Record<string, Schema>>,
	owner = '',
	field = ''
): unknown {
	const name = referenceName(schema);
	if (name !== undefined) return createExample(named[name] ?? {}, named, name, field);
	if (schema.const !== undefined) return schema.const;
	const example = exampleOf(owner, field);
	const [choice] = schema.oneOf ?? schema.anyOf ?? [];
	if (choice !== undefined && typeof choice === 'object') return createExample(choice, named, owner, field);
	if (schema.enum !== undefined) return schema.enum.find((value) => value === example) ?? schema.enum[0];
	if (example !== undefined && typeOf(example) === baseType(schema)) return example;
	if (schema.default !== undefined) return schema.default;
	switch (baseType(schema)) {
		case 'object':
			return objectExample(schema, named, owner);
		case 'array': {
			const { items } = schema;
			if (typeof items !== 'object' || Array.isArray(items) || items.prefixItems !== undefined) return [];
			return [createExample(items, named, owner, field)];
		}
		case 'number':
			return schema.minimum ?? 1;
		case 'boolean':
			return true;
		default:
			return field.toUpperCase() || 'TEXT';
	}
}

function objectExample(schema: Schema, named: Readonly<Record<string, Schema>>, owner: string): object {
	const entries = Object.entries(schema.properties ?? {}).flatMap(([name, property]) =>
		typeof property === 'object' ? [[name, createExample(property, named, owner, name)] as const] : []
	);
	return Object.fromEntries(entries);
}

function baseType({ type }: Schema): string {
	const [first] = Array.isArray(type) ? type : [type];
	return first === 'integer' ? 'number' : (first ?? '');
}

function typeOf(value: unknown): string {
	return Array.isArray(value) ? 'array' : typeof value;
}
