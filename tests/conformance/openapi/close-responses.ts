import type { Content, OpenApi, OperationObject, PathItem, Schema } from '#service/openapi/json-schema.ts';

/** The document with closed responses: a field that it does not describe is an error. Clients must accept such fields. */
export function closeResponses(document: OpenApi): OpenApi {
	const { schemas } = document.components;
	const closed = Object.entries(schemas).map(([name, schema]) => [`${name}Closed`, close(schema)] as const);
	return {
		...document,
		paths: mapValues(document.paths, (item): PathItem => mapValues(item, closeOperation)),
		components: { ...document.components, schemas: { ...schemas, ...Object.fromEntries(closed) } }
	};
}

function closeOperation(operation: OperationObject): OperationObject {
	const responses = mapValues(operation.responses, ({ content, ...rest }) => ({
		...rest,
		...(content && { content: mapValues(content, ({ schema }): Content[string] => ({ schema: close(schema) })) })
	}));
	return { ...operation, responses };
}

function close(schema: Schema): Schema {
	const { $ref, properties, items, prefixItems, anyOf, oneOf } = schema;
	return {
		...schema,
		...($ref && { $ref: `${$ref}Closed` }),
		...(properties && { additionalProperties: false, properties: mapValues(properties, closeAny) }),
		...(items && { items: Array.isArray(items) ? items.map(closeAny) : closeAny(items) }),
		...(prefixItems && { prefixItems: prefixItems.map(closeAny) }),
		...(anyOf && { anyOf: anyOf.map(closeAny) }),
		...(oneOf && { oneOf: oneOf.map(closeAny) })
	};
}

function closeAny(schema: Schema | boolean): Schema | boolean {
	return typeof schema === 'boolean' ? schema : close(schema);
}

function mapValues<T, R>(object: Readonly<Record<string, T>>, map: (value: T) => R): Record<string, R> {
	return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, map(value)]));
}
