// The one worker of the static build. It keeps the application for use without network, and hands requests for the service to the
// page that made them, by MSW's script. What it must never do is let a request for the service reach the network (BR-02).
import { build, files, version } from '$service-worker';
import { isServicePath } from '#service/service.ts';
import { cachePrefix } from './cache-name.ts';
import { isPage } from './pages.ts';
import { stripBase } from '../msw/strip-base.ts';
import { isTakeOver, type ReadyQuestion } from './worker-messages.ts';
import type { WorkerClient, WorkerFetchEvent, WorkerMessageEvent, WorkerScope } from './worker-scope.ts';

declare const self: WorkerScope;
/** Of MSW's script, loaded below. */
declare const activeClientIds: Set<string>;
declare function getResponse(
	event: WorkerFetchEvent,
	client: WorkerClient | undefined,
	id: string,
	at: number
): Promise<Response>;

const base = new URL(self.registration.scope).pathname.replace(/\/$/, '');
const cacheName = cachePrefix(base) + version;
const shell = `${base}/`;
/** What only some people's pages need, or only an operating system: fetched when asked for. */
const rare = /latin-ext|\/icon-\d+\.png$/;
const kept = new Set(
	[shell, `${base}/early.js`, `${base}/service.css`, ...build, ...files].filter((path) => !rare.test(path))
);

/** How often and how many times a page is asked whether it is ready: for 5 s. */
const askEvery = 150;
const askTimes = 33;

// A new version must not take the requests of pages that still talk to the old one: it waits, until all tabs are closed or one
// of them says so. MSW's script would not.
const takeOver = self.skipWaiting.bind(self);
self.skipWaiting = () => Promise.resolve();

// MSW's script lets requests through where it is in doubt.
const network = self.fetch.bind(self);
self.fetch = (input, init) => {
	const url = input instanceof Request ? input.url : String(input);
	return isService(url) ? Promise.resolve(refusal()) : network(input, init);
};

self.addEventListener('install', (event) => {
	event.waitUntil(self.caches.open(cacheName).then((cache) => cache.addAll([...kept])));
});

self.addEventListener('activate', (event) => {
	event.waitUntil(
		self.caches.keys().then(async (names) => {
			const old = names.filter((name) => name.startsWith(cachePrefix(base)) && name !== cacheName);
			await Promise.all(old.map((name) => self.caches.delete(name)));
		})
	);
});

self.addEventListener('message', (event: WorkerMessageEvent) => {
	// MSW takes `beforeunload` for a farewell. It is none when the page stays (mailto:, a download), or comes back.
	if (event.data === 'CLIENT_CLOSED') event.stopImmediatePropagation();
	if (!isTakeOver(event.data)) return;
	event.stopImmediatePropagation();
	event.waitUntil(takeOver());
});

self.addEventListener('fetch', (event: WorkerFetchEvent) => {
	event.stopImmediatePropagation();
	const { request } = event;
	const url = new URL(request.url);
	if (url.origin !== self.location.origin) return;
	if (request.mode === 'navigate') {
		if (request.method === 'GET') event.respondWith(page(request, url));
		else if (isService(request.url)) event.respondWith(Promise.resolve(refusal()));
	} else if (isService(request.url)) {
		event.respondWith(answer(event));
	} else if (request.method === 'GET' && kept.has(url.pathname)) {
		event.respondWith(fromCache(url.pathname, request));
	}
});

self.importScripts(`${base}/mockServiceWorker.js`);

function isService(address: string): boolean {
	const { origin, pathname } = new URL(address, self.location.href);
	return origin === self.location.origin && isServicePath(stripBase(base, pathname));
}

/** Pages of the application and of the service alike are shown by the application. Any other is its owner's (BR-03). */
async function page(request: Request, { pathname }: URL): Promise<Response> {
	const isOwn = isService(request.url) || isPage(stripBase(base, pathname));
	const path = kept.has(pathname) ? pathname : shell;
	return isOwn || kept.has(pathname)
		? fromCache(path, request)
		: network(request).catch(() => fromCache(path, request));
}

async function fromCache(path: string, request: Request): Promise<Response> {
	const cache = await self.caches.open(cacheName);
	return (await cache.match(path)) ?? network(request);
}

async function answer(event: WorkerFetchEvent): Promise<Response> {
	if (!(await isReady(event.clientId))) return refusal();
	// The browser stops a worker when it likes, and MSW's list of pages goes with it.
	activeClientIds.add(event.clientId);
	const client = await self.clients.get(event.clientId);
	// Not MSW's `handleRequest`: it would send each answer to the page a second time, for listeners that there are none of.
	return getResponse(event, client, self.crypto.randomUUID(), Date.now());
}

/** Asks the page that made a request, for some time: it may still be starting. */
async function isReady(clientId: string): Promise<boolean> {
	if (activeClientIds.has(clientId)) return true;
	for (let time = 0; time < askTimes; time++) {
		const client = clientId === '' ? undefined : await self.clients.get(clientId);
		if (client === undefined) return false;
		const channel = new MessageChannel();
		const answered = new Promise<boolean>((resolve) => {
			channel.port1.onmessage = ({ data }) => resolve(data === true);
			setTimeout(() => resolve(false), askEvery);
		});
		client.postMessage({ tollgate: 'ready?', version } satisfies ReadyQuestion, [channel.port2]);
		const began = Date.now();
		if (await answered) return true;
		await new Promise((resolve) => setTimeout(resolve, askEvery - (Date.now() - began)));
	}
	return false;
}

function refusal(): Response {
	const error = {
		error: 'simulator_not_ready',
		error_description:
			'The service runs in a page of this application, and none is open that could answer. Nothing was sent over the network.'
	};
	return Response.json(error, { status: 503, headers: { 'Cache-Control': 'no-store' } });
}
