import type { PublicWorld } from '#api/control/world.ts';
import type { Dialect } from '#api/dialect.ts';
import type { KindField } from '#api/world/kinds.ts';
import { scopeOf } from '#api/world/record-values.ts';

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

type Kind = NonNullable<PublicWorld['kinds']>[number];
/** The variable segment of the paths that each kind of a world has. */
const variable = '{record_kind}';

/**
 * The paths of an OpenAPI document with those of the kinds of a world, in place of the paths of any kind.
 * @param items by path
 */
function withKinds(
	items: readonly (readonly [path: string, item: unknown])[],
	kinds: readonly Kind[]
): (readonly [path: string, item: unknown])[] {
	return items.flatMap(([path, item]) =>
		path.includes(variable)
			? kinds.map((kind) => [path.replace(variable, kind.name), itemOfKind(item, kind)] as const)
			: [[path, item] as const]
	);
}

function itemOfKind(item: unknown, kind: Kind): unknown {
	const text = JSON.stringify(item).replaceAll('<kind>', kind.name);
	const { get, post } = methodsOf(JSON.parse(text));
	const isList = get?.operationId === 'listRecords';
	return {
		get: get && { ...named(get, kind), parameters: parametersOf(get, kind, isList), responses: responsesOf(get, kind) },
		...(post &&
			kind.isWritable && {
				post: {
					...named(post, kind),
					parameters: parametersOf(post, kind, false),
					requestBody: { required: true, content: { 'application/json': { schema: newRecordSchema(kind) } } },
					responses: responsesOf(post, kind)
				}
			})
	};
}

function named(operation: Json, { name, singular, plural }: Kind): Json {
	const summary = {
		listRecords: `List ${plural}`,
		createRecord: `Create a ${singular}`,
		readRecord: `Read a ${singular}`
	};
	const id = String(operation.operationId);
	return { ...operation, operationId: `${id}_${name}`, summary: new Map(Object.entries(summary)).get(id) ?? id };
}

/** The segment of the path is that of the kind, and each field of it is a filter of its list. */
function parametersOf({ parameters }: Json, { name: kind, fields }: Kind, isList: boolean): unknown[] {
	const own = (Array.isArray(parameters) ? Array.from<unknown>(parameters) : []).filter(
		(one) => isObject(one) && one.name !== variable.slice(1, -1)
	);
	const filters = Object.entries(fields).map(([name, field]) => ({
		name,
		in: 'query',
		required: false,
		description: `Selects ${kind} with exactly this value.`,
		schema: schemaOf(field)
	}));
	return isList ? [...own, ...filters] : own;
}

function responsesOf({ responses }: Json, kind: Kind): Json {
	const record = recordSchema(kind);
	return Object.fromEntries(
		Object.entries(isObject(responses) ? responses : {}).map(([status, response]) => {
			const isPage = JSON.stringify(response).includes('/RecordPage"');
			const schema = isPage ? pageSchema(record) : record;
			const content = {
				'application/json': { schema },
				'application/xml': { schema: { ...schema, xml: { name: isPage ? 'records' : 'record' } } }
			};
			return [status, Number(status) < 300 && isObject(response) ? { ...response, content } : response];
		})
	);
}

const count = { type: 'integer', minimum: 0 };

function pageSchema(record: Json): Json {
	const properties = { page: count, per_page: count, total: count, items: { type: 'array', items: record } };
	return { type: 'object', properties, required: Object.keys(properties) };
}

function recordSchema({ fields }: Kind): Json {
	return { type: 'object', properties: { id: { type: 'string' }, ...mapFields(fields) }, required: ['id'] };
}

function newRecordSchema({ name, fields }: Kind): Json {
	const writable = Object.fromEntries(Object.entries(fields).filter(([, field]) => field.read_only !== true));
	const required = Object.keys(writable).filter((field) => writable[field]?.required === true);
	return {
		type: 'object',
		description: `Needs \`${scopeOf(name, 'write')}\`.`,
		properties: mapFields(writable),
		...(required.length > 0 && { required }),
		additionalProperties: false
	};
}

function mapFields(fields: Kind['fields']): Json {
	return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, schemaOf(field)]));
}

function schemaOf({ type, label, values, default: initial }: KindField): Json {
	const base = type === 'date' ? { type: 'string', format: 'date' } : { type: type === 'text' ? 'string' : type };
	return {
		...base,
		...(label !== undefined && { description: label }),
		...(values && { enum: values }),
		...(initial !== undefined && { default: initial })
	};
}

function methodsOf(item: unknown): { readonly get?: Json | undefined; readonly post?: Json | undefined } {
	const { get, post } = isObject(item) ? item : {};
	return { get: isObject(get) ? get : undefined, post: isObject(post) ? post : undefined };
}
