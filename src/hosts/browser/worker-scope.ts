// The part of a service worker's surroundings that ours uses. TypeScript's own `webworker` library can't stand beside `dom`.

type ExtendableEvent = Event & { waitUntil(promise: Promise<unknown>): void };

export type WorkerFetchEvent = ExtendableEvent & {
	readonly request: Request;
	/** The page that made the request; empty for a navigation. */
	readonly clientId: string;
	respondWith(response: Promise<Response>): void;
};

export type WorkerMessageEvent = ExtendableEvent & { readonly data: unknown };

type WorkerEvents = {
	install: ExtendableEvent;
	activate: ExtendableEvent;
	fetch: WorkerFetchEvent;
	message: WorkerMessageEvent;
};

export type WorkerClient = { postMessage(message: unknown, transfer: Transferable[]): void };

export type WorkerScope = {
	readonly registration: { readonly scope: string };
	readonly location: { readonly href: string; readonly origin: string };
	readonly caches: CacheStorage;
	readonly crypto: Crypto;
	readonly clients: { get(id: string): Promise<WorkerClient | undefined> };
	skipWaiting: () => Promise<void>;
	fetch: typeof fetch;
	importScripts(url: string): void;
	addEventListener<T extends keyof WorkerEvents>(type: T, listener: (event: WorkerEvents[T]) => void): void;
};
