import type { AccessType, ClientRegistration } from '#client/oauth/client-registration.ts';
import { MemoryStorage } from '#client/storage/shared-storage.ts';
import { fetchWorldOnce, viewerRegistration, type World } from '#client/world.ts';
import { createBrowserEnvironment } from './browser-environment.ts';
import { type Environment, ViewerClient } from './client.ts';
import {
	clientNamespaces,
	eventChannel,
	type EventMessage,
	eventSource,
	toSharedEvent
} from '#client/storage/tab-state.svelte.ts';
import { Viewer } from './viewer.svelte.ts';
import type { ClientEvent } from '#client/storage/tab-schema.ts';
import type { EventLog } from './event-log.svelte.ts';

/**
 * The Character Viewer for a service. Each tab has one for each service.
 * @param baseUrl of the service, without a trailing slash
 * @param path that the app is served from, without a trailing slash
 */
export const openViewer = memoizeByUrl(async (baseUrl, path) => {
	const environment = await createBrowserEnvironment(clientNamespaces.viewer + path);
	const world = await fetchWorldOnce(baseUrl, environment.fetch);
	const viewer = await loadViewer(baseUrl, world, environment, viewerRegistration(world, baseUrl));
	shareEvents(viewer.client.log, baseUrl, eventSource(environment.namespace, environment.browserSession));
	return viewer;
});

/** Loads what is stored. Falls back to memory if storage fails. */
export async function loadViewer(
	baseUrl: string,
	world: World,
	environment: Environment,
	registration: ClientRegistration,
	access_type?: AccessType
): Promise<Viewer> {
	try {
		const client = new ViewerClient(baseUrl, world, environment, registration);
		await client.restore();
		const viewer = new Viewer(client, access_type);
		// Before the page is shown, so that nothing moves when the users are known.
		await viewer.users.load();
		if (viewer.users.list.length > 0) await import('./signed-in.ts');
		return viewer;
	} catch (thrown) {
		if (!environment.isPersistent) throw thrown;
		const inMemory = { ...environment, storage: new MemoryStorage(), isPersistent: false };
		return loadViewer(baseUrl, world, inMemory, registration, access_type);
	}
}

/** Calls a function once for each base URL, so that its result survives navigation inside the app. A failure is not remembered. */
export function memoizeByUrl<T>(create: (baseUrl: string, path: string) => Promise<T>) {
	const results = new Map<string, Promise<T>>();
	return (baseUrl: string, path: string): Promise<T> => {
		const result = results.get(baseUrl) ?? create(baseUrl, path);
		results.set(baseUrl, result);
		result.catch(() => results.delete(baseUrl));
		return result;
	};
}

/**
 * Sends the events of this tab to the inspectors of this browser, as long as the page lives: new ones when they happen, and all
 * when an inspector asks.
 * @param source names this client and tab
 */
export function shareEvents(log: EventLog, baseUrl: string, source: string): void {
	const channel = eventChannel(baseUrl);
	// An event that is completed later is a new object.
	const sent = new WeakSet<ClientEvent>();
	const send = (events: readonly ClientEvent[]) => {
		if (events.length === 0) return;
		for (const event of events) sent.add(event);
		const message: EventMessage = { source, events: events.map((event) => toSharedEvent(event, source)) };
		channel.postMessage(message);
	};
	const sendNew = () => send(log.events.filter((event) => !sent.has(event)));
	log.changed.subscribe(sendNew);
	// The log gathers events for a moment, and a tab can be closed at once.
	addEventListener('pagehide', sendNew);
	channel.addEventListener('message', ({ data }: MessageEvent<EventMessage>) => {
		if (data.source === undefined) send(log.events);
	});
}
