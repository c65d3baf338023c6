import { createMemoryLock, type Lock } from '#client/oauth/lock.ts';
import { sleep } from '#client/rate-limit/sleep.ts';
import { IndexedDbStorage } from '#client/storage/indexed-db.ts';
import { MemoryStorage, type SharedStorage } from '#client/storage/shared-storage.ts';
import { storedText, storeText, type TextStorage } from '#client/storage/web-storage.ts';
import { storedAddress } from '#client/virtual-address.svelte.ts';
import { pauseSwitch } from '../shell/pause-switch.svelte.ts';
import type { Environment } from './client.ts';
import type { XmlElement, XmlParser } from '#client/xml-to-json.ts';

/**
 * The environment of this browser. If it blocks storage, the client works in memory.
 * @param namespace separates apps on the same origin: `tollgate-viewer` and the path that the app is served from
 */
export async function createBrowserEnvironment(namespace: string): Promise<Environment> {
	const storage = await openStorage(namespace);
	return {
		storage: storage ?? new MemoryStorage(),
		isPersistent: storage !== undefined,
		tabStorage,
		namespace,
		browserSession: tabId(tabStorage, `${namespace} tab`),
		lock: createWebLock(),
		fetch: (url, init) => fetch(url, init),
		virtualAddress: storedAddress,
		parseXml,
		now: () => Date.now(),
		timeout: unlessPaused,
		random: () => Math.random(),
		sleep,
		onPageHide
	};
}

/** Aborts after this number of milliseconds, or a while after the pause of messages has ended. */
function unlessPaused(milliseconds: number): AbortSignal {
	const controller = new AbortController();
	const timer = setInterval(() => {
		if (pauseSwitch.isPaused) return;
		clearInterval(timer);
		controller.abort(new DOMException('The service did not respond in time', 'TimeoutError'));
	}, milliseconds);
	return controller.signal;
}

/** Undefined where it cannot be opened. `loadViewer` handles storage that fails later. */
async function openStorage(name: string): Promise<SharedStorage | undefined> {
	try {
		const storage = new IndexedDbStorage(name);
		const late = sleep(5000).then(() => Promise.reject(new Error('storage did not open')));
		await Promise.race([storage.get('users'), late]);
		return storage;
	} catch {
		return undefined;
	}
}

/** Each use throws where the browser blocks it. */
const tabStorage: TextStorage = {
	getItem: (key) => sessionStorage.getItem(key),
	setItem: (key, value) => sessionStorage.setItem(key, value),
	removeItem: (key) => sessionStorage.removeItem(key)
};

function tabId(storage: TextStorage, key: string): string {
	const id = storedText(key, () => storage) || randomId();
	storeText(key, id, () => storage);
	return id;
}

function randomId(): string {
	return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Web Locks work across tabs. Pages without HTTPS have none. */
function createWebLock(): Lock {
	if (!('locks' in navigator)) return createMemoryLock();
	return (name, action) => navigator.locks.request(name, action);
}

function onPageHide(save: () => void): void {
	addEventListener('pagehide', save);
	// A hidden page may be ended without another event.
	document.addEventListener('visibilitychange', () => {
		if (document.hidden) save();
	});
}

/** Parses XML with the browser's parser, which loads nothing and expands no external entities. */
const parseXml: XmlParser = (text) => {
	const document = new DOMParser().parseFromString(text, 'application/xml');
	return document.querySelector('parsererror') === null ? elementOf(document.documentElement) : undefined;
};

function elementOf(element: Element): XmlElement {
	const texts = [...element.childNodes].filter(
		(node) => node.nodeType === Node.TEXT_NODE || node.nodeType === Node.CDATA_SECTION_NODE
	);
	return {
		name: element.tagName,
		attributes: new Map([...element.attributes].map(({ name, value }) => [name, value])),
		children: [...element.children].map(elementOf),
		text: texts.map((node) => node.nodeValue ?? '').join('')
	};
}
