import type { Schema } from '#service/openapi/json-schema.ts';
import type { DocField } from '#features/docs/doc-page.ts';

type Resolve = (schema: Schema) => Schema;

/** How deep fields of fields are listed. */
const deepest = 3;

/**
 * The fields of an object and of the objects in it, by path: `events[].at`.
 * @param resolve follows a reference
 */
export function fieldsOf(schema: Schema, resolve: Resolve, prefix = '', depth = 1): DocField[] {
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
export function optionsOf({ enum: options, const: only }: Schema): string[] {
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
