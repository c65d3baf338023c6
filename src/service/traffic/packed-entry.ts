import { checks, type CheckId } from '#api/checks.ts';
import type { TrafficEntry, TraceLine } from '#api/control/traffic.ts';

/** A line of a trace. Without name and section, it has those of the table of checks. */
type PackedLine = Omit<TraceLine, 'name' | 'section'> & Partial<Pick<TraceLine, 'name' | 'section'>>;

/** An entry as a store outside of this process keeps it: a quarter shorter. */
export type PackedEntry = Omit<TrafficEntry, 'trace'> & { readonly trace: readonly PackedLine[] };

/** Leaves out the names and sections that the table of checks has. */
export function packEntry(entry: TrafficEntry): PackedEntry {
	return {
		...entry,
		trace: entry.trace.map((line) => {
			const { name, section, ...rest } = line;
			const known = rowOf(line.id);
			return known?.name === name && known.section === section ? rest : line;
		})
	};
}

/** Adds what `packEntry` has left out, in the order of the format. An id that the table no longer has is its own name. */
export function unpackEntry(entry: PackedEntry): TrafficEntry {
	return {
		...entry,
		trace: entry.trace.map(({ id, ...line }): TraceLine => ({ id, name: id, section: '', ...rowOf(id), ...line }))
	};
}

function rowOf(id: string): Pick<TraceLine, 'name' | 'section'> | undefined {
	if (!isCheckId(id)) return undefined;
	const { title, section = '' } = checks[id];
	return { name: title, section };
}

function isCheckId(id: string): id is CheckId {
	return Object.hasOwn(checks, id);
}
