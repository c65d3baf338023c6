import { exampleOf } from './field-descriptions.ts';
import { referenceName, type Schema } from './json-schema.ts';

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
