import * as v from 'valibot';
import { conditionId, severalLines } from '#evidence/lesson-file/texts.ts';

/** A part of a file, as a form shows it. `json`: only as text. */
export type Part =
	| {
			readonly kind: 'text';
			readonly most: number;
			/** Whether it has several lines. */
			readonly isCode: boolean;
			/** Whether it is the id of a condition. */
			readonly isReference: boolean;
	  }
	| { readonly kind: 'choice'; readonly options: readonly string[] }
	| { readonly kind: 'number'; readonly least: number | undefined; readonly most: number | undefined }
	| { readonly kind: 'switch' }
	| { readonly kind: 'fixed'; readonly value: string | number | boolean }
	| { readonly kind: 'list'; readonly item: Part; readonly least: number; readonly most: number }
	| { readonly kind: 'tuple'; readonly items: readonly Part[] }
	| { readonly kind: 'object'; readonly fields: readonly FormField[] }
	| { readonly kind: 'variant'; readonly options: readonly VariantOption[] }
	| { readonly kind: 'json' };

export type FormField = {
	/** In the file. */
	readonly name: string;
	readonly label: string;
	readonly hint: string | undefined;
	readonly isOptional: boolean;
	readonly part: Part;
};

/** One of the objects that a part can be. Its `kind` says which. */
type VariantOption = {
	readonly kind: string;
	readonly label: string;
	readonly hint: string | undefined;
	readonly fields: readonly FormField[];
};

const known = new WeakMap<object, Part>();

/** How a form shows what a schema accepts. The schema has the labels, the hints and the limits. */
export function partOf(schema: unknown): Part {
	if (!isSchema(schema)) return { kind: 'json' };
	const found = known.get(schema) ?? readPart(schema);
	known.set(schema, found);
	return found;
}

/** `after_expiry` and `shownBy` in words. */
export function labelOf(name: string): string {
	const words = name.replaceAll(/[_-]|(?=[A-Z])/g, ' ').toLowerCase();
	return words.charAt(0).toUpperCase() + words.slice(1);
}

/**
 * What a new part begins with.
 * @param newId makes the id of a condition that no other one has
 */
export function newValue(part: Part, newId: () => string): unknown {
	switch (part.kind) {
		case 'text':
			return '';
		case 'choice':
			return part.options[0];
		case 'number':
			return part.least ?? 0;
		case 'switch':
			return true;
		case 'fixed':
			return part.value;
		case 'list':
			return Array.from({ length: Math.max(1, part.least) }, () => newValue(part.item, newId));
		case 'tuple':
			return part.items.map((item) => newValue(item, newId));
		case 'object':
			return newObject(part.fields, newId);
		case 'variant':
			return newVariant(part.options[0], newId);
		case 'json':
			return {};
	}
}

/** What an object of a kind begins with. */
export function newVariant(option: VariantOption | undefined, newId: () => string): object {
	return { kind: option?.kind, ...newObject(option?.fields ?? [], newId) };
}

function newObject(fields: readonly FormField[], newId: () => string): Record<string, unknown> {
	return Object.fromEntries(
		fields
			.filter(({ isOptional }) => !isOptional)
			.map(({ name, part }) => [name, name === 'id' && part.kind === 'text' ? newId() : newValue(part, newId)])
	);
}

function isSchema(value: unknown): value is v.GenericSchema {
	return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'schema';
}

function readPart(schema: v.GenericSchema): Part {
	const most = limitOf(schema, 'max_length');
	switch (schema.type) {
		case 'string': {
			const { $comment } = v.getMetadata(schema);
			return {
				kind: 'text',
				most: most ?? 100,
				isCode: $comment === severalLines,
				isReference: $comment === conditionId
			};
		}
		case 'number':
			return { kind: 'number', least: limitOf(schema, 'min_value'), most: limitOf(schema, 'max_value') };
		case 'boolean':
			return { kind: 'switch' };
		case 'picklist':
			return { kind: 'choice', options: listOf(schema, 'options').map(String) };
		case 'literal': {
			const value: unknown = Reflect.get(schema, 'literal');
			return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
				? { kind: 'fixed', value }
				: { kind: 'json' };
		}
		case 'array':
			return {
				kind: 'list',
				item: partOf(Reflect.get(schema, 'item')),
				least: limitOf(schema, 'min_length') ?? 0,
				most: most ?? 100
			};
		case 'strict_tuple':
			return { kind: 'tuple', items: listOf(schema, 'items').map(partOf) };
		case 'strict_object':
			return { kind: 'object', fields: fieldsOf(schema) };
		case 'variant':
			return { kind: 'variant', options: listOf(schema, 'options').map(optionOf) };
		default:
			return { kind: 'json' };
	}
}

function fieldsOf(schema: unknown): readonly FormField[] {
	const entries: unknown = typeof schema === 'object' && schema !== null ? Reflect.get(schema, 'entries') : undefined;
	return Object.entries(entries ?? {}).map(([name, entry]: [string, unknown]) => {
		const isOptional = isSchema(entry) && /^(?:exact_)?optional$/.test(entry.type);
		const inner: unknown = isOptional ? Reflect.get(entry, 'wrapped') : entry;
		const { title, description } = aboutOf(inner);
		return {
			name,
			label: title ?? labelOf(name),
			hint: description,
			isOptional,
			part: partOf(inner)
		};
	});
}

function optionOf(schema: unknown): VariantOption {
	const fields = fieldsOf(schema);
	const kind = fields.find(({ name }) => name === 'kind')?.part;
	const name = kind?.kind === 'fixed' ? String(kind.value) : '';
	return {
		kind: name,
		label: labelOf(name),
		hint: aboutOf(schema).description,
		fields: fields.filter((field) => field.name !== 'kind')
	};
}

function aboutOf(schema: unknown): { readonly title?: string | undefined; readonly description?: string | undefined } {
	if (!isSchema(schema)) return {};
	const text = (value: unknown) => (typeof value === 'string' ? value : undefined);
	const { title, description } = v.getMetadata(schema);
	return { title: text(title), description: text(description) };
}

/** The strictest limit of a kind: a text with its own has the first and the last. */
function limitOf(schema: object, type: string): number | undefined {
	const limits = listOf(schema, 'pipe').flatMap((item) => {
		if (typeof item !== 'object' || item === null) return [];
		if (isSchema(item) && item !== schema && 'pipe' in item) return limitOf(item, type) ?? [];
		const limit: unknown = Reflect.get(item, 'type') === type ? Reflect.get(item, 'requirement') : undefined;
		return typeof limit === 'number' ? [limit] : [];
	});
	return limits.length === 0 ? undefined : Math.min(...limits);
}

function listOf(schema: object, name: string): readonly unknown[] {
	const list: unknown = Reflect.get(schema, name);
	return Array.isArray(list) ? list : [];
}

/** Whether a part is one value. */
export function isScalar({ kind }: Part): boolean {
	return ['text', 'choice', 'number', 'switch', 'fixed'].includes(kind);
}

/** Whether the fields of a part can show a value. What they cannot is shown as JSON. */
export function fitsPart(part: Part, value: unknown): boolean {
	if (part.kind === 'json') return false;
	if (value === undefined) return true;
	if (part.kind === 'list' || part.kind === 'tuple') return Array.isArray(value);
	if (part.kind === 'object' || part.kind === 'variant')
		return typeof value === 'object' && value !== null && !Array.isArray(value);
	const type = typeof value;
	return part.kind === 'switch' || (part.kind === 'fixed' && part.value === true)
		? type === 'boolean'
		: type === 'string' || (type === 'number' && part.kind === 'number');
}

/** What an item of a list is called while it is folded. */
export function titleOf(item: unknown): string {
	if (typeof item !== 'object' || item === null) return '';
	const values = new Map<string, unknown>(Object.entries(item));
	const named = ['title', 'label', 'question', 'belief', 'text', 'kind', 'name', 'client_id'];
	const found = named.map((name) => values.get(name)).find((value) => typeof value === 'string' && value !== '');
	const shows = values.get('shows');
	return typeof found === 'string' ? found : shows === undefined ? 'New' : titleOf(shows);
}
