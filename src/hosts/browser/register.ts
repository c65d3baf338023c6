import { clearWebStorage } from './client-data.ts';
import { setHostStatus } from './host-status.svelte.ts';
import { followUpdates } from './update.ts';
import { askWorker, cleared, worldReplaced, type WorkerRequest, type WorkerStatus } from './worker-messages.ts';

/** How often a page asks for the storage status, in milliseconds. This also keeps a worker without storage running. */
const statusInterval = 10_000;
/** When a page asks the worker to download what other pages need, in milliseconds: after its own files. */
const fillDelay = 5_000;
/** Marks in `sessionStorage` that this tab was reloaded to become controlled. */
const reloaded = 'tollgate-reloaded';
/** Where `sessionStorage` has when the site got another world. */
const replacedAt = 'tollgate-world-replaced-at';
/** How long pages say that, in milliseconds. An update may reload them again. */
const isNewFor = 60_000;

/**
 * Registers the service worker and sets the host status. Reloads the page if the worker does not control it yet, and does not
 * resolve then.
 * @param base path of the app, without a trailing slash
 * @param version of the app that this page shows
 */
export async function registerServiceWorker(base: string, version: string): Promise<void> {
	try {
		if (!('serviceWorker' in navigator)) throw new Error(missingWorker());
		const url = `${base}/service-worker.js`;
		const registration = await register(url, `${base}/`);
		if (navigator.serviceWorker.controller?.scriptURL !== new URL(url, location.href).href)
			return await reloadOnce(registration);
		sessionStorage.removeItem(reloaded);
		const hasNewWorld = Date.now() - Number(sessionStorage.getItem(replacedAt) ?? 0) < isNewFor;
		setHostStatus({ worker: 'running', hasNewWorld });
		followUpdates(registration, version);
		followWorker(base);
	} catch (reason) {
		setHostStatus({ worker: 'unavailable', problem: reason instanceof Error ? reason.message : undefined });
	}
}

async function register(url: string, scope: string): Promise<ServiceWorkerRegistration> {
	try {
		return await navigator.serviceWorker.register(url, { scope, updateViaCache: 'none' });
	} catch (reason) {
		if (!(reason instanceof TypeError)) throw reason;
		// The browser does not say whether the network or the script failed.
		throw new Error(notDownloaded, { cause: reason });
	}
}

/** Deletes everything that the service and the clients store in this browser. All tabs reload. */
export function clearAllData(): void {
	navigator.serviceWorker.controller?.postMessage('clear' satisfies WorkerRequest);
}

function missingWorker(): string {
	return isSecureContext
		? 'This browser does not offer service workers here. They are often turned off in private windows.'
		: 'The service needs a secure page: HTTPS or localhost.';
}

async function reloadOnce(registration: ServiceWorkerRegistration): Promise<void> {
	await whenActive(registration);
	if (sessionStorage.getItem(reloaded) !== null) {
		sessionStorage.removeItem(reloaded);
		throw new Error(
			'The browser bypasses the service worker. Turn off "Bypass for network" in its developer tools, then reload.'
		);
	}
	sessionStorage.setItem(reloaded, '1');
	location.reload();
	await new Promise(() => {});
}

/**
 * Resolves when a registration has an active worker. `navigator.serviceWorker.ready` never does if the installation fails.
 * @throws Error where the browser could not install the worker
 */
function whenActive(registration: ServiceWorkerRegistration): Promise<void> {
	return new Promise((resolve, reject) => {
		const follow = () => {
			const next = registration.installing ?? registration.waiting;
			if (registration.active !== null) resolve();
			else if (next === null) reject(new Error(notDownloaded));
			else next.addEventListener('statechange', follow, { once: true });
		};
		registration.addEventListener('updatefound', follow);
		follow();
	});
}

const notDownloaded =
	'It could not be downloaded or installed. Check the network and the free disk space, then reload the page.';

function followWorker(base: string): void {
	const { serviceWorker } = navigator;
	const showStorage = () =>
		void askWorker<WorkerStatus>('status').then(({ storage, problem }) => setHostStatus({ storage, problem }));
	serviceWorker.addEventListener('controllerchange', () => {
		if (serviceWorker.controller === null) location.reload();
	});
	let isWorldReplaced = false;
	serviceWorker.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
		if (data === worldReplaced) isWorldReplaced = true;
		if (data !== cleared) return;
		clearWebStorage(base);
		if (isWorldReplaced) sessionStorage.setItem(replacedAt, String(Date.now()));
		location.reload();
	});
	setTimeout(() => serviceWorker.controller?.postMessage('fill cache' satisfies WorkerRequest), fillDelay);
	setInterval(showStorage, statusInterval);
	showStorage();
	keepStorage();
}

/** Asks the browser not to delete the data when space runs short (BR-06), once the user comes from a page of this site. */
function keepStorage(): void {
	if (document.referrer.startsWith(`${location.origin}/`) && 'storage' in navigator) void navigator.storage.persist();
}
