import type { TrafficEntry } from '#api/control/traffic.ts';
import { responseHeader } from '#evidence/rate-limit-headers.ts';

const reasons: Readonly<Record<number, string>> = {
	200: 'OK',
	201: 'Created',
	303: 'See Other',
	400: 'Bad Request',
	401: 'Unauthorized',
	403: 'Forbidden',
	404: 'Not Found',
	429: 'Too Many Requests',
	500: 'Internal Server Error',
	503: 'Service Unavailable'
};

/** The first line of a response: `401 Unauthorized`. */
export function statusLine(status: number | null): string {
	return status === null ? 'No response' : `${status} ${reasons[status] ?? ''}`.trim();
}

/** The first lines of a request, without values: `GET /ws/v2.0/character/Mara%20Vell`. */
export function requestLines({ request }: TrafficEntry): readonly string[] {
	const { method, target, headers } = request;
	const [path = '', query] = target.replace(/^\/~[^/]+/, '').split('?');
	const authorization = headers.find(([name]) => name.toLowerCase() === 'authorization')?.[1];
	return [
		`${method} ${path}${query === undefined ? '' : `?${namesOf(query)}`}`,
		...(authorization === undefined ? [] : [`Authorization: ${authorization.split(' ')[0] ?? ''} …`]),
		...(request.body === '' ? [] : [namesOf(request.body)])
	].slice(0, 2);
}

/**
 * The lines of a response that decide: the status, and the body or a header.
 * @param shows `body`, `body` and the name of a member that comes first, or the name of a header
 */
export function responseLines(entry: TrafficEntry, shows: string): readonly string[] {
	const { response } = entry;
	if (response === null) return [statusLine(null), 'The connection was closed.'];
	const [, isBody, first] = /^(body)(?: (.+))?$/.exec(shows) ?? [];
	const header = isBody === undefined ? responseHeader(entry, shows) : undefined;
	if (isBody === undefined)
		return [statusLine(response.status), `${shows}: ${header === undefined ? 'none' : shortUrl(header)}`];
	const title = /<title>([^<]*)<\/title>/.exec(response.body)?.[1];
	return [statusLine(response.status), title === undefined ? shortJson(response.body, 0, first) : `“${title}”`];
}

/** A URL with the names of its parameters only. Another text as it is. */
function shortUrl(text: string): string {
	const [url = '', query] = text.split('?');
	if (query === undefined) return text;
	return `${url.replace(/^https?:\/\/[^/]+(?:\/~[^/]+)?/, '')}?${namesOf(query)}`;
}

/** The names of parameters: `code=…&state=…`. */
function namesOf(query: string): string {
	return [...new URLSearchParams(query).keys()].map((name) => `${name}=…`).join('&');
}

import * as v from 'valibot';

const record = v.record(v.string(), v.unknown());
/** Length from which a text is shortened. */
const longest = 24;

/**
 * A JSON text for a narrow place: long texts are shortened.
 * @param indent number of spaces. 0: in one line
 * @param first name of the member to begin with
 * @returns the text itself where it is no JSON
 */
export function shortJson(text: string, indent = 0, first?: string): string {
	try {
		const body: unknown = JSON.parse(text);
		const members = v.safeParse(record, body);
		const begin =
			first !== undefined && members.success && first in members.output
				? { [first]: members.output[first], ...members.output }
				: body;
		return JSON.stringify(begin, (_key, value: unknown) => shorten(value), indent);
	} catch {
		return text;
	}
}

/** The member of two JSON objects that only one of them has, else one with another value. Undefined of equal ones, and of other texts. */
export function memberThatDiffers(one: string, other: string): string | undefined {
	try {
		const both = [one, other].map((text) => v.parse(record, JSON.parse(text)));
		const names = [...new Set(both.flatMap((body) => Object.keys(body)))];
		const valuesOf = (name: string) => new Set(both.map((body) => JSON.stringify(body[name])));
		return names.find((name) => both.some((body) => !(name in body))) ?? names.find((name) => valuesOf(name).size > 1);
	} catch {
		return undefined;
	}
}

function shorten(value: unknown): unknown {
	if (typeof value !== 'string') return value;
	return value.length > longest ? `${value.slice(0, longest)}…` : value;
}
