import type { KindField } from '#api/world/kinds.ts';
import { scopeOf } from '#api/world/record-values.ts';
import type { PublicWorld } from '#api/control/world.ts';

type Kind = NonNullable<PublicWorld['kinds']>[number];
type Json = Readonly<Record<string, unknown>>;

/** The variable segment of the paths that each kind of a world has. */
const variable = '{record_kind}';

/**
 * The paths of an OpenAPI document with those of the kinds of a world, in place of the paths of any kind.
 * @param items by path
 */
export function withKinds(
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

function isObject(value: unknown): value is Json {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
