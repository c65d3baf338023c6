import type { TrafficEntry } from '#api/control/traffic.ts';
import { flowMessages } from '../flow-messages.ts';
import { toMermaid } from '../diagram/diagram-export.ts';
import { toTrafficFile } from './traffic-file.ts';
import { version } from '../../../../package.json';
import { mapTexts } from '#api/value-references.ts';
import { isFrontChannel } from '../flow-groups.ts';
import { textAt, withLabels } from '#evidence/message-text.ts';

export type ExportFormat = {
	readonly id: string;
	readonly label: string;
	/** What the file is for, in a few words. */
	readonly hint: string;
	readonly fileName: string;
	readonly type: string;
	/**
	 * @param entries the exported exchanges, in order
	 * @param baseUrl of the sandbox
	 * @param resource what the world calls its resource
	 */
	readonly write: (entries: readonly TrafficEntry[], baseUrl: string, resource: string) => string;
};

const json = (value: object) => JSON.stringify(value, null, '\t');

/** The formats, the most common first. */
export const exportFormats: readonly ExportFormat[] = [
	{
		id: 'har',
		label: 'HAR 1.2',
		hint: 'For browser tools and proxies',
		fileName: 'tollgate.har',
		type: 'application/json',
		write: (entries, baseUrl) => json(toHar(entries, new URL(baseUrl).origin))
	},
	{
		id: 'json',
		label: 'JSON',
		hint: 'Everything, with all checks',
		fileName: 'tollgate-traffic.json',
		type: 'application/json',
		write: (entries) => json(toTrafficFile(entries))
	},
	{
		id: 'mermaid',
		label: 'Mermaid',
		hint: 'Sequence diagram as text',
		fileName: 'tollgate-flow.mmd',
		type: 'text/plain',
		write: (entries, _, resource) => toMermaid(flowMessages(entries, resource))
	}
];

/** A Network panel shows a request that was never blocked as stalled for its whole duration. In milliseconds. */
const blocked = 0.001;

type Pair = { readonly name: string; readonly value: string };

/**
 * The exchanges as an HTTP Archive 1.2. Each flow is a page. Labels are in place of secrets. The whole entry, with its checks, is in
 * the field `_tollgate`, which other programs ignore. `_resourceType` and `_transferSize` are Chromium's.
 * @param origin of the service: `https://localhost:8443`
 */
export function toHar(entries: readonly TrafficEntry[], origin: string): object {
	const flows = new Map<string, TrafficEntry>();
	for (const entry of entries) if (entry.flow !== undefined && !flows.has(entry.flow)) flows.set(entry.flow, entry);
	return {
		log: {
			version: '1.2',
			creator: { name: 'Tollgate', version },
			pages: [...flows].map(([id, first]) => ({
				id,
				startedDateTime: dateOf(first),
				pageTimings: {},
				title: ['Flow', first.client_id, first.username].filter((text) => text !== undefined).join(' · ')
			})),
			entries: entries.map((entry) => harEntry(entry, origin))
		}
	};
}

function harEntry(entry: TrafficEntry, origin: string): object {
	const { flow, duration, id } = entry;
	const { request, response } = mapTexts(entry, (text, pointer) => withLabels(textAt(entry, text, pointer)));
	return {
		pageref: flow,
		startedDateTime: dateOf(entry),
		time: blocked + duration,
		request: harRequest(request, origin),
		response: harResponse(response),
		cache: {},
		timings: { blocked, send: 0, wait: duration, receive: 0 },
		// Chromium guesses it from the content type otherwise: JSON is a script.
		_resourceType: isNavigation(entry) ? 'document' : 'fetch',
		comment: `X-Request-Id ${id}`,
		_tollgate: entry
	};
}

function harRequest({ method, target, headers, body }: TrafficEntry['request'], origin: string): object {
	const mimeType = headerOf(headers, 'content-type');
	const isForm = /x-www-form-urlencoded/i.test(mimeType);
	const query = target.includes('?') ? target.slice(target.indexOf('?') + 1) : '';
	return {
		method,
		// A label contains characters that a URL cannot contain.
		url: origin + target.replace(/[^\x21-\x7e]/gu, encodeURIComponent),
		httpVersion: 'HTTP/1.1',
		cookies: [],
		headers: headers.map(pair),
		queryString: pairsOf(query),
		headersSize: -1,
		bodySize: sizeOf(body),
		...(body === '' ? {} : { postData: { mimeType, params: isForm ? pairsOf(body) : [], text: body } })
	};
}

function harResponse(response: TrafficEntry['response']): object {
	const { status, headers, body } = response ?? { status: 0, headers: [], body: '' };
	return {
		status,
		statusText: '',
		httpVersion: 'HTTP/1.1',
		cookies: [],
		headers: headers.map(pair),
		content: { size: sizeOf(body), mimeType: headerOf(headers, 'content-type'), text: body },
		redirectURL: headerOf(headers, 'location'),
		headersSize: -1,
		bodySize: sizeOf(body),
		_transferSize: sizeOf(body),
		...(response === null ? { comment: 'The service sent no response.' } : {})
	};
}

/** Browsers say whether a script sent a request. Other clients do not. */
function isNavigation(entry: TrafficEntry): boolean {
	return isFrontChannel(entry) && ['', 'navigate'].includes(headerOf(entry.request.headers, 'sec-fetch-mode'));
}

function dateOf({ at }: TrafficEntry): string {
	return new Date(at).toISOString();
}

function pair([name, value]: readonly [string, string]): Pair {
	return { name, value };
}

function headerOf(headers: readonly (readonly [string, string])[], name: string): string {
	return headers.find(([one]) => one.toLowerCase() === name)?.[1] ?? '';
}

/** The pairs of a query or form. Labels contain spaces, so the text is not decoded. */
function pairsOf(text: string): Pair[] {
	return text.split('&').flatMap((one) => {
		const [name = '', ...value] = one.split('=');
		return name === '' ? [] : [{ name, value: value.join('=') }];
	});
}

function sizeOf(text: string): number {
	return new TextEncoder().encode(text).length;
}
