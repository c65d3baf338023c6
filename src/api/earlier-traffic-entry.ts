import type { TrafficEntry } from './control/traffic.ts';
import { addReferences, valueKinds, type UnreferencedEntry } from './value-references.ts';

/** Version 1 of the format wrote `‹code 3 GQVJab…›` in place of a value, or `‹state 2›` for a short one. */
const marker = new RegExp(String.raw`‹((?:${valueKinds.join('|')}) \d+)(?: ([\w~.+/=-]{6}…))?›`, 'g');

/** Converts an entry that an earlier version of the service or the inspector stored. Returns others unchanged. */
export function upgradeTrafficEntry(entry: UnreferencedEntry | TrafficEntry): TrafficEntry {
	if ('references' in entry) return entry;
	return addReferences(entry, marker, ([, label, preview = '']) =>
		entry.values.findIndex((value) => value.label === label && value.preview === preview)
	);
}
