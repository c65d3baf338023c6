import { endpointId, endpointName, resourceEndpoint } from './endpoint-names.ts';
import { emptyFilter, filterFields, type FilterField, type InspectorFilter } from './inspector-filter.ts';

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
