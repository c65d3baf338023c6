import type { World } from './world.ts';
import { wordsOf } from './world-words.ts';

/** A field of a resource, as the API description shows it. */
export type ResourceField = {
	readonly name: string;
	/** What the pages call it. Absent: its name. */
	readonly label?: string | undefined;
	/** The permissions that open it. None: it is public. */
	readonly scopes: readonly string[];
};

/**
 * The fields that a world names: those that permissions open, and those with a label.
 * @returns undefined if they are those of the demo world
 */
export function resourceFields({ permissions, resource }: World): readonly ResourceField[] | undefined {
	const labels: ReadonlyMap<string, string> = new Map(Object.entries(resource.fields ?? {}));
	const opened = permissions.flatMap(({ opens }) => opens);
	if (labels.size === 0 && opened.includes('guild')) return undefined;
	return [...new Set(['name', ...opened, ...labels.keys()])].map((name) => ({
		name,
		label: labels.get(name),
		scopes: permissions.filter(({ opens }) => opens.includes(name)).map(({ scope }) => scope)
	}));
}

/** A resource as an example. Its values are left out: only users with a permission know them. */
export function exampleResource(world: World, fields: readonly ResourceField[]): Readonly<Record<string, string>> {
	const [shown = 'NAME'] = world.viewer.shows;
	return Object.fromEntries(fields.map(({ name }) => [name, name === 'name' ? shown : '…']));
}

/**
 * The OpenAPI document in the words of a world, with the fields of its resources.
 * @param document that of the demo world, as JSON
 */
export function apiInWorld(document: string, world: World): string {
	const inWords = wordsOf(world, (word) => JSON.stringify(word).slice(1, -1))(document);
	const fields = resourceFields(world);
	if (fields === undefined) return inWords;
	const properties = Object.fromEntries(fields.map((field) => [field.name, { description: describe(field) }]));
	const schema = { type: 'object', properties, required: ['name'] };
	const example = exampleResource(world, fields);
	const inWorld: unknown = JSON.parse(inWords, (key, value: unknown) => {
		if (key === 'Character') return schema;
		return key === 'example' && isDemoResource(value) ? example : value;
	});
	return JSON.stringify(inWorld);
}

function describe({ name, label, scopes }: ResourceField): string {
	const need = scopes.length === 0 ? '' : ` Needs ${scopes.map((scope) => `\`${scope}\``).join(' or ')}.`;
	return `${label ?? (name === 'name' ? 'The name' : name)}.${need}`;
}

function isDemoResource(value: unknown): boolean {
	return typeof value === 'object' && value !== null && 'guild' in value;
}
