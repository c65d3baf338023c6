// The part of the service worker API that we use. TypeScript's `webworker` library conflicts with `dom`.

type ExtendableEvent = Event & { waitUntil(promise: Promise<unknown>): void };

export type WorkerFetchEvent = ExtendableEvent & {
	readonly request: Request;
	/** Of a navigation: the same for all requests of its redirects. */
	readonly resultingClientId: string;
	respondWith(response: Promise<Response>): void;
};

export type WorkerMessageEvent = ExtendableEvent & { readonly data: unknown; readonly ports: readonly MessagePort[] };

type WorkerEvents = {
	install: ExtendableEvent;
	activate: ExtendableEvent;
	fetch: WorkerFetchEvent;
	message: WorkerMessageEvent;
};

export type WorkerClient = {
	readonly url: string;
	postMessage(message: unknown): void;
	navigate(url: string): Promise<unknown>;
};

export type WorkerScope = {
	readonly registration: {
		readonly scope: string;
		readonly active: { postMessage(message: unknown): void } | null;
		unregister(): Promise<boolean>;
	};
	readonly location: { readonly href: string; readonly origin: string };
	readonly caches: CacheStorage;
	readonly clients: { matchAll(options: { readonly type: 'window' }): Promise<readonly WorkerClient[]> };
	skipWaiting(): Promise<void>;
	addEventListener<T extends keyof WorkerEvents>(type: T, listener: (event: WorkerEvents[T]) => void): void;
};
