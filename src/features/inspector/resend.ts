import type { TrafficEntry, TrafficValue } from '#api/control/traffic.ts';
import { valueMarker } from '#api/value-marker.ts';
import { findMarkers } from './values.ts';
import { bodyFormat, headerOf, type BodyFormat } from './message/http-message.ts';

/** A request that the user edits. Secrets are still markers in it. */
export type Draft = {
	readonly method: string;
	readonly target: string;
	/** One `Name: value` in each line. */
	readonly headers: string;
	readonly body: string;
};

/** What the log shows in place of a value without a label. */
const hidden = '••••';
/** Headers that a browser sets itself. */
const forbidden =
	/^(?:accept-encoding|connection|content-length|cookie|dnt|host|origin|priority|referer|sec-.*|te|upgrade-insecure-requests|user-agent|x-forwarded-.*)$/i;

/** A logged request as a draft. */
export function draftOf({ request }: TrafficEntry): Draft {
	const headers = request.headers.filter(([name]) => !forbidden.test(name));
	return { ...request, headers: headers.map(([name, value]) => `${name}: ${value}`).join('\n') };
}

/**
 * The labels of the values that a draft needs, each once.
 * @param values of the exchange
 */
export function labelsOf({ target, headers, body }: Draft, values: readonly TrafficValue[]): string[] {
	const text = `${target}\n${headers}\n${body}`;
	const labels = findMarkers(text, values).map(([, label = '']) => label);
	return [...new Set(text.includes(hidden) ? [...labels, hidden] : labels)];
}

/**
 * The request of a draft, with its secrets.
 * @param secrets by label
 * @param origin of the service, the only place that it is sent to
 */
export function requestOf(
	draft: Draft,
	secrets: ReadonlyMap<string, string>,
	origin: string
): { url: string; init: RequestInit } {
	const headers = draft.headers.split('\n').flatMap((line): [string, string][] => {
		const [, name, value = ''] = /^\s*([^\s:]+)\s*:\s*(.*?)\s*$/.exec(line) ?? [];
		return name === undefined ? [] : [[name, fill(value, secrets, (text) => text)]];
	});
	const body = fill(draft.body, secrets, encoders[bodyFormat(headers)]);
	const hasBody = body !== '' && !/^(?:GET|HEAD)$/i.test(draft.method);
	return {
		url: `${origin}/${fill(draft.target, secrets, encodeURIComponent).replace(/^\//, '')}`,
		init: { method: draft.method, headers, ...(hasBody ? { body } : {}), redirect: 'manual' }
	};
}

/** The exchange of a request that was sent after `seq`, by the id of its response, or by method and path if no id can be read. */
export function findSent(
	entries: readonly TrafficEntry[],
	sent: { readonly seq: number; readonly id: string | undefined; readonly method: string; readonly target: string }
): TrafficEntry | undefined {
	const path = sent.target.split('?', 1)[0];
	return entries.find(({ seq, id, request }) =>
		sent.id === undefined
			? seq > sent.seq && request.method === sent.method && request.target.split('?', 1)[0] === path
			: id === sent.id
	);
}

/** The id that a response has. Redirects hide it from scripts. */
export function requestIdOf(response: Response): string | undefined {
	return headerOf([...response.headers], 'x-request-id');
}

const plain = (text: string): string => text;
const encoders: Readonly<Record<BodyFormat, (text: string) => string>> = {
	form: encodeURIComponent,
	json: (text) => JSON.stringify(text).slice(1, -1),
	xml: plain,
	html: plain,
	text: plain
};

function fill(text: string, secrets: ReadonlyMap<string, string>, encode: (text: string) => string): string {
	const filled = text.replace(valueMarker, (marker, label: string) => encode(secrets.get(label) ?? marker));
	return filled.replaceAll(hidden, () => encode(secrets.get(hidden) ?? ''));
}
