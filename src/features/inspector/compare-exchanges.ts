import type { TrafficEntry, TrafficValue } from '#api/control/traffic.ts';
import { hasFailed } from './explain-failure.ts';
import {
	bodyFormat,
	queryOf,
	readMembers,
	readParameters,
	splitTarget,
	type Parameter
} from './message/http-message.ts';
import {
	bodyOf,
	headersOf,
	joinTexts,
	partsOf,
	plainText,
	targetOf,
	type MessageText
} from '#evidence/message-text.ts';

/** A part of two requests, or a check of two traces. Undefined: one of them does not have it. */
export type ComparedRow = {
	readonly part:
		| 'method'
		| 'path'
		| 'query'
		| 'body'
		| 'header'
		| 'status'
		| 'response header'
		| 'response body'
		| 'check';
	readonly name: string;
	readonly one: MessageText | undefined;
	readonly other: MessageText | undefined;
	/** One-time values are new in every request, so only their kinds are compared. */
	readonly differs: boolean;
	/** Whether one-time values are the same, too. */
	readonly isSame: boolean;
};

/** Headers that say how a message traveled, or that every browser sets in its own way. */
const transport =
	/^(?:accept-encoding|accept-language|cache-control|connection|content-length|cookie|dnt|host|pragma|priority|referer|sec-.*|te|upgrade-insecure-requests|user-agent|x-forwarded-.*)$/;

/** Headers of a response that are new in each one, or say how it traveled. */
const ofTheResponse =
	/^(?:connection|content-length|date|keep-alive|set-cookie|x-content-type-options|x-request-id|x-tollgate-.*)$/;

/** Compares the requests of two exchanges and what was checked, in the order in which a reader should look. */
export function compareExchanges(one: TrafficEntry, other: TrafficEntry): ComparedRow[] {
	const pathOf = ({ request }: TrafficEntry) => plainText(splitTarget(request.target).path);
	return [
		row('method', 'method', plainText(one.request.method), plainText(other.request.method)),
		row('path', 'path', pathOf(one), pathOf(other)),
		...rowsOf('query', readParameters(queryOf(targetOf(one))), readParameters(queryOf(targetOf(other)))),
		...rowsOf('body', fieldsOf(one, 'request'), fieldsOf(other, 'request')),
		...rowsOf('header', comparedHeaders(one, 'request'), comparedHeaders(other, 'request')),
		...rowsOf('check', checksOf(one), checksOf(other))
	];
}

/** Compares the responses of two exchanges. */
export function compareResponses(one: TrafficEntry, other: TrafficEntry): ComparedRow[] {
	const statusOf = ({ response }: TrafficEntry) => plainText(String(response?.status ?? 'no response'));
	return [
		row('status', 'status', statusOf(one), statusOf(other)),
		...rowsOf('response header', comparedHeaders(one, 'response'), comparedHeaders(other, 'response')),
		...rowsOf('response body', fieldsOf(one, 'response'), fieldsOf(other, 'response'))
	];
}

/**
 * Compares both messages of two exchanges of the same client. Where one service goes on with its form and the other rejects the
 * request, the form is not what the client sent: then only the responses are compared.
 */
export function compareOutcomes(one: TrafficEntry, other: TrafficEntry): ComparedRow[] {
	const isForm = ({ endpoint, request }: TrafficEntry) => endpoint === 'auth' && request.method === 'POST';
	const ofClient = isForm(one) === isForm(other) ? compareExchanges(one, other) : [];
	return [...ofClient, ...compareResponses(one, other)];
}

/** Takes the ids of the sandboxes out of the row of the paths. Other rows stay the same. */
export function withoutSandbox(row: ComparedRow): ComparedRow {
	if (row.part !== 'path') return row;
	const [one, other] = [row.one, row.other].map((path) => plainText(path?.text.replace(/^\/~[^/]+/, '') ?? ''));
	const differs = one?.text !== other?.text;
	return { ...row, one, other, differs, isSame: !differs };
}

function rowsOf(part: ComparedRow['part'], one: readonly Parameter[], other: readonly Parameter[]): ComparedRow[] {
	return namesOf(one, other).map((name) => row(part, name, valueOf(one, name), valueOf(other, name)));
}

/** The latest exchange of the same endpoint with the opposite outcome, of the same application if there is one. */
export function suggestComparison(entry: TrafficEntry, entries: readonly TrafficEntry[]): TrafficEntry | undefined {
	const failed = hasFailed(entry);
	const opposite = entries.filter((one) => one.endpoint === entry.endpoint && hasFailed(one) !== failed);
	return opposite.findLast(({ client_id }) => client_id === entry.client_id) ?? opposite.at(-1);
}

function row(
	part: ComparedRow['part'],
	name: string,
	one: MessageText | undefined,
	other: MessageText | undefined
): ComparedRow {
	const isSame = keyOf(one, ({ label }) => label) === keyOf(other, ({ label }) => label);
	return { part, name, one, other, differs: keyOf(one, kindOf) !== keyOf(other, kindOf), isSame };
}

/** Texts with the same key are the same, where values with the same name are. */
function keyOf(text: MessageText | undefined, nameOf: (value: TrafficValue) => string): string | undefined {
	return text && JSON.stringify(partsOf(text).map((part) => (part.value ? [nameOf(part.value)] : part.text)));
}

function kindOf({ label }: TrafficValue): string {
	return label.replace(/ \d+$/, '');
}

function fieldsOf(entry: TrafficEntry, message: 'request' | 'response'): readonly Parameter[] {
	const body = bodyOf(entry, message);
	const format = bodyFormat(entry[message]?.headers ?? []);
	if (format === 'form') return readParameters(body);
	const members = format === 'json' ? readMembers(body) : undefined;
	return members ?? (body.text === '' ? [] : [['body', body]]);
}

function comparedHeaders(entry: TrafficEntry, message: 'request' | 'response'): Parameter[] {
	const ignored = message === 'request' ? transport : ofTheResponse;
	return headersOf(entry, message).flatMap(([name, value]) =>
		ignored.test(name.toLowerCase()) ? [] : [[name.toLowerCase(), value] as const]
	);
}

function checksOf({ trace }: TrafficEntry): Parameter[] {
	return trace.map(({ id, outcome, cause }) => [id, plainText(cause === undefined ? outcome : `${outcome}: ${cause}`)]);
}

function namesOf(one: readonly Parameter[], other: readonly Parameter[]): string[] {
	return [...new Set([...one, ...other].map(([name]) => name))];
}

/** All values of a name. A parameter that was sent twice has two. */
function valueOf(list: readonly Parameter[], name: string): MessageText | undefined {
	const values = list.flatMap(([one, value]) => (one === name ? [value] : []));
	if (values.length === 0) return undefined;
	return joinTexts(...values.flatMap((value, index) => (index === 0 ? [value] : ['\n', value])));
}
