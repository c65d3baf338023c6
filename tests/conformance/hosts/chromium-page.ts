// Runs in Chromium: the service over IndexedDB behind the static build's own worker, and a `fetch` that shows what browsers hide.
import { Database } from '#hosts/browser/database.ts';
import { createHandlers } from '#hosts/msw/handlers.ts';
import { StatusBoard } from '#hosts/browser/status.ts';
import { startWorker } from '#hosts/browser/worker.ts';
import { createWebService, scrypt } from '#hosts/web-service.ts';
import { recordLimits } from '#service/record-limits.ts';
import type { Records } from '#service/records.ts';
import { isServicePath } from '#service/service.ts';
import { createIndexedDbStore } from '#store/indexed-db.ts';
import { headerValue } from '#wire/headers.ts';
import type { WireResult } from '#wire/message.ts';
import type { TestRequest } from '../transport.ts';
import { fetchTransport } from './fetching.ts';

/** Request headers that a page may not set: they travel in this one. Likewise what of an answer a page may not see. */
const carrier = 'X-Conformance';
const forbidden =
	/^(cookie|origin|host|referer|user-agent|date|te|trailer|connection|content-length|accept-|sec-|proxy-)/i;

/** What the test calls. */
export type Conformance = {
	send(sent: TestRequest): ReturnType<ReturnType<typeof fetchTransport>['send']>;
	open(sent: TestRequest): Promise<{ id: number; status: number; headers: readonly string[] }>;
	next(id: number): Promise<string | undefined>;
	close(id: number): void;
};

const { origin } = location;
/** Passwords stretched so far: nearly every case signs the same people in, and each time costs a tenth of a second. */
const hashed = new Map<string, Promise<Uint8Array>>();
const service = createWebService({
	origin,
	store: createIndexedDbStore<Records>(recordLimits, new Database('conformance').transact),
	scrypt(password, salt) {
		const key = `${password} ${salt.join()}`;
		const known = hashed.get(key) ?? scrypt(password, salt);
		hashed.set(key, known);
		return known;
	},
	report: (fault) => console.error(fault)
});
const carried = {
	...service,
	async handle(request: Parameters<typeof service.handle>[0]) {
		const headers = request.headers.filter((_, at) => request.headers[at - (at % 2)] !== carrier.toLowerCase());
		return visible(await service.handle({ ...request, headers }));
	}
};
const adapter = {
	base: '',
	peer: '127.0.0.1',
	addedHeaders: (request: Request) => unpacked(request.headers.get(carrier))
};
const takes = (url: URL) => url.origin === origin && isServicePath(url.pathname);

const answer: unknown = await (await fetch('/_app/version.json')).json();
const version = typeof answer === 'object' && answer !== null && 'version' in answer ? String(answer.version) : '';
await startWorker(createHandlers(carried.handle, takes, adapter), { base: '', version }, new StatusBoard());

const transport = fetchTransport(origin, '', send, () => Promise.resolve());
const streams = new Map<number, Awaited<ReturnType<typeof transport.stream>>>();

const conformance: Conformance = {
	send: (sent) => transport.send(sent),
	async open(sent) {
		const stream = await transport.stream(sent);
		streams.set(streams.size, stream);
		return { id: streams.size - 1, status: stream.status, headers: stream.headers };
	},
	next: (id) => streams.get(id)?.next() ?? Promise.resolve(undefined),
	close: (id) => streams.get(id)?.close()
};
Reflect.set(window, 'conformance', conformance);

async function send(request: Request, { headers = [] }: TestRequest): Promise<Response> {
	const hidden: string[] = [];
	for (let at = 0; at + 1 < headers.length; at += 2) {
		const [name = '', value = ''] = headers.slice(at, at + 2);
		if (forbidden.test(name)) hidden.push(name, value);
	}
	request.headers.set(carrier, encodeURIComponent(JSON.stringify(hidden)));
	const response = await fetch(request);
	const all = unpacked(response.headers.get(carrier));
	if (all.length === 0) return response;
	const status = Number(all[0]);
	const body = status === 204 ? null : response.body;
	const shown = new Response(body, { status });
	Reflect.defineProperty(shown, 'headers', { value: { [Symbol.iterator]: () => pairs(all.slice(1)) } });
	return shown;
}

/** Redirects and cookies stay with the browser: here they go along in a header of their own. */
function visible(given: WireResult): WireResult {
	if (given.kind === 'no_response') return given;
	const isHidden =
		(given.status >= 300 && given.status < 400) || headerValue(given.headers, 'set-cookie') !== undefined;
	if (!isHidden) return given;
	const all = encodeURIComponent(JSON.stringify([String(given.status), ...given.headers]));
	return { ...given, status: 200, headers: [...given.headers.slice(0, 2), carrier, all] };
}

function unpacked(text: string | null): string[] {
	const list: unknown = text === null ? [] : JSON.parse(decodeURIComponent(text));
	return Array.isArray(list) ? list.map(String) : [];
}

function* pairs(flat: readonly string[]): Generator<[string, string]> {
	for (let at = 0; at + 1 < flat.length; at += 2) yield [(flat[at] ?? '').toLowerCase(), flat[at + 1] ?? ''];
}
