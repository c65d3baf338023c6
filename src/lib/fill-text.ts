/** The place of a value in a text: its name in braces, or a sum of numbers: `{code}`, `{limit+1}`, `{burst-limit}`. */
const placeholder = /\{([a-z_]+)((?:[+-](?:[a-z_]+|\d+))*)\}/g;

/** A value by its name. A number is written with separators. Undefined for a name that has none. */
export type ValueOf = (name: string) => string | number | undefined;

/** A text with values in place of their names. What has no value stays as it is. */
export function fillText(text: string, valueOf: ValueOf): string {
	return text.replaceAll(placeholder, (found, name: string, sum: string) => filled(name, sum, valueOf) ?? found);
}

/** The first placeholder of a text that has no value. */
export function unfilled(text: string, valueOf: ValueOf): string | undefined {
	for (const [found, name = '', sum = ''] of text.matchAll(placeholder))
		if (filled(name, sum, valueOf) === undefined) return found;
	return undefined;
}

/** The value of one placeholder. Only numbers are added up. */
function filled(name: string, sum: string, valueOf: ValueOf): string | undefined {
	let total = valueOf(name);
	for (const [, sign, part = ''] of sum.matchAll(/([+-])(\w+)/g)) {
		const value = /^\d/.test(part) ? Number(part) : valueOf(part);
		if (typeof total !== 'number' || typeof value !== 'number') return undefined;
		total += sign === '-' ? -value : value;
	}
	return typeof total === 'number' ? total.toLocaleString('en') : total;
}
