import { setupWorker } from 'msw/browser';
import type { HttpHandler } from 'msw';
import { cachePrefix } from './cache-name.ts';
import type { StatusBoard } from './status.ts';
import { isReadyQuestion, type TakeOver } from './worker-messages.ts';

/** How long the worker may take to start, in milliseconds. */
const longestStart = 15_000;
/** How often a page that stays open looks for a new version, in milliseconds. */
const updateEvery = 60 * 60 * 1000;

/** The worker, as the page sees it. */
export type Worker = {
	/** Whether this page's requests go through it. */
	controls(): boolean;
	/** Lets the version that waits take over. */
	update(): void;
};

/**
 * Starts MSW with our own worker file, and answers its question whether this page is ready.
 * @throws Error where there can be no worker: not supported, forbidden, not a secure page
 */
export async function startWorker(
	handlers: readonly HttpHandler[],
	{ base, version }: { readonly base: string; readonly version: string },
	status: StatusBoard
): Promise<Worker> {
	if (!('serviceWorker' in navigator)) throw new Error('the page is not secure, or workers are switched off');
	const { serviceWorker } = navigator;
	const url = `${base}/service-worker.js`;
	const isOurs = () => serviceWorker.controller?.scriptURL === new URL(url, location.href).href;
	let isReady = false;
	serviceWorker.addEventListener('message', ({ data, ports }: MessageEvent<unknown>) => {
		if (isReadyQuestion(data)) ports[0]?.postMessage(isReady && data.version === version);
	});
	const registration = await registered(handlers, url, base);
	isReady = true;
	const first = serviceWorker.controller;
	serviceWorker.addEventListener('controllerchange', () => {
		if (serviceWorker.controller === first) return;
		isReady = false;
		location.reload();
	});
	watchForUpdates(registration, status, () => leaveIfGone(registration, url, base));
	return {
		controls: () => isReady && isOurs(),
		update: () => registration.waiting?.postMessage({ tollgate: 'take over' } satisfies TakeOver)
	};
}

async function registered(
	handlers: readonly HttpHandler[],
	url: string,
	base: string
): Promise<ServiceWorkerRegistration> {
	const late = new Promise<never>((_, reject) => {
		setTimeout(() => reject(new Error('the worker did not start in time')), longestStart);
	});
	const start = setupWorker(...handlers).start({
		serviceWorker: { url, options: { scope: `${base}/`, updateViaCache: 'none' } },
		onUnhandledRequest: 'bypass',
		quiet: true
	});
	const registration = await Promise.race([start, late]);
	if (registration === undefined) throw new Error('MSW found no worker to talk to');
	return registration;
}

function watchForUpdates(
	registration: ServiceWorkerRegistration,
	status: StatusBoard,
	failed: () => Promise<void>
): void {
	const look = () => status.set({ update: registration.waiting !== null });
	registration.addEventListener('updatefound', () => {
		registration.installing?.addEventListener('statechange', look);
	});
	look();
	const check = () => void registration.update().catch(failed);
	if (navigator.serviceWorker.controller !== null) check();
	setInterval(check, updateEvery);
	document.addEventListener('visibilitychange', () => {
		if (document.visibilityState === 'visible') check();
	});
}

/**
 * Leaves the browser to whoever serves this origin now, if the worker's file is there no more: the pages of a server must not
 * be hidden behind a worker that was once installed here (BR-03). What the service has kept stays. Without network: another time.
 */
async function leaveIfGone(registration: ServiceWorkerRegistration, url: string, base: string): Promise<void> {
	const status = await fetch(url, { cache: 'no-store' }).then(
		(answer) => answer.status,
		() => undefined
	);
	if (status !== 404 && status !== 410) return;
	await registration.unregister();
	const ours = (await caches.keys()).filter((name) => name.startsWith(cachePrefix(base)));
	await Promise.all(ours.map((name) => caches.delete(name)));
	location.reload();
}
