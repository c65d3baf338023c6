import type { Template } from '#api/providers/dialect-schema.ts';

/** What templates name. Undefined: a field that is this value alone is left out. */
export type Values = Readonly<Record<string, unknown>>;

const alone = /^\{(\w+)\}$/;

/** Puts values in place of their names in braces. */
export function fill(template: Template, values: Values): unknown {
	if (typeof template === 'string') return fillText(template, values);
	if (typeof template !== 'object' || template === null) return template;
	if (isList(template)) return template.map((part) => fill(part, values));
	return Object.fromEntries(
		Object.entries(template)
			.map(([name, part]) => [name, fill(part, values)] as const)
			.filter(([, part]) => part !== undefined)
	);
}

/** The values of templates by name. */
export function fillAll(
	templates: Readonly<Record<string, Template>> = {},
	values: Values = {}
): Record<string, unknown> {
	return Object.fromEntries(Object.entries(templates).map(([name, template]) => [name, fill(template, values)]));
}

function fillText(text: string, values: Values): unknown {
	const [, name] = alone.exec(text) ?? [];
	if (name !== undefined) return values[name];
	return text.replace(/\{(\w+)\}/g, (_, one: string) => textOf(values[one]));
}

/** Header fields with their values; without those that have none. */
export function fillFields(fields: Readonly<Record<string, string>>, values: Values): string[] {
	return Object.entries(fields).flatMap(([name, template]) => {
		const value = fillText(template, values);
		return value === undefined ? [] : [name, textOf(value)];
	});
}

function isList(template: Template): template is readonly Template[] {
	return Array.isArray(template);
}

/** A value of a response as text. Lists and objects as JSON, a missing one as nothing. */
export function textOf(value: unknown): string {
	if (typeof value === 'string') return value;
	return value === undefined ? '' : JSON.stringify(value);
}
