import type { TrafficEntry } from '#api/control/traffic.ts';
import { endpointName, resourceEndpoint } from './endpoint-names.ts';
import { describeOutcome } from '#evidence/describe-exchange.ts';
import { surpriseWord } from './surprises.ts';

/** The fields that exchanges are filtered by. An empty text matches all. Each is a parameter of the page's query. */
export const filterFields = ['client_id', 'endpoint', 'status', 'outcome', 'user', 'flow', 'q'] as const;
export type FilterField = (typeof filterFields)[number];
export type InspectorFilter = Readonly<Record<FilterField, string>>;

/** Matches every exchange. */
export const emptyFilter: InspectorFilter = {
	client_id: '',
	endpoint: '',
	status: '',
	outcome: '',
	user: '',
	flow: '',
	q: ''
};

/** The result of a request: its checks passed, one failed, or there was no response. */
type Outcome = 'passed' | 'failed' | 'no_response';

/** The check that rejected a request. */
export function failedCheck(entry: TrafficEntry): TrafficEntry['trace'][number] | undefined {
	return entry.trace.findLast(({ outcome }) => outcome === 'failed');
}

/** The result of a request. */
export function outcomeOf(entry: TrafficEntry): Outcome {
	if (entry.response === null) return 'no_response';
	return failedCheck(entry) === undefined ? 'passed' : 'failed';
}

/** The class of a status: `4xx`, or `none` without a response. */
export function statusClassOf({ response }: TrafficEntry): string {
	return response === null ? 'none' : `${Math.floor(response.status / 100)}xx`;
}

/** Whether a filter has no effect. */
export function isEmpty(filter: InspectorFilter): boolean {
	return filterFields.every((field) => filter[field] === '');
}

/**
 * Returns a function that tells whether an exchange passes a filter.
 * @param applications their names by client_id. What is no client_id is searched for in the names
 * @param noun of the world, which words are searched for in
 */
export function matcher(
	filter: InspectorFilter,
	applications: ReadonlyMap<string, string> = new Map(),
	noun: string = resourceEndpoint
): (entry: TrafficEntry) => boolean {
	const { client_id, endpoint, status, outcome, user, flow } = filter;
	const words = filter.q.toLowerCase().split(/\s+/).filter(Boolean);
	const named = applications.has(client_id)
		? []
		: [...applications].filter(([, name]) => name.toLowerCase().includes(client_id.toLowerCase()));
	const clients = new Set<string | undefined>([client_id, ...named.map(([id]) => id)]);
	return (entry) =>
		(client_id === '' || clients.has(entry.client_id)) &&
		(endpoint === '' || entry.endpoint === endpoint) &&
		// `4xx` is a class, `401` one status.
		(status === '' || statusClassOf(entry) === status || String(entry.response?.status) === status) &&
		(outcome === '' || (outcome === 'surprise' ? surpriseWord(entry) !== undefined : outcomeOf(entry) === outcome)) &&
		(user === '' || entry.username === user) &&
		(flow === '' || entry.flow === flow) &&
		(words.length === 0 || includesAll(entry, words, noun));
}

function includesAll(entry: TrafficEntry, words: readonly string[], noun: string): boolean {
	const { request, response, id, address, client_id, username, endpoint, trace } = entry;
	const headers = [...request.headers, ...(response?.headers ?? [])].map((pair) => pair.join(': '));
	const checks = trace.filter((line) => line.outcome !== 'passed').map((line) => `${line.id} ${line.detail}`);
	const outcome = describeOutcome(entry, noun).text;
	const texts = [request.method, request.target, request.body, response?.status, response?.body, ...headers];
	const text = [...texts, id, address, client_id, username, endpoint, endpointName(endpoint, noun), outcome, ...checks]
		.join('\n')
		.toLowerCase();
	return words.every((word) => text.includes(word));
}

const inspectorViews = ['timeline', 'diagram', 'tokens', 'rate-limits', 'report'] as const;
export type InspectorViewName = (typeof inspectorViews)[number];

/** What the query of the page contains. */
type InspectorQuery = {
	readonly view: InspectorViewName;
	readonly filter: InspectorFilter;
	/** `X-Request-Id` of the selected exchange. */
	readonly request: string | undefined;
};

/** Longer values are cut off, so that a link cannot fill the page. */
const maxLength = 200;

/**
 * Reads the query of the inspector. Unknown values are ignored.
 * @param search of the page's URL: `?endpoint=token&status=4xx`
 */
export function readInspectorQuery(search: string): InspectorQuery {
	const params = new URLSearchParams(search);
	const value = (name: string) => (params.get(name) ?? '').slice(0, maxLength);
	const filter = { ...emptyFilter };
	for (const field of filterFields) filter[field] = value(field);
	return {
		view: inspectorViews.find((view) => view === params.get('view')) ?? 'timeline',
		filter,
		request: value('request') || undefined
	};
}

/** Writes the query. Empty without filters and selection in the first view. */
export function writeInspectorQuery({ view, filter, request }: InspectorQuery): string {
	const params = new URLSearchParams();
	if (view !== 'timeline') params.set('view', view);
	for (const field of filterFields) if (filter[field] !== '') params.set(field, filter[field]);
	if (request !== undefined) params.set('request', request);
	const query = params.toString();
	return query === '' ? '' : `?${query}`;
}
