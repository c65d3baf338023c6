import { clearWebStorage } from './client-data.ts';
import { setHostStatus } from './host-status.svelte.ts';
import { cleared, type WorkerRequest, type WorkerStatus } from './worker-messages.ts';

/** How often a page looks for a new version, in milliseconds. */
const updateInterval = 60 * 60 * 1000;
/** How often a page asks for the storage status, in milliseconds. This also keeps a worker without storage running. */
const statusInterval = 10_000;
/** When a page asks the worker to download what other pages need, in milliseconds: after its own files. */
const fillDelay = 5_000;
/** Marks in `sessionStorage` that this tab was reloaded to become controlled. */
const reloaded = 'tollgate-reloaded';
/** Where `sessionStorage` has when another worker last took over this tab. */
const replacedAt = 'tollgate-replaced-at';
/** Hosts with several versions at a time would make a tab reload without end: within this time it does so once, in milliseconds. */
const replaceInterval = 60_000;

let registration: ServiceWorkerRegistration | undefined;

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
		registration = await register(url, `${base}/`);
		if (navigator.serviceWorker.controller?.scriptURL !== new URL(url, location.href).href)
			return await reloadOnce(registration);
		sessionStorage.removeItem(reloaded);
		setHostStatus({ worker: 'running' });
		followWorker(registration, base, version);
		new BroadcastChannel(reloadChannel()).addEventListener('message', () => location.reload());
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

/** How long the active worker may take to end its requests before all tabs reload, which ends them, in milliseconds. */
const replaceTimeout = 2_000;

/** Looks for a new version now. Its installation sets the host status. */
export function lookForUpdate(): void {
	void registration?.update().catch(() => undefined);
}

function activateWaiting(): void {
	if (!registration?.waiting) return;
	registration.active?.postMessage('leave' satisfies WorkerRequest);
	registration.waiting.postMessage('activate' satisfies WorkerRequest);
}

/** Asks the waiting worker to take over. All tabs reload when it does, or a moment later, because an open request holds it up. */
export function updateAllTabs(): void {
	activateWaiting();
	setTimeout(() => {
		new BroadcastChannel(reloadChannel()).postMessage('reload');
		location.reload();
	}, replaceTimeout);
}

/** Tells the other tabs of this site to reload. */
function reloadChannel(): string {
	return `tollgate-reload ${registration?.scope ?? ''}`;
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

function followWorker(registration: ServiceWorkerRegistration, base: string, version: string): void {
	const { serviceWorker } = navigator;
	const look = () => {
		setHostStatus({ hasUpdate: registration.waiting !== null });
		// The installation asks for that too, which Chromium forgets while the active worker is busy.
		if (registration.waiting)
			void ask<WorkerStatus>('status').then(({ isComplete }) => {
				if (!isComplete) activateWaiting();
			});
	};
	const showStorage = () =>
		void ask<WorkerStatus>('status').then(({ storage, problem }) => setHostStatus({ storage, problem }));
	serviceWorker.addEventListener('controllerchange', () => {
		look();
		if (serviceWorker.controller === null) location.reload();
		else void isOtherThan(version).then((isOther) => isOther && reloadOnceLately());
	});
	serviceWorker.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
		if (data !== cleared) return;
		clearWebStorage(base);
		location.reload();
	});
	registration.addEventListener('updatefound', () => {
		registration.installing?.addEventListener('statechange', look);
	});
	document.addEventListener('visibilitychange', () => {
		if (document.visibilityState === 'visible') lookForUpdate();
	});
	setInterval(lookForUpdate, updateInterval);
	setTimeout(() => serviceWorker.controller?.postMessage('fill cache' satisfies WorkerRequest), fillDelay);
	setInterval(showStorage, statusInterval);
	look();
	showStorage();
	void leaveOldPage(registration, version);
	keepStorage();
}

/** The worker may have been replaced while the page was loading. A page that is newer than the worker stays. */
async function leaveOldPage(registration: ServiceWorkerRegistration, version: string): Promise<void> {
	if (!(await isOtherThan(version))) return;
	await registration.update().catch(() => undefined);
	if (registration.installing === null && registration.waiting === null) reloadOnceLately();
}

/** Whether the worker is of another version. */
async function isOtherThan(version: string): Promise<boolean> {
	return (await ask<WorkerStatus>('status')).version !== version;
}

/** Reloads this tab for another worker. If that was done lately, offers it to the user instead. */
function reloadOnceLately(): void {
	const last = Number(sessionStorage.getItem(replacedAt) ?? 0);
	if (Date.now() - last < replaceInterval) {
		setHostStatus({ hasUpdate: true });
		return;
	}
	sessionStorage.setItem(replacedAt, String(Date.now()));
	location.reload();
}

/** Asks the browser not to delete the data when space runs short (BR-06), once the user comes from a page of this site. */
function keepStorage(): void {
	if (document.referrer.startsWith(`${location.origin}/`) && 'storage' in navigator) void navigator.storage.persist();
}

/** Sends a request to the worker that controls this page. */
function ask<Reply>(request: WorkerRequest): Promise<Reply> {
	return new Promise((resolve) => {
		const { port1, port2 } = new MessageChannel();
		port1.onmessage = ({ data }: MessageEvent<Reply>) => {
			port1.close();
			resolve(data);
		};
		navigator.serviceWorker.controller?.postMessage(request, [port2]);
	});
}
