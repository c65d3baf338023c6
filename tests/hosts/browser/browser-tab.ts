// A tab of the static build, with a service worker that the test controls.
import { vi } from 'vitest';
import type { HostStatus } from '#hosts/browser/host-status.svelte.ts';

/** Of the page. */
export const version = '1';
const url = 'https://site.example/demo/service-worker.js';

type Worker = EventTarget & { postMessage: (message: unknown) => void };

/** A registration as a page sees it: its events, and which worker is in which state. */
class Registration extends EventTarget {
	installing: EventTarget | null = null;
	waiting: Worker | null = null;
	active: Worker | null = null;
	readonly scope = 'https://site.example/demo/';
	/** What the page sent to its workers. */
	readonly sent: unknown[] = [];
	readonly update = vi.fn(() => Promise.resolve());

	#worker(target = new EventTarget()): Worker {
		return Object.assign(target, { postMessage: (message: unknown) => void this.sent.push(message) });
	}

	/** A worker is installed. */
	install(): EventTarget {
		this.installing = new EventTarget();
		this.dispatchEvent(new Event('updatefound'));
		return this.installing;
	}

	/** The worker that was installed is active. */
	activate(): void {
		this.active = this.waiting ?? this.#worker(this.installing ?? undefined);
		this.installing = null;
		this.waiting = null;
		this.active.dispatchEvent(new Event('statechange'));
	}

	/** A new worker waits until the active one is replaced. */
	wait(): void {
		this.active ??= this.#worker();
		this.waiting = this.#worker(this.installing ?? undefined);
		this.installing = null;
		this.waiting.dispatchEvent(new Event('statechange'));
	}

	/** The worker that was installed could not be. */
	fail(): void {
		const failed = this.installing;
		this.installing = null;
		failed?.dispatchEvent(new Event('statechange'));
	}
}

/** A tab of a browser. `reloads` counts how often it was reloaded. */
export function openTab({
	isControlled = false,
	register = (): Promise<unknown> => Promise.resolve(),
	stored = new Map<string, string>()
} = {}) {
	vi.resetModules();
	const registration = new Registration();
	const respond = (request: unknown, [port]: readonly MessagePort[] = []) => {
		if (request !== 'status') return;
		tab.asked++;
		port?.postMessage({ storage: 'stored', version: tab.version, isComplete: tab.isComplete });
	};
	const container = Object.assign(new EventTarget(), {
		controller: isControlled ? { scriptURL: url, postMessage: respond } : null,
		register: () => register().then(() => registration)
	});
	const tab = {
		registration,
		container,
		reloads: 0,
		/** The URLs that scripts opened in place of the page. */
		opened: new Array<string>(),
		/** What it sent to the other tabs. */
		broadcasts: new Array<unknown>(),
		/** Its session storage. */
		stored,
		/** The URLs that its frames opened. */
		frames: new Array<string>(),
		/** Whether the worker keeps all files of its version. */
		isComplete: true,
		/** How often the worker was asked for its status. */
		asked: 0,
		/** Of the worker. */
		version,
		/** Another worker controls the tab. */
		replace: (next: string) => {
			tab.version = next;
			container.dispatchEvent(new Event('controllerchange'));
		},
		/** The user follows a link to another document. */
		leave: () => void tabWindow.dispatchEvent(new Event('beforeunload'))
	};
	const tabWindow = new EventTarget();
	vi.stubGlobal('addEventListener', tabWindow.addEventListener.bind(tabWindow));
	const locks = { request: (_: string, action: () => Promise<void>) => action() };
	vi.stubGlobal('navigator', { serviceWorker: container, locks });
	vi.stubGlobal('location', {
		href: 'https://site.example/demo/',
		reload: () => tab.reloads++,
		assign: (opened: string) => void tab.opened.push(opened)
	});
	vi.stubGlobal(
		'document',
		Object.assign(new EventTarget(), {
			referrer: '',
			readyState: 'complete',
			createElement: () => ({ src: '', remove: () => undefined }),
			body: { append: ({ src }: { src: string }) => void tab.frames.push(src) }
		})
	);
	vi.stubGlobal('sessionStorage', {
		getItem: (key: string) => stored.get(key) ?? null,
		setItem: (key: string, value: string) => void stored.set(key, value),
		removeItem: (key: string) => void stored.delete(key)
	});
	vi.stubGlobal(
		'BroadcastChannel',
		class extends EventTarget {
			postMessage(message: unknown): void {
				tab.broadcasts.push(message);
			}
		}
	);
	vi.stubGlobal('isSecureContext', true);
	// What a tab does at intervals would go on after its test.
	vi.stubGlobal('setInterval', () => undefined);
	return tab;
}

/** Registers the worker in the tab that was opened last. `status` reads what the page shows. `updateAllTabs` is its button. */
export async function start(): Promise<{
	registered: Promise<void>;
	status: () => HostStatus;
	updateAllTabs: () => void;
	headFor: (url: string | undefined) => void;
}> {
	const { registerServiceWorker } = await import('#hosts/browser/register.ts');
	const { updateAllTabs, headFor } = await import('#hosts/browser/update.ts');
	const { hostStatus } = await import('#hosts/browser/host-status.svelte.ts');
	return { registered: registerServiceWorker('/demo', version), status: hostStatus, updateAllTabs, headFor };
}

/** Resolves after the messages that were sent so far have arrived. */
export function afterMessages(): Promise<void> {
	return new Promise((resolve) => {
		const { port1, port2 } = new MessageChannel();
		port1.onmessage = () => {
			port1.close();
			setImmediate(resolve);
		};
		port2.postMessage('');
	});
}
