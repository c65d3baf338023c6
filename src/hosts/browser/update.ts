// How a page of the static build gets a new version: it shows one that waits, lets it take over, and reloads.
import { setHostStatus } from './host-status.svelte.ts';
import { askWorker, type WorkerRequest, type WorkerStatus } from './worker-messages.ts';

/** How often a page looks for a new version, in milliseconds. */
const updateInterval = 60 * 60 * 1000;
/** How long the tabs may continue what they do before an update reloads them, in milliseconds. */
const updateTimeout = 5_000;
/** How often a page asks for the waiting worker to take over, in milliseconds. */
const takeOverInterval = 1_000;
/** Hosts with several versions at a time would make a tab reload without end: within this time it does so once, in milliseconds. */
const replaceInterval = 60_000;
/** How long a navigation to another page may take, in milliseconds. */
const navigationTimeout = 10_000;
/** Marks in `sessionStorage` that the user started an update in this tab. It remains when the tab is reloaded. */
const updating = 'tollgate-updating';
/** Where `sessionStorage` has when another worker last took over this tab. */
const replacedAt = 'tollgate-replaced-at';

let registration: ServiceWorkerRegistration | undefined;
/** Whether this page is of another version than the worker, and was reloaded for that lately. */
let isOutdated = false;
let takingOver: Promise<void> | undefined;
/** When this page was last about to be left, in milliseconds. */
let leftAt = -Infinity;
/** Where the app is going, while it loads that page. */
let destination: string | undefined;
let isReloading = false;

/**
 * Shows whether a new version waits, and reloads the page when one takes over.
 * @param followed its worker controls this page
 * @param version of the app that this page shows
 */
export function followUpdates(followed: ServiceWorkerRegistration, version: string): void {
	registration = followed;
	const { serviceWorker } = navigator;
	const look = () => {
		showUpdate(followed);
		for (const worker of [followed.installing, followed.waiting]) worker?.addEventListener('statechange', look);
		if (followed.waiting === null) {
			if (isUpdating()) endUpdate(followed);
		} else if (isUpdating()) {
			takeOver(followed);
		} else {
			void askWorker<WorkerStatus>('status').then(({ isComplete }) => {
				if (!isComplete) takeOver(followed);
			});
		}
	};
	// The worker of an update that was started before this page was loaded took over in the meantime.
	if (followed.waiting === null) sessionStorage.removeItem(updating);
	followed.addEventListener('updatefound', look);
	serviceWorker.addEventListener('controllerchange', () => {
		look();
		if (serviceWorker.controller !== null)
			void isOtherThan(version).then((isOther) => isOther && reloadOnceLately(followed));
	});
	document.addEventListener('visibilitychange', () => {
		if (document.visibilityState === 'visible') lookForUpdate();
	});
	setInterval(lookForUpdate, updateInterval);
	addEventListener('beforeunload', () => (leftAt = Date.now()));
	reloadChannel(followed).addEventListener('message', reload);
	look();
	void leaveOldPage(followed, version);
}

/** Looks for a new version now. Its installation sets the host status. */
export function lookForUpdate(): void {
	void registration?.update().catch(() => undefined);
}

/**
 * Lets the new version take over, then reloads all tabs. A tab that sends requests without a pause holds it up, so after a moment the
 * tabs are reloaded before that, too.
 */
export function updateAllTabs(): void {
	if (registration === undefined) return;
	const followed = registration;
	if (followed.waiting === null) return reloadAllTabs(followed);
	sessionStorage.setItem(updating, '1');
	showUpdate(followed);
	takeOver(followed);
	setTimeout(() => reloadAllTabs(followed), updateTimeout);
}

function isUpdating(): boolean {
	return sessionStorage.getItem(updating) !== null;
}

function endUpdate(registration: ServiceWorkerRegistration): void {
	sessionStorage.removeItem(updating);
	reloadAllTabs(registration);
}

/** What is shown depends only on what the registration is now. */
function showUpdate(registration: ServiceWorkerRegistration): void {
	setHostStatus({ hasUpdate: registration.waiting !== null || isOutdated, isUpdating: isUpdating() });
}

/**
 * Asks until the waiting worker takes over. Chromium lets it when the active worker has nothing to do. But a request that arrives
 * while that one stops starts it again, and then Chromium looks again only at the next navigation or after five minutes. So a frame
 * navigates.
 */
function takeOver(registration: ServiceWorkerRegistration): void {
	// One tab at a time: the frames of the others would be such requests.
	takingOver ??= navigator.locks
		.request(`tollgate-update ${registration.scope}`, async () => {
			while (registration.waiting !== null) {
				registration.active?.postMessage('leave' satisfies WorkerRequest);
				registration.waiting.postMessage('activate' satisfies WorkerRequest);
				// A page that is still loading would not end before its frame does.
				const frame =
					document.readyState === 'complete' ? openFrame(`${registration.scope}_app/version.json`) : undefined;
				await new Promise((resolve) => setTimeout(resolve, takeOverInterval));
				frame?.remove();
			}
		})
		.finally(() => (takingOver = undefined));
}

function openFrame(url: string): HTMLIFrameElement {
	const frame = document.createElement('iframe');
	frame.hidden = true;
	frame.src = url;
	document.body.append(frame);
	return frame;
}

function reloadAllTabs(registration: ServiceWorkerRegistration): void {
	reloadChannel(registration).postMessage('reload');
	reload();
}

/**
 * Says where the app is going while it loads that page, so that no update keeps the user on this one.
 * @param url `undefined` when it has arrived
 */
export function headFor(url: string | undefined): void {
	destination = url;
	if (isReloading) open();
}

/**
 * Reloads this tab. If it is on its way to another document, that one has the new version, and a reload would keep the user on this
 * page. A navigation that ends in a download leaves the page open, so it is reloaded later.
 */
function reload(): void {
	const wait = leftAt + navigationTimeout - Date.now();
	if (wait > 0) setTimeout(reload, wait);
	else open();
}

/** Opens the newest version of the page that the user wants to see. */
function open(): void {
	isReloading = true;
	if (destination === undefined) location.reload();
	else location.assign(destination);
}

/** Tells the other tabs of this site to reload. */
function reloadChannel({ scope }: ServiceWorkerRegistration): BroadcastChannel {
	return new BroadcastChannel(`tollgate-reload ${scope}`);
}

/** The worker may have been replaced while the page was loading. A page that is newer than the worker stays. */
async function leaveOldPage(registration: ServiceWorkerRegistration, version: string): Promise<void> {
	if (!(await isOtherThan(version))) return;
	await registration.update().catch(() => undefined);
	if (registration.installing === null && registration.waiting === null) reloadOnceLately(registration);
}

/** Whether the worker is of another version. */
async function isOtherThan(version: string): Promise<boolean> {
	return (await askWorker<WorkerStatus>('status')).version !== version;
}

/** Reloads this tab for another worker. If that was done lately, offers it to the user instead. */
function reloadOnceLately(registration: ServiceWorkerRegistration): void {
	const last = Number(sessionStorage.getItem(replacedAt) ?? 0);
	if (Date.now() - last < replaceInterval) {
		isOutdated = true;
		showUpdate(registration);
		return;
	}
	sessionStorage.setItem(replacedAt, String(Date.now()));
	reload();
}
