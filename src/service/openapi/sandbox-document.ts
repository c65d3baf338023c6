import type { PublicWorld } from '#api/control/world.ts';
import type { Dialect } from '#api/dialect.ts';
import { withKinds } from './kind-paths.ts';

type Json = Readonly<Record<string, unknown>>;

/**
 * The OpenAPI document of a sandbox: with its address, what its dialect has, and the kinds of its world.
 * @param document of the whole service, as JSON
 * @param baseUrl of the sandbox, without a trailing slash: clients append paths that begin with one
 * @param kinds of its world
 * @returns JSON
 */
export function documentOfSandbox(
	document: string,
	baseUrl: string,
	dialect: Dialect,
	kinds: PublicWorld['kinds'] = []
): string {
	const narrowed = narrow(withMarks(JSON.parse(document)), dialect);
	const { components, ...rest } = isObject(narrowed) ? narrowed : {};
	const { schemas, securitySchemes, ...others } = isObject(components) ? components : {};
	const isUsable = (requirement: object) =>
		Object.keys(requirement).every((scheme) => isObject(securitySchemes) && scheme in securitySchemes);
	const hasOperations = ([, item]: [string, unknown]) => isObject(item) && Object.keys(item).length > 0;
	const items = withKinds(Object.entries(isObject(rest.paths) ? rest.paths : {}).filter(hasOperations), kinds);
	const paths: unknown = JSON.parse(JSON.stringify(Object.fromEntries(items)), (key, value: unknown): unknown => {
		if (key === 'security' && Array.isArray(value)) return value.filter(isUsable);
		return isObject(value) && 'schema' in value && 'example' in value
			? { ...value, example: fit(value.example, value.schema, isObject(schemas) ? schemas : {}) }
			: value;
	});
	return JSON.stringify({
		...rest,
		servers: [{ url: baseUrl, description: 'This sandbox' }],
		paths,
		components: {
			...others,
			schemas: referencedSchemas(isObject(schemas) ? schemas : {}, JSON.stringify(paths)),
			securitySchemes
		}
	});
}

/** An example without the fields and values that only other dialects have. */
function fit(example: unknown, schema: unknown, schemas: Json): unknown {
	if (!isObject(schema)) return example;
	const named = typeof schema.$ref === 'string' ? schemas[schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)] : schema;
	const { properties, enum: values } = isObject(named) ? named : {};
	if (Array.isArray(values) && !values.includes(example)) return values[0];
	if (!isObject(example) || !isObject(properties)) return example;
	const fields = Object.entries(example).filter(([name]) => name in properties);
	return Object.fromEntries(fields.map(([name, value]) => [name, fit(value, properties[name], schemas)]));
}

/** The schemas that a text refers to, directly or by others. */
export function referencedSchemas<T>(schemas: Readonly<Record<string, T>>, text: string): Record<string, T> {
	const found = new Map<string, T>();
	const visit = (part: string) => {
		for (const [, name = ''] of part.matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
			const schema = schemas[name];
			if (schema === undefined || found.has(name)) continue;
			found.set(name, schema);
			visit(JSON.stringify(schema));
		}
	};
	visit(text);
	return Object.fromEntries([...found].sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** The document with the mark of a schema at each reference to it, too: a list of alternatives loses both. */
function withMarks(document: unknown): unknown {
	const schemas = isObject(document) && isObject(document.components) ? document.components.schemas : {};
	const marks = Object.entries(isObject(schemas) ? schemas : {}).flatMap(([name, schema]) =>
		isObject(schema) && schema['x-dialect'] !== undefined
			? [[`#/components/schemas/${name}`, schema['x-dialect']] as const]
			: []
	);
	const markOf = new Map<string, unknown>(marks);
	const mark = (value: unknown): unknown => {
		if (Array.isArray(value)) return value.map(mark);
		if (!isObject(value)) return value;
		const dialect = typeof value.$ref === 'string' ? markOf.get(value.$ref) : undefined;
		const parts = Object.entries(value).map(([name, part]) => [name, mark(part)]);
		return { ...Object.fromEntries(parts), ...(dialect !== undefined && { 'x-dialect': dialect }) };
	};
	return mark(document);
}

/** Leaves out what only other dialects have, and replaces `Marks` by what they mean in this one. */
function narrow(value: unknown, dialect: Dialect): unknown {
	if (Array.isArray(value)) return value.filter((part) => isIn(part, dialect)).map((part) => narrow(part, dialect));
	if (!isObject(value)) return value;
	const {
		'x-dialect': _dialect,
		'x-required-in': requiredIn,
		'x-descriptions': descriptions,
		'x-said-by': saidBy,
		...rest
	} = value;
	const parts = Object.entries(rest).filter(([, part]) => isIn(part, dialect));
	return {
		...Object.fromEntries(parts.map(([name, part]) => [name, narrow(part, dialect)])),
		...(isObject(value.properties) && requiredFields(value.properties, value.required, dialect)),
		...(requiredIn === dialect.name && 'in' in value && { required: true }),
		...(saidBy === 'tokenType' && { enum: [dialect.tokenType] }),
		...(isObject(descriptions) && { description: descriptions[dialect.name] })
	};
}

function requiredFields(properties: Json, required: unknown, dialect: Dialect): { readonly required?: string[] } {
	const names = Object.entries(properties)
		.filter(([, field]) => isIn(field, dialect))
		.filter(([name, field]) => (Array.isArray(required) && required.includes(name)) || isRequiredIn(field, dialect))
		.map(([name]) => name);
	return names.length === 0 ? {} : { required: names };
}

function isIn(part: unknown, dialect: Dialect): boolean {
	return !isObject(part) || part['x-dialect'] === undefined || part['x-dialect'] === dialect.name;
}

function isRequiredIn(field: unknown, dialect: Dialect): boolean {
	return isObject(field) && field['x-required-in'] === dialect.name;
}

export function isObject(value: unknown): value is Json {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
