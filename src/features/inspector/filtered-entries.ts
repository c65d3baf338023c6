import type { TrafficEntry } from '#api/control/traffic.ts';
import { isEmpty, matcher, type InspectorFilter } from './inspector-filter.ts';
import { changeOf } from './list-change.ts';

/** The exchanges of a growing log that pass a filter. Each exchange is compared with the filter once. */
export class FilteredEntries {
	readonly #filter: InspectorFilter;
	readonly #matches: (entry: TrafficEntry) => boolean;
	#entries: readonly TrafficEntry[] = [];
	#matching: readonly TrafficEntry[] = [];

	/**
	 * @param applications their names by client_id
	 * @param noun of the world
	 */
	constructor(filter: InspectorFilter, applications?: ReadonlyMap<string, string>, noun?: string) {
		this.#filter = filter;
		this.#matches = matcher(filter, applications, noun);
	}

	/**
	 * The exchanges of the log that pass.
	 * @param entries oldest first
	 */
	update(entries: readonly TrafficEntry[]): readonly TrafficEntry[] {
		if (isEmpty(this.#filter)) return entries;
		const change = changeOf(this.#entries, entries);
		this.#entries = entries;
		if (change === undefined) this.#matching = entries.filter(this.#matches);
		else {
			const lost = change.dropped.filter(this.#matches).length;
			const added = change.added.filter(this.#matches);
			if (lost + added.length > 0) this.#matching = [...this.#matching.slice(lost), ...added];
		}
		return this.#matching;
	}
}
