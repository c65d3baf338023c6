import type { TrafficEntry } from '#api/control/traffic.ts';
import type { SharedEvent } from '#client/storage/tab-state.svelte.ts';
import { resourceEndpoint } from './endpoint-names.ts';
import { flowOf, shownFlow } from './flow-choice.ts';
import {
	emptyFilter,
	type FilterField,
	type InspectorFilter,
	type InspectorViewName,
	isEmpty,
	matcher,
	readInspectorQuery,
	writeInspectorQuery
} from './inspector-filter.ts';
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

/** What the inspector shows and what is selected in it. All of its views share one. */
export class Inspector {
	/** The exchanges of the sandbox that were read so far, oldest first. */
	entries: readonly TrafficEntry[] = $state.raw([]);
	/** The events of our own clients in this browser, by tab, oldest first. They contain no secret. */
	events: readonly SharedEvent[] = $state.raw([]);
	/** The names of the applications of the sandbox, by client_id. */
	applications: ReadonlyMap<string, string> = $state.raw(new Map());
	/** What the world of the sandbox calls its resource. */
	noun: string = $state(resourceEndpoint);
	/** An exported file that is shown in place of the sandbox. */
	file: { readonly name: string; readonly entries: readonly TrafficEntry[] } | undefined = $state.raw();
	/** `X-Request-Id` of the selected exchange. */
	selectedId: string | undefined = $state();
	/** `X-Request-Id` of the exchange that the selected one is compared with. */
	comparedId: string | undefined = $state();
	/** The value that is followed: a label (`code 3`), a client_id or a redirect URI. Every place where it occurs is highlighted. */
	followed: string | undefined = $state();
	/** The number of the last exchange that the views show. Undefined: all, and new ones as they arrive. */
	position: number | undefined = $state();
	view: InspectorViewName = $state('timeline');
	filter: InspectorFilter = $state.raw(emptyFilter);
	/** An exchange that was read on its own, because it is not in `entries`. */
	single: TrafficEntry | undefined = $state.raw();

	/** What an application is called: its name, or the client_id of one that is not known. */
	readonly nameOf: (client_id: string) => string = $derived.by(() => {
		const { applications } = this;
		return (client_id) => applications.get(client_id) ?? client_id;
	});

	/** The exchanges of the sandbox, or of the open file. */
	readonly all: readonly TrafficEntry[] = $derived(this.file?.entries ?? this.entries);

	/** The exchanges up to `position`. */
	readonly shown: readonly TrafficEntry[] = $derived.by(() => {
		const { position, all } = this;
		return position === undefined ? all : all.filter(({ seq }) => seq <= position);
	});

	readonly #filtering = $derived(new FilteredEntries(this.filter, this.applications, this.noun));

	/** The exchanges up to `position` that pass the filter. */
	readonly filtered: readonly TrafficEntry[] = $derived(this.#filtering.update(this.shown));

	/** The events to show between the filtered exchanges: none while a filter is for parts of exchanges. */
	readonly filteredEvents: readonly SharedEvent[] = $derived.by(() => {
		const { endpoint, status, outcome, q } = this.filter;
		const isWhole = [endpoint, status, outcome, q].every((value) => value === '');
		return isWhole && this.file === undefined ? this.events : [];
	});

	readonly selected: TrafficEntry | undefined = $derived.by(() => {
		const { selectedId, single } = this;
		if (selectedId === undefined) return undefined;
		return this.all.find(({ id }) => id === selectedId) ?? (single?.id === selectedId ? single : undefined);
	});

	/** The flow that the diagram shows. */
	readonly flow: string = $derived(this.filter.flow || shownFlow(this.shown, this.selected));

	/** The exchanges of that flow up to `position`. */
	readonly flowEntries: readonly TrafficEntry[] = $derived(this.shown.filter((entry) => flowOf(entry) === this.flow));

	/** The view, the filter and the selection as the query of a page. */
	readonly search: string = $derived(
		writeInspectorQuery({ view: this.view, filter: this.filter, request: this.selectedId })
	);

	/** Sets the view, the filter and the selection to those of a query. */
	setSearch(search: string): void {
		const { view, filter, request } = readInspectorQuery(search);
		this.view = view;
		this.filter = filter;
		this.selectedId = request;
	}

	setFilter(field: FilterField, value: string): void {
		this.filter = { ...this.filter, [field]: value };
	}

	/** Shows the exchanges of a file; undefined: those of the sandbox. */
	openFile(file: { readonly name: string; readonly entries: readonly TrafficEntry[] } | undefined): void {
		this.file = file;
		this.selectedId = undefined;
		this.comparedId = undefined;
		this.position = undefined;
		this.clearFilter();
	}

	clearFilter(): void {
		this.filter = emptyFilter;
	}
}
