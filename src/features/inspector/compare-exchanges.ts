import type { TrafficEntry } from '#api/control/traffic.ts';
import { valueMarker } from '#api/value-marker.ts';
import { hasFailed } from './explanations/explain.ts';
import { bodyFormat, readParameters, splitTarget, type Parameter } from './message/http-message.ts';

/** A part of two requests, or a check of two traces. Undefined: one of them does not have it. */
export type ComparedRow = {
	readonly part: 'method' | 'path' | 'query' | 'body' | 'header' | 'check';
	readonly name: string;
	readonly one: string | undefined;
	readonly other: string | undefined;
	readonly differs: boolean;
};

/** Headers that say how a message travelled, or that every browser sets in its own way. */
const transport =
	/^(?:accept-encoding|accept-language|cache-control|connection|content-length|cookie|dnt|host|pragma|priority|referer|sec-.*|te|upgrade-insecure-requests|user-agent|x-forwarded-.*)$/;

/** Compares the requests of two exchanges and what was checked, in the order in which a reader should look. */
export function compareExchanges(one: TrafficEntry, other: TrafficEntry): ComparedRow[] {
	const rows = (part: ComparedRow['part'], ...[left, right]: [readonly Parameter[], readonly Parameter[]]) =>
		namesOf(left, right).map((name) => row(part, name, valueOf(left, name), valueOf(right, name)));
	const [request, otherRequest] = [one.request, other.request];
	const [target, otherTarget] = [splitTarget(request.target), splitTarget(otherRequest.target)];
	return [
		row('method', 'method', request.method, otherRequest.method),
		row('path', 'path', target.path, otherTarget.path),
		...rows('query', readParameters(target.query), readParameters(otherTarget.query)),
		...rows('body', fieldsOf(one), fieldsOf(other)),
		...rows('header', headersOf(one), headersOf(other)),
		...rows('check', checksOf(one), checksOf(other))
	];
}

/** The latest exchange of the same endpoint with the opposite outcome, of the same application if there is one. */
export function suggestComparison(entry: TrafficEntry, entries: readonly TrafficEntry[]): TrafficEntry | undefined {
	const failed = hasFailed(entry);
	const opposite = entries.filter((one) => one.endpoint === entry.endpoint && hasFailed(one) !== failed);
	return opposite.findLast(({ client_id }) => client_id === entry.client_id) ?? opposite.at(-1);
}

function row(part: ComparedRow['part'], name: string, one: string | undefined, other: string | undefined): ComparedRow {
	return { part, name, one, other, differs: withoutNumbers(one) !== withoutNumbers(other) };
}

/** One-time values are new in every request, so only their kinds are compared. */
function withoutNumbers(text: string | undefined): string | undefined {
	return text?.replace(valueMarker, (_, label: string) => `‹${label.replace(/ \d+$/, '')}›`);
}

function fieldsOf({ request: { headers, body } }: TrafficEntry): Parameter[] {
	const format = bodyFormat(headers);
	if (format === 'form') return readParameters(body);
	if (format === 'json') {
		try {
			const data: unknown = JSON.parse(body);
			if (data !== null && typeof data === 'object')
				return Object.entries(data).map(([name, value]) => [name, JSON.stringify(value)]);
		} catch {
			// It is compared as a whole.
		}
	}
	return body === '' ? [] : [['body', body]];
}

function headersOf({ request }: TrafficEntry): Parameter[] {
	return request.headers.flatMap(([name, value]) =>
		transport.test(name.toLowerCase()) ? [] : [[name.toLowerCase(), value] as const]
	);
}

function checksOf({ trace }: TrafficEntry): Parameter[] {
	return trace.map(({ id, outcome, cause }) => [id, cause === undefined ? outcome : `${outcome}: ${cause}`]);
}

function namesOf(one: readonly Parameter[], other: readonly Parameter[]): string[] {
	return [...new Set([...one, ...other].map(([name]) => name))];
}

/** All values of a name. A parameter that was sent twice has two. */
function valueOf(list: readonly Parameter[], name: string): string | undefined {
	const values = list.flatMap(([one, value]) => (one === name ? [value] : []));
	return values.length === 0 ? undefined : values.join('\n');
}
