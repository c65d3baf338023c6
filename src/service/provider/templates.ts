import type { Template } from '#api/providers/dialect-schema.ts';

/** What templates name. Undefined: a field or an item that is this value alone is left out. */
export type Values = Readonly<Record<string, unknown>>;

const alone = /^\{(\w+)\}$/;

/** How many characters values can still add. Anyone writes worlds, and may name a long value thousands of times. */
type Room = { left: number };

const wholeRoom = (): Room => ({ left: 500_000 });

/** Puts values in place of their names in braces, and nothing where there is no room left. */
export function fill(template: Template, values: Values, room = wholeRoom()): unknown {
	if (typeof template === 'string') return fillText(template, values, room);
	if (typeof template !== 'object' || template === null) return template;
	if (isList(template)) return template.map((part) => fill(part, values, room)).filter((part) => part !== undefined);
	return Object.fromEntries(Object.entries(fillAll(template, values, room)).filter(([, part]) => part !== undefined));
}

/** The values of templates by name. */
export function fillAll(
	templates: Readonly<Record<string, Template>> = {},
	values: Values = {},
	room = wholeRoom()
): Record<string, unknown> {
	return Object.fromEntries(Object.entries(templates).map(([name, template]) => [name, fill(template, values, room)]));
}

function fillText(text: string, values: Values, room: Room): unknown {
	const valueOf = (name = '') => {
		// Every object has a constructor, which is no value.
		const value = Object.hasOwn(values, name) ? values[name] : undefined;
		room.left -= textOf(value).length;
		return room.left < 0 ? undefined : value;
	};
	const [whole, name] = alone.exec(text) ?? [];
	return whole === undefined ? text.replace(/\{(\w+)\}/g, (_, one: string) => textOf(valueOf(one))) : valueOf(name);
}

/** Header fields with their values; without those that have none. */
export function fillFields(fields: Readonly<Record<string, string>>, values: Values): string[] {
	return Object.entries(fillAll(fields, values)).flatMap(([name, value]) =>
		value === undefined ? [] : [name, textOf(value)]
	);
}

function isList(template: Template): template is readonly Template[] {
	return Array.isArray(template);
}

/** A value of a response as text. Lists and objects as JSON, a missing one as nothing. */
export function textOf(value: unknown): string {
	if (typeof value === 'string') return value;
	return value === undefined ? '' : JSON.stringify(value);
}
