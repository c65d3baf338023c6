import { getResponse, type HttpHandler } from 'msw';
import type { WireResult, WireRequest } from '#wire/message.ts';
import { isServicePath, type Service } from '#service/service.ts';
import { createWebService } from '../web-service.ts';
import { createHandlers } from '../msw/handlers.ts';
import { exchange, withCookies } from './exchange.ts';
import { StatusBoard } from './status.ts';
import { openStorage, type Storage } from './storage.ts';
import { stripBase } from '../msw/strip-base.ts';
import { startWorker, type Worker } from './worker.ts';

/** The one address of this browser: everything that it sends counts for one client (BR-07). */
const peer = '127.0.0.1';
const purgeEvery = 10_000;

/** Where the host runs. */
export type Place = {
	/** The path of the application, without a trailing slash. */
	readonly base: string;
	/** Of the build: a page and a worker of two versions don't talk to each other. */
	readonly version: string;
};

/** The service in this page, behind MSW's worker where there is one. */
export class BrowserHost {
	readonly status: StatusBoard;
	/** Of the root sandbox, without a trailing slash. */
	readonly origin: string;
	readonly #storage: Storage;
	readonly #service: Service;
	readonly #handlers: readonly HttpHandler[];
	#worker: Worker | undefined;

	private constructor({ base }: Place, storage: Storage, status: StatusBoard) {
		this.status = status;
		this.origin = location.origin + base;
		this.#storage = storage;
		const { traffic, sandboxBus } = storage;
		const service = createWebService({
			origin: this.origin,
			store: storage.store,
			...(traffic === undefined ? {} : { traffic }),
			...(sandboxBus === undefined ? {} : { sandboxBus }),
			report: (fault, id) => console.error(`request ${id}`, fault)
		});
		this.#service = {
			...service,
			handle: async (request) => {
				if (/\/control\/traffic\b/.test(request.target)) await storage.settled();
				return service.handle(request);
			}
		};
		const takes = ({ origin, pathname }: URL) => origin === location.origin && isServicePath(stripBase(base, pathname));
		const handle = withCookies(this.#service, storage.cookies);
		this.#handlers = createHandlers(handle, takes, { base, peer, addedHeaders });
		setInterval(() => void this.#purge(), purgeEvery);
	}

	/** Opens the storage, and makes the service over it. Requests are answered from then on; the worker starts by `serve`. */
	static async open(place: Place, status = new StatusBoard()): Promise<BrowserHost> {
		return new BrowserHost(place, await openStorage(place.base, status), status);
	}

	/** Starts MSW's worker; where it can't be had, the page goes on answering its requests itself. */
	async serve(place: Place): Promise<void> {
		try {
			this.#worker = await startWorker(this.#handlers, place, this.status);
			this.status.set({ worker: 'on' });
		} catch (fault) {
			const words = fault instanceof Error ? fault.message : 'no reason given';
			this.status.set({ worker: 'off' }, `This browser runs no service worker here (${words}).`);
		}
	}

	/** True while the worker answers this page's requests, so that none of the service's can reach the network. */
	get isServed(): boolean {
		return this.#worker?.controls() === true;
	}

	/** Answers a script's request by MSW's handlers, without the worker. */
	async respond(request: Request): Promise<Response> {
		const response = await getResponse([...this.#handlers], request);
		if (response === undefined || response.type === 'error') throw new TypeError('Failed to fetch');
		return response;
	}

	/**
	 * One exchange of the person's own browser: a page that is opened, a form that is sent.
	 * @throws CookiesLost
	 */
	navigate(request: Omit<WireRequest, 'peer'>): Promise<WireResult> {
		return exchange(this.#service, { ...request, peer }, this.#storage.cookies);
	}

	/** Whether an address stands below a sandbox that does not exist. */
	async lacks(target: string): Promise<boolean> {
		return !(await this.#service.hasSandbox(target));
	}

	/** Asks the browser not to throw the records away when it runs short of space; once somebody has begun to make some. */
	stay(): void {
		if ('storage' in navigator && 'persist' in navigator.storage) void navigator.storage.persist();
	}

	/** Lets a new version of the application take over; all tabs load it. */
	update(): void {
		this.#worker?.update();
	}

	/** Deletes everything that the service has kept in this browser. */
	erase(): Promise<void> {
		return this.#storage.erase();
	}

	/** One tab at a time does it for all. */
	async #purge(): Promise<void> {
		if (document.visibilityState === 'hidden') return;
		if (!('locks' in navigator)) return this.#service.purge();
		const name = `${this.origin} purge`;
		await navigator.locks.request(name, { ifAvailable: true }, (lock) =>
			lock === null ? undefined : this.#service.purge()
		);
	}
}

/** What a browser says of itself on the wire, after the page's script has let go of the request (Fetch, section 2.2.5). */
function addedHeaders(request: Request): string[] {
	const own = [
		...['Sec-Fetch-Site', 'same-origin', 'Sec-Fetch-Mode', request.mode === 'navigate' ? 'cors' : request.mode],
		...['Sec-Fetch-Dest', request.destination === '' ? 'empty' : request.destination]
	];
	return request.method === 'GET' || request.method === 'HEAD' ? own : ['Origin', location.origin, ...own];
}
