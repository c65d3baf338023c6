import * as v from 'valibot';

const record = v.record(v.string(), v.unknown());
/** Length from which a text is shortened. */
const longest = 24;

/**
 * A JSON text for a narrow place: long texts are shortened.
 * @param indent number of spaces. 0: in one line
 * @param first name of the member to begin with
 * @returns the text itself where it is no JSON
 */
export function shortJson(text: string, indent = 0, first?: string): string {
	try {
		const body: unknown = JSON.parse(text);
		const members = v.safeParse(record, body);
		const begin =
			first !== undefined && members.success && first in members.output
				? { [first]: members.output[first], ...members.output }
				: body;
		return JSON.stringify(begin, (_key, value: unknown) => shorten(value), indent);
	} catch {
		return text;
	}
}

/** The member of two JSON objects that only one of them has, else one with another value. Undefined of equal ones, and of other texts. */
export function memberThatDiffers(one: string, other: string): string | undefined {
	try {
		const both = [one, other].map((text) => v.parse(record, JSON.parse(text)));
		const names = [...new Set(both.flatMap((body) => Object.keys(body)))];
		const valuesOf = (name: string) => new Set(both.map((body) => JSON.stringify(body[name])));
		return names.find((name) => both.some((body) => !(name in body))) ?? names.find((name) => valuesOf(name).size > 1);
	} catch {
		return undefined;
	}
}

function shorten(value: unknown): unknown {
	if (typeof value !== 'string') return value;
	return value.length > longest ? `${value.slice(0, longest)}…` : value;
}
