import { afterEach, expect, test, vi } from 'vitest';
import type { HostStatus } from '#hosts/browser/host-status.svelte.ts';

afterEach(() => vi.useRealTimers());

const version = '1';
const url = 'https://site.example/demo/service-worker.js';

/** A registration as a page sees it: its events, and which worker is in which state. */
class Registration extends EventTarget {
	installing: EventTarget | null = null;
	waiting: EventTarget | null = null;
	active: (EventTarget & { postMessage: (message: unknown) => void }) | null = null;
	readonly scope = 'https://site.example/demo/';
	readonly sent: unknown[] = [];
	readonly update = vi.fn(() => Promise.resolve());

	/** A worker is installed. */
	install(): EventTarget {
		this.installing = new EventTarget();
		this.dispatchEvent(new Event('updatefound'));
		return this.installing;
	}

	/** The worker that was installed is active. */
	activate(): void {
		this.active = Object.assign(this.installing ?? new EventTarget(), {
			postMessage: (message: unknown) => void this.sent.push(message)
		});
		this.installing = null;
		this.active.dispatchEvent(new Event('statechange'));
	}

	/** The worker that was installed could not be. */
	fail(): void {
		const failed = this.installing;
		this.installing = null;
		failed?.dispatchEvent(new Event('statechange'));
	}
}

/** A tab of a browser. `reloads` counts how often it was reloaded. */
function openTab({ isControlled = false, register = (): Promise<unknown> => Promise.resolve() } = {}) {
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
	const stored = new Map<string, string>();
	const tab = {
		registration,
		container,
		reloads: 0,
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
		}
	};
	vi.stubGlobal('navigator', { serviceWorker: container });
	vi.stubGlobal('location', { href: 'https://site.example/demo/', reload: () => tab.reloads++ });
	vi.stubGlobal('document', Object.assign(new EventTarget(), { referrer: '' }));
	vi.stubGlobal('sessionStorage', {
		getItem: (key: string) => stored.get(key) ?? null,
		setItem: (key: string, value: string) => void stored.set(key, value),
		removeItem: (key: string) => void stored.delete(key)
	});
	vi.stubGlobal('BroadcastChannel', EventTarget);
	vi.stubGlobal('isSecureContext', true);
	// What a tab does at intervals would go on after its test.
	vi.stubGlobal('setInterval', () => undefined);
	return tab;
}

/** Registers the worker in the tab that was opened last. `status` reads what the page shows. */
async function start(): Promise<{ registered: Promise<void>; status: () => HostStatus }> {
	const { registerServiceWorker } = await import('#hosts/browser/register.ts');
	const { hostStatus } = await import('#hosts/browser/host-status.svelte.ts');
	return { registered: registerServiceWorker('/demo', version), status: hostStatus };
}

/** Resolves after the messages that were sent so far have arrived. */
function afterMessages(): Promise<void> {
	return new Promise((resolve) => {
		const { port1, port2 } = new MessageChannel();
		port1.onmessage = () => {
			port1.close();
			setImmediate(resolve);
		};
		port2.postMessage('');
	});
}

test('a first visit reloads once its worker is active', async () => {
	const tab = openTab();
	tab.registration.install();
	const { status } = await start();
	await vi.waitFor(() => expect(status().worker).toBe('starting'));
	expect(tab.reloads).toBe(0);
	tab.registration.activate();
	await vi.waitFor(() => expect(tab.reloads).toBe(1));
});

test('says so if the browser cannot install the worker, and waits for no other one', async () => {
	const tab = openTab();
	tab.registration.install();
	const { registered, status } = await start();
	await Promise.resolve();
	tab.registration.fail();
	await registered;
	expect(status()).toMatchObject({
		worker: 'unavailable',
		problem: expect.stringContaining('could not be downloaded')
	});
	expect(tab.reloads).toBe(0);
});

test('says so if the installation has already failed', async () => {
	openTab();
	const { registered, status } = await start();
	await registered;
	expect(status().worker).toBe('unavailable');
});

test.each([
	[new TypeError('An unknown error occurred when fetching the script.'), 'Check the network and the free disk space'],
	[new DOMException('The user denied permission.', 'SecurityError'), 'The user denied permission.']
])('says so if the worker cannot be registered: %s', async (reason, said) => {
	openTab({ register: () => Promise.reject(reason) });
	const { registered, status } = await start();
	await registered;
	expect(status()).toMatchObject({ worker: 'unavailable', problem: expect.stringContaining(said) });
});

test('a server that changes between versions reloads a tab once, then the tab offers the update', async () => {
	vi.useFakeTimers({ toFake: ['Date'] });
	const tab = openTab({ isControlled: true });
	const { registered, status } = await start();
	await registered;
	tab.replace('other');
	await vi.waitFor(() => expect(tab.reloads).toBe(1));
	expect(status().hasUpdate).toBe(false);
	tab.replace('another');
	await vi.waitFor(() => expect(status().hasUpdate).toBe(true));
	expect(tab.reloads).toBe(1);
	vi.setSystemTime(Date.now() + 120_000);
	tab.replace('a later one');
	await vi.waitFor(() => expect(tab.reloads).toBe(2));
});

test.each([
	['waits for the user if all files of the active one are kept', true, []],
	['takes over if not all files of the active one are kept', false, ['leave', 'activate']]
])('a new version %s', async (_, isComplete, sent) => {
	const tab = openTab({ isControlled: true });
	const postMessage = (message: unknown) => void tab.registration.sent.push(message);
	tab.registration.active = Object.assign(new EventTarget(), { postMessage });
	tab.registration.waiting = Object.assign(new EventTarget(), { postMessage });
	tab.isComplete = isComplete;
	const { registered, status } = await start();
	await registered;
	expect(status().hasUpdate).toBe(true);
	await afterMessages();
	expect(tab.registration.sent).toEqual(sent);
});

test('a page that has the version of the worker that took over stays', async () => {
	const tab = openTab({ isControlled: true });
	await (
		await start()
	).registered;
	const before = tab.asked;
	tab.replace(version);
	expect(tab.asked).toBeGreaterThan(before);
	await afterMessages();
	expect(tab.reloads).toBe(0);
});

test.each([
	['reloads, because a newer worker took over while it was loading', false, 1],
	['stays, because the newer worker is on its way', true, 0]
])('a page of another version than its worker %s', async (_, isUpdated, reloads) => {
	const tab = openTab({ isControlled: true });
	tab.version = 'other';
	tab.registration.update.mockImplementation(() => {
		if (isUpdated) tab.registration.install();
		return Promise.resolve();
	});
	await (
		await start()
	).registered;
	await vi.waitFor(() => expect(tab.registration.update).toHaveBeenCalled());
	await afterMessages();
	expect(tab.reloads).toBe(reloads);
});

test('reloads whenever the worker was deleted, because a page without one sends nothing', async () => {
	const tab = openTab({ isControlled: true });
	await (
		await start()
	).registered;
	tab.container.controller = null;
	for (let time = 0; time < 2; time++) tab.container.dispatchEvent(new Event('controllerchange'));
	expect(tab.reloads).toBe(2);
});
