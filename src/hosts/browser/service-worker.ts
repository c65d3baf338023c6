// The service worker of the static build. It runs the service, and keeps the app for use offline. No request of the service may
// reach the network (BR-02).
import { version } from '$service-worker';
import { dialectOf } from '#api/dialect.ts';
import { hasSandboxPrefix, isServicePath } from '#api/service-path.ts';
import { ControlApi } from '#client/control-api/control-api.ts';
import { readTarget } from '#service/core/target.ts';
import { documentOfSandbox } from '#service/openapi/sandbox-document.ts';
import { stripBase } from '../msw/fetch-adapter.ts';
import { AppCache } from './app-cache.ts';
import { BrowserHost } from './browser-host.ts';
import { emptyClientDatabases } from './client-data.ts';
import { loadProviders } from './load-providers.ts';
import { WorldCache } from './world-cache.ts';
import { demoWorldFile, worldFilePath } from './world-file.ts';
import { cleared, isWorkerRequest, type WorkerRequest, type WorkerStatus, worldReplaced } from './worker-messages.ts';
import type { WorkerFetchEvent, WorkerMessageEvent, WorkerScope } from './worker-scope.ts';

/** Pages that wait for their request. */
const maxWaiting = 20;

/**
 * Shows the result page of a form at its own URL (Post/Redirect/Get). A reload that bypasses the service worker would
 * otherwise send the form, and the password in it, over the network (BR-02).
 */
class FormResults {
	readonly #waiting = new Map<string, Response>();

	/**
	 * Redirects to the same URL if the response to a form is a page.
	 * @param navigation id of the navigation that sent the form
	 */
	redirect(navigation: string, request: Request, response: Response): Response {
		const isPage = response.type !== 'error' && !response.headers.has('location');
		if (!isPage || navigation === '') return response;
		const [oldest] = this.#waiting.keys();
		if (this.#waiting.size >= maxWaiting && oldest !== undefined) this.#waiting.delete(oldest);
		this.#waiting.set(navigation, response);
		return new Response(null, { status: 303, headers: { Location: request.url, 'Cache-Control': 'no-store' } });
	}

	/**
	 * The page that a navigation was redirected to.
	 * @param navigation id of the navigation
	 */
	take(navigation: string): Response | undefined {
		const response = this.#waiting.get(navigation);
		this.#waiting.delete(navigation);
		return response;
	}
}

declare const self: WorkerScope;

const appPage = new RegExp(__APP_PAGES__);
/** The paths of files that can be kept. Other requests are left to the browser: this worker can be replaced while it handles them. */
const appFile = /^\/(?:_app\/immutable\/|[\w-]+\.(?:css|js|svg|png|html)$)/;
/** How long the server may take to say that it still has this worker, in milliseconds. */
const checkTimeout = 10_000;
/** How long a page of the service waits for that, in milliseconds. If the worker is gone, the page is reloaded later. */
const checkWait = 2_000;

const base = new URL(self.registration.scope).pathname.replace(/\/$/, '');
const { origin } = self.location;
/** The OpenAPI document of the whole service, and below each sandbox that of the sandbox. Programs read it, no page does, so it is not kept for use offline. */
const openApi = '/openapi.json';
/** Where SvelteKit looks for the version of the app when a page has failed. It opens the URL again if it is not that of the page. */
const versionFile = '/_app/version.json';
/** The document around the frame of programs. */
const programFrame = `${base}/program-frame.html`;
const cache = new AppCache(self.caches, base, version);
const worldCache = new WorldCache(self.caches, base);
const host = new BrowserHost(origin, base, {
	world: () => worldCache.world(),
	providers: () => loadProviders(cache, base, version)
});
const formResults = new FormResults();
/** Whether this run has looked for another world file. */
let isWorldFresh = false;
/** Whether the files for use offline did not fit. */
let isStorageFull = false;

self.addEventListener('install', (event) => event.waitUntil(install()));

self.addEventListener('activate', (event) => event.waitUntil(cache.deleteOld()));

self.addEventListener('message', (event) => {
	if (isWorkerRequest(event.data)) event.waitUntil(handleMessage(event.data, event));
});

self.addEventListener('fetch', (event) => {
	const { request } = event;
	const { origin: requestOrigin, pathname, search } = new URL(request.url);
	if (requestOrigin !== origin || !`${pathname}/`.startsWith(`${base}/`)) return;
	const target = stripBase(base, pathname + search);
	const isNavigation = request.mode === 'navigate';
	if (isServicePath(target)) {
		event.respondWith(isNavigation ? openServicePage(event) : host.respond(request));
		event.waitUntil(host.purge());
	} else if (request.method === 'GET' && readTarget(target).path === openApi) {
		event.respondWith(openDocument(request, target));
	} else if (request.method === 'GET' && pathname === worldFilePath(base)) {
		event.respondWith(openWorldFile());
	} else if (request.method === 'GET' && target === versionFile) {
		event.respondWith(openVersion());
	} else if (isNavigation && request.method === 'GET' && pathname !== programFrame) {
		if (hasSandboxPrefix(target)) event.respondWith(openSandboxPage(event, target));
		else if (appPage.test(stripBase(base, pathname))) event.respondWith(openAppPage(event));
		else event.respondWith(fetch(request).catch(() => notKept(request)));
	} else if (request.method === 'GET' && appFile.test(stripBase(base, pathname))) {
		event.respondWith(cache.respond(pathname, request));
	}
});

/**
 * A first visit keeps nothing yet: the page asks for that later. A new version waits until all its files are kept and the user lets
 * it take over. It takes over at once from a version whose files are not all kept: the server may no longer have them.
 */
async function install(): Promise<void> {
	await worldCache.text();
	if (self.registration.active === null) return;
	if (await cache.isActiveComplete()) return fill();
	self.registration.active.postMessage('leave' satisfies WorkerRequest);
	await self.skipWaiting();
}

/** Downloads all files for use offline. With a full storage, the app works without them. */
async function fill(): Promise<void> {
	isStorageFull = false;
	await cache.fill().catch((reason: unknown) => {
		isStorageFull = reason instanceof DOMException && reason.name === 'QuotaExceededError';
		if (!isStorageFull) throw reason;
	});
}

async function openServicePage(event: WorkerFetchEvent): Promise<Response> {
	const { request, resultingClientId } = event;
	if (request.method !== 'GET') return formResults.redirect(resultingClientId, request, await host.respond(request));
	const page = formResults.take(resultingClientId);
	if (page !== undefined) return page;
	const leaving = leaveIfGone();
	event.waitUntil(leaving);
	const isGone = await Promise.race([leaving, new Promise((resolve) => setTimeout(resolve, checkWait, false))]);
	return isGone === true ? fetch(request) : host.respond(request);
}

async function openSandboxPage(event: WorkerFetchEvent, target: string): Promise<Response> {
	return (await host.hasSandbox(target)) ? openAppPage(event) : openServicePage(event);
}

/** What the service runs with, so that pages and service are the same. */
async function openWorldFile(): Promise<Response> {
	return new Response((await worldCache.text()) ?? demoWorldFile);
}

async function openDocument(request: Request, target: string): Promise<Response> {
	if (!(await host.hasSandbox(target))) return host.respond(request);
	const whole = await fetch(base + openApi).catch(() => notKept(request));
	if (!whole.ok) return whole;
	const baseUrl = request.url.slice(0, request.url.indexOf(openApi));
	const control = new ControlApi(baseUrl, (url, init) => host.respond(new Request(url, init)));
	const { base_url, dialect, is_strict: strict } = await control.request('GET /control/status');
	const { kinds } = await control.request('GET /control/world');
	const document = documentOfSandbox(await whole.text(), base_url, dialectOf({ dialect, strict }), kinds);
	return new Response(document, { headers: { 'Content-Type': 'application/json; charset=utf-8' } });
}

/** While all files are kept, opening a URL again would show the same page again, so SvelteKit learns of no other version. */
async function openVersion(): Promise<Response> {
	if ((await cache.document()) !== undefined) return new Response(null, { status: 404 });
	return fetch(base + versionFile, { cache: 'no-cache' });
}

function openAppPage(event: WorkerFetchEvent): Promise<Response> {
	event.waitUntil(leaveIfGone().then((isGone) => (isGone ? undefined : refreshWorld())));
	return openApp(event.request);
}

/**
 * The document of the app: this version's if all its files are kept, else the newest. A kept document whose files are gone would be
 * a blank page. The query of the page is not sent.
 */
async function openApp(request: Request): Promise<Response> {
	return (
		(await cache.document()) ??
		fetch(`${base}/`, { cache: 'no-cache', redirect: 'manual' }).catch(() => notKept(request))
	);
}

function notKept(request: Request): Response {
	return notKeptResponse(request.mode === 'navigate', `${base}/`);
}

async function handleMessage(request: WorkerRequest, { ports: [port] }: WorkerMessageEvent): Promise<void> {
	if (request === 'activate') await self.skipWaiting();
	else if (request === 'fill cache') await fillCache();
	else if (request === 'leave') host.leave();
	else if (request === 'status') port?.postMessage(await status());
	else await clear();
}

/** Downloads what other pages need. Without a network, the next page tries again. */
async function fillCache(): Promise<void> {
	if (!hasLeft) await fill().catch(() => undefined);
}

async function status(): Promise<WorkerStatus> {
	const { storage, problem } = await host.status();
	const full =
		"The browser's storage is full, so this site does not work offline. Free some disk space, then reload the page.";
	const isComplete = (await cache.document()) !== undefined;
	return { storage, problem: problem ?? (isStorageFull ? full : undefined), version, isComplete };
}

/** The data belongs to the world that the service was started with, so another one starts with its own. */
async function refreshWorld(): Promise<void> {
	if (!isWorldFresh) {
		isWorldFresh = true;
		if (await worldCache.refresh()) await clear(worldReplaced);
	}
}

/**
 * Deletes all data of the service and the clients. Pages of the service receive no messages, so they are reloaded from here.
 * @param reasons sent to the pages before
 */
async function clear(...reasons: readonly string[]): Promise<void> {
	await host.erase();
	await emptyClientDatabases(base).catch(() => undefined); // also where the browser offers no storage
	for (const client of await self.clients.matchAll({ type: 'window' })) {
		const { pathname } = new URL(client.url);
		if (isServicePath(stripBase(base, pathname))) void client.navigate(client.url).catch(() => undefined);
		else for (const message of [...reasons, cleared]) client.postMessage(message);
	}
}

/** Whether another program serves this origin now. */
let hasLeft = false;

/**
 * Unregisters this worker and reloads all tabs if the server no longer has its file: another program now serves this origin, and
 * its pages must not be replaced by ours (BR-03). The data stays. Without a network nothing happens.
 * @returns whether it did
 */
async function leaveIfGone(): Promise<boolean> {
	const response = await fetch(self.location.href, {
		method: 'HEAD',
		cache: 'no-store',
		signal: AbortSignal.timeout(checkTimeout)
	}).catch(() => undefined);
	const type = response?.headers.get('content-type') ?? '';
	if (response?.status !== 404 && response?.status !== 410 && !type.startsWith('text/html')) return false;
	hasLeft = true;
	await self.registration.unregister();
	await Promise.all([cache.deleteAll(), worldCache.delete()]);
	const clients = await self.clients.matchAll({ type: 'window' });
	// A page that was still loading has registered the worker again in the meantime.
	void Promise.allSettled(clients.map((client) => client.navigate(client.url))).then(() =>
		self.registration.unregister()
	);
	return true;
}

/**
 * The response without a network for what is not kept in the browser, with status 503.
 * @param isPage true for a navigation: a page that says so
 * @param home path of the start page
 */
function notKeptResponse(isPage: boolean, home: string): Response {
	const headers = { 'Cache-Control': 'no-store' };
	if (!isPage) return new Response(`${title}. ${why} ${next}\n`, { status: 503, headers });
	return new Response(notKeptPage(home), {
		status: 503,
		headers: { ...headers, 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': policy }
	});
}

const title = 'Not kept for offline use';
const why = 'This URL could not be downloaded, and the browser has no copy of it.';
const next = 'Connect to the network, then reload the page.';
const policy = "default-src 'none'; style-src 'unsafe-inline'";

/** A page without files: none of them may be kept. */
function notKeptPage(home: string): string {
	return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>
:root { color-scheme: light dark; }
body { max-width: 36rem; margin: 4rem auto; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; line-height: 1.25; }
</style>
</head>
<body>
<h1>${title}</h1>
<p>${why} ${next}</p>
<p><a href="">Reload</a> · <a href="${home}">Go to the start page</a></p>
</body>
</html>
`;
}
