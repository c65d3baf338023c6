import { headerValue, headerValues } from '#api/headers.ts';
import type { WireRequest, WireResult, WireStream } from '#api/message.ts';
import { isServicePath } from '#api/service-path.ts';
import { CookieJar } from '#exam/cookie-jar.ts';
import { recordLimits } from '#service/sandbox/record-limits.ts';
import type { ServiceOptions } from '#service/core/options.ts';
import type { Service } from '#service/service.ts';
import { createMemoryStore } from '#store/memory.ts';
import { handleFetch, stripBase } from '../msw/fetch-adapter.ts';
import { encodeHeaderValue } from '../web-response.ts';
import { createWebService } from '../web-service.ts';

/** All requests of the page count for one address. */
const peer = '127.0.0.1';
/** How often expired records are deleted, in milliseconds. */
const purgeInterval = 10_000;
/** As many as browsers follow. */
const maxRedirects = 20;

/** A page of the service, or the URL outside of it where a visit ended. */
export type VisitedPage = {
	readonly url: string;
	/** 0: there was no response, or the URL is not of the service. */
	readonly status: number;
	readonly text: string;
	readonly isOfService: boolean;
};

/** What a browser sends of a form. */
export type SentForm = { readonly action: string; readonly fields: URLSearchParams };

type Options = {
	/** What a fresh sandbox is. Absent: the demo world. */
	readonly world?: ServiceOptions['world'] | undefined;
};

/**
 * The service of a page that is embedded in another site. It is in the memory of this page: it needs no server, no storage and no
 * cookies, which browsers withhold from such pages.
 */
export class PageHost {
	/** Path of the base URL. */
	readonly #base: string;
	readonly #baseUrl: string;
	readonly #service: Service;
	readonly #cookies = new CookieJar(Date.now);
	readonly #fetch: typeof fetch;

	/** @param baseUrl of the site, without a trailing slash. Its pages find their style sheet there */
	constructor(baseUrl: string, { world }: Options = {}) {
		this.#base = new URL(baseUrl).pathname.replace(/\/$/, '');
		this.#baseUrl = baseUrl;
		this.#fetch = globalThis.fetch.bind(globalThis);
		this.#service = createWebService({ origin: baseUrl, store: createMemoryStore(recordLimits), world });
	}

	/** Whether a URL is one of the service. */
	has(url: URL): boolean {
		const { pathname, search, origin } = url;
		const isOfSite = origin === new URL(this.#baseUrl).origin && pathname.startsWith(`${this.#base}/`);
		return isOfSite && isServicePath(stripBase(this.#base, pathname + search));
	}

	/**
	 * Sends the requests and event streams of this page for the service to it, and all others to the network.
	 * @returns undoes that
	 */
	connect(): () => void {
		const { fetch, EventSource } = globalThis;
		const open = (url: string) => this.#stream(url);
		class Source extends PageEventSource {
			constructor(url: string) {
				super(open(url));
			}
		}
		Object.assign(globalThis, {
			fetch: (input: RequestInfo | URL, init?: RequestInit) => this.fetch(new Request(input, init)),
			EventSource: Source
		});
		const timer = setInterval(() => void this.#service.purge(), purgeInterval);
		return () => {
			clearInterval(timer);
			Object.assign(globalThis, { fetch, EventSource });
		};
	}

	/**
	 * Sends a request as `fetch` does.
	 * @param left how many redirects are followed
	 * @throws TypeError where there is no response, and the reason of its signal
	 */
	async fetch(request: Request, left = maxRedirects): Promise<Response> {
		if (!this.has(new URL(request.url))) return this.#fetch(request);
		const { signal } = request;
		signal.throwIfAborted();
		const hasCookies = request.credentials !== 'omit';
		const sending = handleFetch((wire) => this.#handle(wire, request.url, hasCookies), request, {
			base: this.#base,
			peer,
			addedHeaders: scriptHeaders
		});
		const aborted = new Promise<never>((_, reject) => {
			const stop = () =>
				reject(signal.reason instanceof Error ? signal.reason : new DOMException('Aborted', 'AbortError'));
			signal.addEventListener('abort', stop, { once: true });
		});
		const response = await Promise.race([sending, aborted]);
		if (response.type === 'error') throw new TypeError('Failed to fetch');
		const location = response.headers.get('location');
		if (request.redirect !== 'follow' || location === null || !/^30[123]$/.test(String(response.status)))
			return response;
		if (left === 0) throw new TypeError('Failed to fetch');
		// What was posted is not posted again (RFC 9110, section 15.4.4).
		const { headers, credentials } = request;
		return this.fetch(new Request(new URL(location, request.url), { headers, credentials, signal }), left - 1);
	}

	/**
	 * Opens a page as a browser does, with its cookies and redirects. Ends at the first URL that is not of the service.
	 * @param form posted to the URL
	 * @param referrer the page with the link
	 */
	async visit(url: string, form?: SentForm, referrer?: string): Promise<VisitedPage> {
		let at = new URL(form?.action ?? url, url);
		let fields = form?.fields;
		for (let step = 0; step < maxRedirects && this.has(at); step++) {
			const result = await this.#navigate(at, fields, referrer);
			if (result.kind !== 'response') return { url: at.href, status: 0, text: '', isOfService: true };
			const location = encodeHeaderValue(headerValue(result.headers, 'location') ?? '');
			if (result.status < 300 || result.status >= 400 || location === '')
				return { url: at.href, status: result.status, text: result.body, isOfService: true };
			if (!URL.canParse(location, at)) break;
			at = new URL(location, at);
			// 307 and 308 repeat the request, with its body (RFC 9110, section 15.4.8).
			if (result.status !== 307 && result.status !== 308) fields = undefined;
		}
		return { url: at.href, status: 0, text: '', isOfService: this.has(at) };
	}

	/** Sends a request for an image of a page, which no script can do with another referrer. */
	async loadImage(url: string, referrer: string): Promise<void> {
		const headers = ['Accept', 'image/*', 'Referer', referrer, 'Sec-Fetch-Mode', 'no-cors', 'Sec-Fetch-Dest', 'image'];
		await this.#send('GET', new URL(url), [...headers, 'Sec-Fetch-Site', 'same-origin']);
	}

	#navigate(url: URL, fields: URLSearchParams | undefined, referrer: string | undefined): Promise<WireResult> {
		const headers = [
			'Accept',
			'text/html,application/xhtml+xml,*/*;q=0.8',
			'Sec-Fetch-Site',
			referrer === undefined ? 'none' : 'same-origin',
			'Sec-Fetch-Mode',
			'navigate',
			'Sec-Fetch-Dest',
			'document',
			...(referrer === undefined ? [] : ['Referer', referrer])
		];
		if (fields === undefined) return this.#send('GET', url, headers);
		const form = ['Content-Type', 'application/x-www-form-urlencoded', 'Origin', url.origin];
		return this.#send('POST', url, [...headers, ...form], fields.toString());
	}

	#send(method: string, { href, pathname, search }: URL, headers: readonly string[], body = ''): Promise<WireResult> {
		const request = {
			method,
			target: stripBase(this.#base, pathname + search),
			headers,
			body: new TextEncoder().encode(body),
			bodyTooLarge: false,
			peer
		};
		return this.#handle(request, href, true);
	}

	async #handle(request: WireRequest, href: string, hasCookies: boolean): Promise<WireResult> {
		const url = new URL(href);
		const cookie = hasCookies ? this.#cookies.header(url) : undefined;
		const headers = cookie === undefined ? request.headers : [...request.headers, 'Cookie', cookie];
		const result = await this.#service.handle({ ...request, headers });
		if (hasCookies && result.kind !== 'no_response')
			this.#cookies.store(url, headerValues(result.headers, 'set-cookie'));
		return result;
	}

	async #stream(url: string): Promise<WireStream | undefined> {
		const headers = ['Accept', 'text/event-stream', 'Sec-Fetch-Site', 'same-origin'];
		const result = await this.#send('GET', new URL(url), headers);
		return result.kind === 'stream' ? result : undefined;
	}
}

/** What a browser adds to a request of a script. */
function scriptHeaders({ method, url }: Request): string[] {
	const headers = ['Sec-Fetch-Site', 'same-origin', 'Sec-Fetch-Mode', 'cors', 'Sec-Fetch-Dest', 'empty'];
	return method === 'GET' || method === 'HEAD' ? headers : ['Origin', new URL(url).origin, ...headers];
}

/** The events of a stream of a service in this page. The part of `EventSource` that pages use. */
class PageEventSource extends EventTarget {
	/** 0 while it connects, 1 while it is open, 2 after it ended. It does not connect again: who listens does. */
	readyState = 0;
	#iterator: AsyncIterator<string> | undefined;

	/** @param stream undefined: the service rejected the request */
	constructor(stream: Promise<WireStream | undefined>) {
		super();
		void this.#read(stream)
			.catch(() => undefined)
			.then(() => this.#end());
	}

	close(): void {
		this.readyState = 2;
		void this.#iterator?.return?.();
	}

	async #read(opening: Promise<WireStream | undefined>): Promise<void> {
		const stream = await opening;
		if (stream === undefined) return;
		const iterator = stream.body[Symbol.asyncIterator]();
		this.#iterator = iterator;
		if (this.#isClosed()) return void iterator.return?.();
		this.readyState = 1;
		this.dispatchEvent(new Event('open'));
		let rest = '';
		for (let next = await iterator.next(); next.done !== true && !this.#isClosed(); next = await iterator.next()) {
			const blocks = (rest + next.value).split('\n\n');
			rest = blocks.pop() ?? '';
			for (const block of blocks) this.#dispatch(block);
		}
	}

	#isClosed(): boolean {
		return this.readyState === 2;
	}

	/** One event, by the lines of its block. Comments keep the connection open. */
	#dispatch(block: string): void {
		const fields = block.split('\n').map((line) => /^(\w+): ?(.*)$/.exec(line) ?? []);
		const data = fields.flatMap(([, name, value]) => (name === 'data' && value !== undefined ? [value] : []));
		if (data.length === 0 || this.#isClosed()) return;
		const type = fields.find(([, name]) => name === 'event')?.[2] ?? 'message';
		this.dispatchEvent(new MessageEvent(type, { data: data.join('\n') }));
	}

	#end(): void {
		if (this.#isClosed()) return;
		this.readyState = 2;
		this.dispatchEvent(new Event('error'));
	}
}
