import { renameSync, writeFileSync } from 'node:fs';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { rawExchangeOf, type RawExchange } from '#evidence/har/raw-exchange.ts';
import { contentOf } from '#evidence/har/read-har.ts';
import { findRoles } from '#evidence/har/roles.ts';
import { watchRecorder } from '#evidence/har/har-reading.ts';
import { toWatchHar } from '#evidence/har/to-watch-har.ts';

/** The longest body that is kept, in bytes. Responses of token endpoints are much shorter. */
const longestBody = 262_144;
/** More than users look at. The first ones are kept: a sign-in is at the start. */
const mostExchanges = 1000;
const mostUrls = 200;
/** How long the file may lag behind, in milliseconds. */
const delay = 200;

/** One request while it is sent and its response arrives. */
export type Recorded = {
	readonly method: string;
	readonly url: string;
	readonly begin: number;
	requestHeaders: readonly (readonly [string, string])[];
	readonly sent: Buffer[];
	status: number;
	responseHeaders: readonly (readonly [string, string])[];
	readonly received: Buffer[];
	isDone: boolean;
};

/** A request that has begun. */
export function begun(method: string, url: string): Recorded {
	const lists = { requestHeaders: [], sent: [], responseHeaders: [], received: [] };
	return { method, url, begin: Date.now(), status: 0, isDone: false, ...lists };
}

/** Adds a part of a body, up to the longest that is kept. */
export function addChunk(chunks: Buffer[], chunk: unknown): void {
	if (chunks.reduce((sum, { length }) => sum + length, 0) >= longestBody) return;
	if (typeof chunk === 'string') chunks.push(Buffer.from(chunk));
	else if (chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk));
}

/** Pairs of a flat list of names and values: texts or bytes. */
export function headerPairs(flat: unknown): [string, string][] {
	if (!Array.isArray(flat)) return [];
	const texts: readonly unknown[] = flat;
	return texts.flatMap((name, at): [string, string][] => (at % 2 === 0 ? [[String(name), String(texts[at + 1])]] : []));
}

/** Keeps the requests of a process that belong to OAuth, and writes them without secrets. */
export class Recorder {
	readonly #file: string;
	readonly #version: string;
	readonly #kept: RawExchange[] = [];
	/** Of metadata: they tell the roles of later requests. */
	readonly #known: RawExchange[] = [];
	#timer: NodeJS.Timeout | undefined;

	/** @param file that is written again after each request */
	constructor(file: string, version: string) {
		this.#file = file;
		this.#version = version;
	}

	/** Adds a request whose response has ended, or that failed. */
	add(recorded: Recorded): void {
		if (recorded.isDone) return;
		recorded.isDone = true;
		try {
			const raw = rawExchangeOf(toHarEntry(recorded), this.#kept.length + 1, watchRecorder);
			if (raw === undefined || this.#kept.length >= mostExchanges) return;
			const role = findRoles([...this.#known, raw]).at(-1)?.role ?? 'foreign';
			if (role === 'foreign') return;
			if (role === 'metadata' && this.#known.length < mostUrls) this.#known.push(raw);
			this.#kept.push(raw);
			this.#timer ??= setTimeout(() => this.flush(), delay).unref();
		} catch {
			// A recorder must not end the client.
		}
	}

	/** Writes the file now. */
	flush(): void {
		clearTimeout(this.#timer);
		this.#timer = undefined;
		if (this.#kept.length === 0) return;
		try {
			const har = toWatchHar(contentOf(this.#kept, watchRecorder), this.#version);
			writeFileSync(`${this.#file}.new`, JSON.stringify(har), { mode: 0o600 });
			renameSync(`${this.#file}.new`, this.#file);
		} catch {
			// The folder is gone: the parent has ended.
		}
	}
}

/** A request in the form of HAR, which never leaves the process. */
function toHarEntry(one: Recorded): object {
	const pairs = (list: Recorded['requestHeaders']) => list.map(([name, value]) => ({ name, value }));
	return {
		startedDateTime: new Date(one.begin).toISOString(),
		time: Date.now() - one.begin,
		request: {
			method: one.method,
			url: one.url,
			headers: pairs(one.requestHeaders),
			postData: { text: Buffer.concat(one.sent).toString() }
		},
		response: {
			status: one.status,
			headers: pairs(one.responseHeaders),
			content: { text: decoded(Buffer.concat(one.received), one.responseHeaders) }
		}
	};
}

function decoded(body: Buffer, headers: Recorded['responseHeaders']): string {
	const encoding = headers.find(([name]) => name.toLowerCase() === 'content-encoding')?.[1].toLowerCase();
	const options = { maxOutputLength: 4 * longestBody };
	try {
		if (encoding === 'gzip' || encoding === 'x-gzip') return gunzipSync(body, options).toString();
		if (encoding === 'br') return brotliDecompressSync(body, options).toString();
		if (encoding === 'deflate') return inflateSync(body, options).toString();
		return body.toString();
	} catch {
		return '';
	}
}
