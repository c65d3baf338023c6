/** Length from which a text is shortened. */
const longest = 24;

/**
 * A JSON text for a narrow place: long texts are shortened.
 * @param indent number of spaces. 0: in one line
 * @returns the text itself where it is no JSON
 */
export function shortJson(text: string, indent = 0): string {
	try {
		const body: unknown = JSON.parse(text);
		return JSON.stringify(body, (_key, value: unknown) => shorten(value), indent);
	} catch {
		return text;
	}
}

function shorten(value: unknown): unknown {
	if (typeof value !== 'string') return value;
	return value.length > longest ? `${value.slice(0, longest)}…` : value;
}
