import { createStore } from 'idb-keyval';
import type { Surroundings } from '../client.ts';
import { LocalLocks, type Locks } from '../locks.ts';
import { Problem } from '../problems.ts';
import { MemoryShelf, type Shelf } from '../shelf.ts';
import type { Bell } from '../bell.ts';
import { readDomXml } from './dom-xml.ts';
import { IndexedShelf } from './indexed-shelf.ts';
import { tabDrawer } from './tab-drawer.ts';

/** The browser as the client sees it, and whether what it keeps outlives the page. */
export type Browser = Surroundings & { readonly persistent: boolean };

/**
 * Opens storage and channels of this browser. Where storage is refused the client works in memory.
 * @param owner whose they are: `tollgate-client`, and the path that it stands at; nobody sees what another has stored
 */
export async function openBrowser(owner: string): Promise<Browser> {
	const { shelf, persistent } = await openShelf(owner);
	return {
		shelf,
		persistent,
		drawer: tabDrawer(owner),
		locks: webLocks(),
		bell: channelBell(owner),
		readXml: readDomXml,
		tab: tabId(),
		newId,
		fetch: (address, init) => fetch(address, init),
		now: () => Date.now(),
		jitter: () => (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32,
		timeout: (milliseconds) => AbortSignal.timeout(milliseconds),
		sleep
	};
}

async function openShelf(owner: string): Promise<{ shelf: Shelf; persistent: boolean }> {
	try {
		const shelf = new IndexedShelf(createStore(owner, 'kept'));
		await Promise.race([shelf.read('sessions'), tooLate()]);
		return { shelf, persistent: true };
	} catch {
		return { shelf: new MemoryShelf(), persistent: false };
	}
}

/** A storage that neither opens nor refuses keeps nobody waiting longer than this. */
function tooLate(): Promise<never> {
	return new Promise((_, reject) => {
		setTimeout(() => reject(new Error('storage did not open')), 5000);
	});
}

/** Web Locks hold across tabs; a page without a secure context has none. */
function webLocks(): Locks {
	if (!('locks' in navigator)) return new LocalLocks();
	return { request: (name, action) => navigator.locks.request(name, action) };
}

function channelBell(name: string): Bell {
	const channel = new BroadcastChannel(name);
	return {
		ring: () => channel.postMessage('changed'),
		listen: (heard) => {
			channel.addEventListener('message', heard);
			return () => channel.removeEventListener('message', heard);
		}
	};
}

/** The id of this tab: kept for its session, so that a reload is the same tab and another tab is not. */
function tabId(): string {
	const key = 'tollgate-client-tab';
	try {
		const known = sessionStorage.getItem(key);
		if (known !== null) return known;
		const fresh = newId();
		sessionStorage.setItem(key, fresh);
		return fresh;
	} catch {
		return newId();
	}
}

function newId(): string {
	return [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

function sleep(milliseconds: number, signal?: AbortSignal): Promise<void> {
	return new Promise((resolve, reject) => {
		const timer = setTimeout(resolve, milliseconds);
		signal?.addEventListener('abort', () => {
			clearTimeout(timer);
			reject(new Problem('stopped'));
		});
	});
}
