import type { TrafficEntry } from '#api/control/traffic.ts';
import { endpointId, endpointName, resourceEndpoint } from './endpoint-names.ts';
import { flowLabel } from './flow-choice.ts';
import {
	emptyFilter,
	type FilterField,
	filterFields,
	type InspectorFilter,
	statusClassOf
} from './inspector-filter.ts';
import { changeOf } from './list-change.ts';
import { surpriseWord } from './surprises.ts';

export type FilterChoice = { readonly value: string; readonly label: string };

/** The filters that are chosen from values of the log. */
export type ChoiceField = 'client_id' | 'endpoint' | 'status' | 'user' | 'flow';

/** How many flows can be chosen: the newest ones. */
const mostFlows = 50;

type Flow = { readonly flow: string; readonly at: number; readonly client_id: string | undefined; username?: string };

/** The values that the filters can have for a growing log. An entry that arrives is counted, and the others are not read again. */
export class FilterChoices {
	/** How many entries have something that a provider does otherwise than the standards. */
	surprises = 0;
	#entries: readonly TrafficEntry[] = [];
	/** How many entries have each value. */
	readonly #counts: Readonly<Record<ChoiceField, Map<string, number>>> = {
		client_id: new Map(),
		endpoint: new Map(),
		status: new Map(),
		user: new Map(),
		flow: new Map()
	};
	readonly #flows = new Map<string, Flow>();
	#nameOf: ((client_id: string) => string) | undefined;
	#noun: string | undefined;
	#choices: Readonly<Record<ChoiceField, readonly FilterChoice[]>> | undefined;

	/**
	 * The values of each filter: flows newest first, others sorted. The same object as before if nothing has changed.
	 * @param entries oldest first
	 * @param nameOf what an application is called. Another function makes other choices
	 * @param noun of the world, for its endpoint
	 */
	update(
		entries: readonly TrafficEntry[],
		nameOf: (client_id: string) => string = String,
		noun: string = resourceEndpoint
	): Readonly<Record<ChoiceField, readonly FilterChoice[]>> {
		const change = changeOf(this.#entries, entries) ?? { dropped: this.#entries, added: entries };
		this.#entries = entries;
		if (nameOf !== this.#nameOf || noun !== this.#noun) this.#choices = undefined;
		this.#nameOf = nameOf;
		this.#noun = noun;
		for (const entry of change.dropped) this.#count(entry, -1);
		for (const entry of change.added) {
			this.#count(entry, 1);
			this.#nameFlow(entry);
		}
		const sorted = (field: ChoiceField) =>
			[...this.#counts[field].keys()].sort().map((value) => ({ value, label: value }));
		const newestFlows = () =>
			[...this.#flows.values()]
				.slice(-mostFlows)
				.reverse()
				.map((flow) => ({
					value: flow.flow,
					label: flowLabel(flow.at, flow.client_id && nameOf(flow.client_id), flow.username)
				}));
		return (this.#choices ??= {
			client_id: sorted('client_id').map(({ value }) => ({ value, label: nameOf(value) })),
			endpoint: sorted('endpoint').map(({ value }) => ({ value, label: endpointName(value, noun) })),
			status: sorted('status').map(({ value }) => ({ value, label: value === 'none' ? 'No response' : value })),
			user: sorted('user'),
			flow: newestFlows()
		});
	}

	#count(entry: TrafficEntry, by: 1 | -1): void {
		const { client_id, endpoint, username: user, flow } = entry;
		if (surpriseWord(entry) !== undefined) this.surprises += by;
		this.#countValue('client_id', client_id, by);
		this.#countValue('endpoint', endpoint, by);
		this.#countValue('status', statusClassOf(entry), by);
		this.#countValue('user', user, by);
		this.#countValue('flow', flow, by);
		if (flow !== undefined && !this.#counts.flow.has(flow)) this.#flows.delete(flow);
	}

	#countValue(field: ChoiceField, value: string | undefined, by: 1 | -1): void {
		if (value === undefined) return;
		const counts = this.#counts[field];
		const count = (counts.get(value) ?? 0) + by;
		if (count > 0) counts.set(value, count);
		else counts.delete(value);
		if (count === 0 || (count === 1 && by === 1)) this.#choices = undefined;
	}

	#nameFlow({ flow, at, client_id, username }: TrafficEntry): void {
		if (flow === undefined) return;
		const known = this.#flows.get(flow) ?? { flow, at, client_id };
		this.#flows.set(flow, known);
		if (known.username !== undefined || username === undefined) return;
		known.username = username;
		this.#choices = undefined;
	}
}

/** The names of the fields in a search, and other names that users type. */
const names: Readonly<Record<string, FilterField>> = {
	app: 'client_id',
	application: 'client_id',
	client_id: 'client_id',
	endpoint: 'endpoint',
	status: 'status',
	outcome: 'outcome',
	user: 'user',
	flow: 'flow'
};

/** A word, or a field with its value. A value with spaces is quoted as in JSON. */
const part = /([a-z_]+):("(?:[^"\\]|\\.)*"|\S+)|\S+/g;

/**
 * Reads a search: `status:400 endpoint:token user:player-one`, and words that an exchange must contain. The last value of a field
 * counts. What has the form of a field and is none, or has no value yet, is a word.
 * @param noun of the world, for its endpoint: `endpoint:account`
 */
export function parseFilter(text: string, noun: string = resourceEndpoint): InspectorFilter {
	const filter: Record<FilterField, string> = { ...emptyFilter };
	const words: string[] = [];
	for (const [whole, name = '', value = ''] of text.matchAll(part)) {
		const field = Object.hasOwn(names, name) ? names[name] : undefined;
		if (field === undefined) words.push(whole);
		else filter[field] = unquote(value);
	}
	return { ...filter, endpoint: endpointId(filter.endpoint, noun), q: words.join(' ') };
}

/**
 * A filter as a search that `parseFilter` reads.
 * @param noun of the world. Absent: the search has the ids of endpoints, and is the same in all worlds
 */
export function formatFilter(filter: InspectorFilter, noun: string = resourceEndpoint): string {
	const shown = { ...filter, endpoint: endpointName(filter.endpoint, noun) };
	const fields = filterFields.filter((field) => field !== 'q' && shown[field] !== '');
	return [...fields.map((field) => `${field}:${quote(shown[field])}`), shown.q].filter(Boolean).join(' ');
}

function quote(value: string): string {
	return /^[^\s"]+$/.test(value) ? value : JSON.stringify(value);
}

function unquote(value: string): string {
	if (!value.startsWith('"')) return value;
	try {
		const text: unknown = JSON.parse(value);
		return typeof text === 'string' ? text : value;
	} catch {
		return value;
	}
}
