import { emptyFilter, filterFields, type InspectorFilter } from './inspector-filter.ts';

const inspectorViews = ['timeline', 'diagram', 'tokens', 'rate-limits', 'report'] as const;
export type InspectorViewName = (typeof inspectorViews)[number];

/** What the query of the page contains. */
export type InspectorQuery = {
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
