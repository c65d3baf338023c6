import type { TrafficEntry } from '#api/control/traffic.ts';

/** Where an entry contains each value, and what is shown there: `code 3 in /request/body: GQVJab…`. */
export function valuePlaces(entry: TrafficEntry): string[] {
	return entry.references.map(({ pointer, start, end, value }) => {
		const label = entry.values[value]?.label ?? 'no value';
		return `${label} in ${pointer}: ${textAt(entry, pointer).slice(start, end)}`;
	});
}

/** The text at a JSON Pointer of an entry. */
function textAt(entry: TrafficEntry, pointer: string): string {
	let found: unknown = entry;
	for (const key of pointer.split('/').slice(1))
		found = typeof found === 'object' && found !== null ? new Map(Object.entries(found)).get(key) : undefined;
	if (typeof found !== 'string') throw new Error(`There is no text at ${pointer}.`);
	return found;
}
