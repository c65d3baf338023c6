import { parseJson } from '#client/rate-limit/json-value.ts';

/**
 * The fields of a resource as text for a form, one per line: `balance: 4120.5`.
 * @param fields an object; anything else has no fields
 */
export function fieldsText(fields: unknown): string {
	if (typeof fields !== 'object' || fields === null) return '';
	return Object.entries(fields)
		.map(([name, value]: [string, unknown]) => `${name}: ${valueText(value)}`)
		.join('\n');
}

/** The fields that `fieldsText` wrote, or a user. A value that is no JSON is a text. A line without a colon is a name. */
export function readFields(text: string): Record<string, unknown> {
	const lines = text.split('\n').filter((line) => line.trim() !== '');
	return Object.fromEntries(
		lines.map((line) => {
			const [name = '', ...value] = line.split(':');
			return [name.trim(), readValue(value.join(':').trim())];
		})
	);
}

/** A list of texts for a form: `type, balance`. Anything else is empty. */
export function listText(list: unknown): string {
	return Array.isArray(list) ? list.join(', ') : '';
}

/** The list that `listText` wrote, or a user. */
export function readList(text: string): string[] {
	return text.split(/[\s,]+/).filter((item) => item !== '');
}

/** A list of texts for a form, one per line. Anything else is empty. */
export function linesText(list: unknown): string {
	return Array.isArray(list) ? list.join('\n') : '';
}

/** The list that `linesText` wrote, or a user. Undefined if it is empty. */
export function readLines(text: string): string[] | undefined {
	const lines = text.split(/\s+/).filter((line) => line !== '');
	return lines.length === 0 ? undefined : lines;
}

/** A text is written in quotes only where it would be read as something else. */
function valueText(value: unknown): string {
	const isPlain = typeof value === 'string' && !value.includes('\n') && readValue(value.trim()) === value;
	return isPlain ? value : JSON.stringify(value);
}

function readValue(text: string): unknown {
	const value = parseJson(text) ?? text;
	// An account number is longer than a number can be, and a price ends with a zero.
	return typeof value === 'number' && String(value) !== text ? text : value;
}
