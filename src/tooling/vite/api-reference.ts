import {
	type Content,
	type Marks,
	type OpenApi,
	type OperationObject,
	type Parameter,
	referenceName,
	type ResponseObject,
	type Schema
} from '#service/openapi/json-schema.ts';
import type { DocAccess, DocField, DocOperation, DocParameter, DocResponse } from '#features/docs/doc-page.ts';
import { compileInline } from './compile-markdown.ts';

/** Longer examples show nothing that the fields do not. */
const longestExample = 3000;

const schemes: Readonly<Record<string, DocAccess>> = {
	sandboxKey: 'sandbox key',
	accessToken: 'access token',
	bearerToken: 'access token',
	clientBasic: 'client credentials',
	sessionCookie: 'session'
};

/**
 * The operations of a tag, for the reference.
 * @throws {Error} if there is none
 */
export function operationsOf(document: OpenApi, tag: string): DocOperation[] {
	const operations = Object.entries(document.paths).flatMap(([path, item]) =>
		Object.entries(item).flatMap(([method, operation]) =>
			operation.tags.includes(tag) ? [describe(document, path, method, operation)] : []
		)
	);
	if (operations.length === 0) throw new Error(`The API has no operations with the tag “${tag}”.`);
	return operations;
}

function describe(document: OpenApi, path: string, method: string, operation: OperationObject): DocOperation {
	const { operationId, summary, description = '', requestBody, parameters = [], responses, security } = operation;
	const body = requestBody && describeBody(document, requestBody.content);
	return {
		id: operationId,
		method: method.toUpperCase(),
		path,
		summary,
		description: compileInline(withDialect(description, operation)),
		access: [...new Set(security.flatMap((one) => accessOf(Object.keys(one))))],
		destroys: operation['x-destroys'] === true,
		parameters: parameters.map(describeParameter),
		...(body && { body }),
		responses: Object.entries(responses).map(([status, response]) => describeResponse(document, status, response))
	};
}

function describeBody(document: OpenApi, content: Content): DocOperation['body'] {
	const [first] = Object.entries(content);
	if (first === undefined) return undefined;
	const [type, { schema, example }] = first;
	const fields = fieldsWithHtml(document, schema);
	const text = JSON.stringify(example, undefined, 2);
	if (type === 'application/json') return { type, fields, example: text };
	const valueOf = (name: string) => {
		const value: unknown = typeof example === 'object' && example !== null ? Reflect.get(example, name) : undefined;
		return typeof value === 'string' ? value : '';
	};
	return { type, fields, example: text, values: Object.fromEntries(fields.map(({ name }) => [name, valueOf(name)])) };
}

function accessOf(names: readonly string[]): DocAccess[] {
	if (names.length === 0) return ['none'];
	return names.flatMap((name) => schemes[name] ?? []);
}

function describeParameter(parameter: Parameter): DocParameter {
	const { name, in: place, required, description = '', schema, example } = parameter;
	return {
		name,
		in: place,
		type: typeOf(schema),
		required,
		description: compileInline(withDialect(description, parameter)),
		example: typeof example === 'string' && required ? example : '',
		options: optionsOf(schema)
	};
}

function describeResponse(document: OpenApi, status: string, response: ResponseObject): DocResponse {
	const { description, headers = {}, content = {} } = response;
	const json = Number(status) < 400 ? content['application/json'] : undefined;
	const example = exampleOf(json);
	return {
		status,
		description: compileInline(description),
		types: Object.keys(content),
		headers: Object.keys(headers).filter((name) => name !== 'X-Request-Id'),
		fields: json === undefined ? [] : fieldsWithHtml(document, json.schema),
		...(example !== undefined && { example })
	};
}

/** The reference describes both dialects, because a setting chooses between them. */
function withDialect(description: string, { 'x-dialect': only, 'x-required-in': requiredIn }: Marks): string {
	const parts = [
		description,
		only && `Only in the dialect \`${only}\`.`,
		requiredIn && `Required in the dialect \`${requiredIn}\`.`
	];
	return parts.filter(Boolean).join(' ');
}

function exampleOf(media: Content[string] | undefined): string | undefined {
	if (media?.example === undefined) return undefined;
	const text = JSON.stringify(media.example, undefined, 2);
	return text.length > longestExample ? undefined : text;
}

function fieldsWithHtml({ components }: OpenApi, schema: Schema): DocField[] {
	const resolve = (one: Schema) => components.schemas[referenceName(one) ?? ''] ?? one;
	return fieldsOf(schema, resolve).map((field) => ({ ...field, description: compileInline(field.description) }));
}

type Resolve = (schema: Schema) => Schema;

/** How deep fields of fields are listed. */
const deepest = 3;

/**
 * The fields of an object and of the objects in it, by path: `events[].at`.
 * @param resolve follows a reference
 */
function fieldsOf(schema: Schema, resolve: Resolve, prefix = '', depth = 1): DocField[] {
	const known = new Map<string, DocField>();
	const variants = variantsOf(schema, resolve);
	for (const variant of variants) {
		for (const [name, one] of Object.entries(variant.properties ?? {})) {
			if (typeof one === 'boolean') continue;
			const path = prefix + name;
			const earlier = known.get(path);
			const type = typeOf(one, resolve);
			known.set(path, {
				name: path,
				type: earlier === undefined || earlier.type === type ? type : `${earlier.type} or ${type}`,
				required: variants.every(({ required }) => required?.includes(name) === true),
				description: one.description ?? ''
			});
			if (depth === deepest) continue;
			const [inner, mark] = itemsOf(one, resolve);
			for (const field of fieldsOf(inner, resolve, `${path}${mark}.`, depth + 1)) known.set(field.name, field);
		}
	}
	return [...known.values()];
}

/** The type of a value in words. */
export function typeOf(schema: Schema, resolve: Resolve = (one) => one): string {
	const followed = resolve(schema);
	const { type, minimum, maximum, items, maxLength } = followed;
	const options = optionsOf(followed);
	if (options.length > 0) return options.join(', ');
	const variants = followed.anyOf ?? followed.oneOf ?? [];
	if (variants.length > 0) {
		const types = variants.map((one) => (typeof one === 'boolean' ? '' : typeOf(one, resolve)));
		return [...new Set(types)].join(' or ');
	}
	if (type === 'array')
		return typeof items === 'object' && !Array.isArray(items) ? `list of ${typeOf(items, resolve)}` : 'list';
	if (minimum !== undefined && maximum !== undefined) return `${String(type)}, ${count(minimum)} to ${count(maximum)}`;
	if (maxLength !== undefined) return `${String(type)}, at most ${count(maxLength)} characters`;
	return String(type ?? 'any');
}

/** The values that a schema allows, if they are listed. */
function optionsOf({ enum: options, const: only }: Schema): string[] {
	return (only === undefined ? (options ?? []) : [only]).map((one) =>
		typeof one === 'string' ? one : JSON.stringify(one)
	);
}

/** The alternatives of an object. */
function variantsOf(schema: Schema, resolve: Resolve): Schema[] {
	const followed = resolve(schema);
	const variants = followed.anyOf ?? followed.oneOf;
	if (variants === undefined) return [followed];
	return variants.flatMap((one) => (typeof one === 'boolean' ? [] : variantsOf(one, resolve)));
}

/** The schema of the items of a list, and the mark of a list in a path. */
function itemsOf(schema: Schema, resolve: Resolve): [inner: Schema, mark: string] {
	const { items } = resolve(schema);
	return typeof items === 'object' && !Array.isArray(items) ? [items, '[]'] : [schema, ''];
}

function count(value: number): string {
	return value.toLocaleString('en');
}
