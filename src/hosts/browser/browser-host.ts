import type { Service } from '#service/service.ts';
import type { ServiceOptions } from '#service/core/options.ts';
import type { WireRequest, WireResult } from '#api/message.ts';
import { type Handle, handleFetch } from '../msw/fetch-adapter.ts';
import { createWebService, scrypt as webScrypt } from '../web-service.ts';
import type { StorageStatus } from './worker-messages.ts';
import { openStorage, type Storage } from './storage.ts';

/** All requests come from this browser, so all have the same client address (BR-07). */
const peer = '127.0.0.1';
/** How often expired records are deleted, in milliseconds. */
const purgeInterval = 10_000;

/** The browser fetches scripts of this site from the network. The last policy applies, and sends no query of a page along. */
const referrerPolicy = ['Referrer-Policy', 'strict-origin'];

/** What the worker or a test changes about the host. */
export type HostOptions = {
	/** Replaces how passwords are hashed. */
	readonly scrypt?: ServiceOptions['scrypt'];
	/** What a fresh sandbox is. Undefined: the demo world. */
	readonly world?: () => Promise<ServiceOptions['world'] | undefined>;
	/** Loads the files of the simulated providers. */
	readonly providers?: ServiceOptions['providers'];
	/** Called with what handles each request. Returns what takes its place. */
	readonly wrap?: (handle: Handle) => Handle;
};

type Running = {
	readonly storage: Storage;
	readonly service: Service;
	readonly respond: (request: Request) => Promise<Response>;
};

/** The service in a service worker. It starts with the first request, and continues from what the last run stored. */
export class BrowserHost {
	readonly #base: string;
	readonly #origin: string;
	readonly #options: HostOptions;
	#running: Promise<Running> | undefined;
	#purgedAt = 0;
	#streams = new AbortController();

	/**
	 * @param origin `https://host[:port]`
	 * @param base path of the app, without a trailing slash
	 */
	constructor(origin: string, base: string, options: HostOptions = {}) {
		this.#origin = origin;
		this.#base = base;
		this.#options = options;
	}

	/** Responds to a request of the service after everything that it changed is stored. */
	async respond(request: Request): Promise<Response> {
		const { respond } = await this.#run();
		const response = await respond(request);
		if (response.headers.get('content-type')?.startsWith('text/event-stream') !== true) return response;
		const body = response.body?.pipeThrough(new TransformStream(), { signal: this.#streams.signal });
		return new Response(body, response);
	}

	/**
	 * Whether the sandbox of a target exists.
	 * @param target path and query, without the base
	 */
	async hasSandbox(target: string): Promise<boolean> {
		return (await this.#run()).service.hasSandbox(target);
	}

	/** Where the data is. */
	async status(): Promise<StorageStatus> {
		return (await this.#run()).storage.status();
	}

	/**
	 * Ends all event streams, also those that pages open again until a new version takes over: a worker with an open stream cannot
	 * be replaced.
	 */
	leave(): void {
		this.#streams.abort();
	}

	/** Deletes all data. Requests wait for that, and start with the data of the world. */
	async erase(): Promise<void> {
		const { storage } = await this.#run();
		this.#endStreams();
		this.#running = storage.erase().then(() => this.#start());
		await this.#running;
	}

	/** Deletes expired records, if that was not done lately. */
	async purge(): Promise<void> {
		if (Date.now() - this.#purgedAt < purgeInterval) return;
		this.#purgedAt = Date.now();
		const { service, storage } = await this.#run();
		await service.purge();
		await storage.flush();
	}

	#endStreams(): void {
		this.#streams.abort();
		this.#streams = new AbortController();
	}

	#run(): Promise<Running> {
		return (this.#running ??= this.#start());
	}

	async #start(): Promise<Running> {
		const storage = await openStorage(`tollgate${this.#base}`, () => {
			this.#running = undefined;
			this.#endStreams();
		});
		const world = await this.#options.world?.();
		try {
			return this.#startWith(storage, world);
		} catch {
			// This version cannot use the data, for example because its limits are lower.
			await storage.erase();
			return this.#start();
		}
	}

	#startWith(storage: Storage, world: ServiceOptions['world'] | undefined): Running {
		const { scrypt = webScrypt, wrap = (handle: Handle) => handle, providers } = this.#options;
		const service = createWebService({
			origin: this.#origin + this.#base,
			store: storage.store,
			world,
			traffic: storage.traffic,
			scrypt,
			...(providers && { providers }),
			report: (fault, id) => console.error(`request ${id}`, fault)
		});
		const handle = wrap((request, source) => exchange(service, storage, request, source));
		const adapter = { base: this.#base, peer, addedHeaders: browserHeaders };
		return { storage, service, respond: (request) => handleFetch(handle, request, adapter) };
	}
}

/** One exchange with the cookies of this browser. `SameSite=Lax` cookies are not sent with forms of other sites. */
async function exchange(
	service: Service,
	{ cookies, flush }: Storage,
	request: WireRequest,
	source: Request
): Promise<WireResult> {
	const hasCookies = source.credentials !== 'omit' && !(isCrossSite(source) && source.method !== 'GET');
	const headers = hasCookies ? [...request.headers, ...cookies.header] : request.headers;
	const result = await service.handle({ ...request, headers });
	if (result.kind !== 'no_response' && hasCookies) cookies.store(result.headers);
	await flush();
	return result.kind === 'no_response' ? result : { ...result, headers: [...result.headers, ...referrerPolicy] };
}

/**
 * Whether a page of another site sent a request. Only navigations can come from one: the worker sees no other requests of pages
 * that it does not control. Our own pages send their URL as the referrer (SC-06).
 */
export function isCrossSite(request: Request): boolean {
	if (request.mode !== 'navigate') return false;
	const source = request.headers.get('origin') ?? request.referrer;
	if (source === '') return request.method !== 'GET';
	return !URL.canParse(source) || new URL(source).origin !== new URL(request.url).origin;
}

/**
 * The headers that a browser adds after the service worker: `Sec-Fetch-*`, `Origin` and `Referer` (Fetch, section 2.2.5 and 3.2).
 * @returns flat list (name, value, …)
 */
export function browserHeaders(request: Request): string[] {
	const isNavigation = request.mode === 'navigate';
	const site = isCrossSite(request) ? 'cross-site' : isNavigation && request.referrer === '' ? 'none' : 'same-origin';
	const headers = [
		'Sec-Fetch-Site',
		site,
		'Sec-Fetch-Mode',
		request.mode === 'same-origin' ? 'cors' : request.mode, // what the scripts asked for: see network-guard.js
		'Sec-Fetch-Dest',
		request.destination === '' ? 'empty' : request.destination,
		...(/^https?:/.test(request.referrer) ? ['Referer', request.referrer] : [])
	];
	if (request.method === 'GET' || request.method === 'HEAD' || request.headers.has('origin')) return headers;
	return ['Origin', isCrossSite(request) ? 'null' : new URL(request.url).origin, ...headers];
}
