import type * as v from 'valibot';
import type { ClientEvent, sharedEventSchema } from './tab-schema.ts';
import { TabState } from './tab-state.svelte.ts';
import type { TextStorage } from './web-storage.ts';

/** Prefixes of the keys in the storage of a tab, by client. The path that the app is served from follows. */
export const clientNamespaces = { viewer: 'tollgate-viewer', companion: 'tollgate-companion' } as const;

/** An event of a client of this browser, without its messages. */
export type SharedEvent = Readonly<v.InferOutput<typeof sharedEventSchema>>;

/** What a tab sends to the others: its events, or without a source the request to send them. */
export type EventMessage = { readonly source?: string; readonly events?: readonly SharedEvent[] };

/** The channel between the clients and the inspectors of one service. */
export function eventChannel(baseUrl: string): BroadcastChannel {
	return new BroadcastChannel(`tollgate-client-events ${baseUrl}`);
}

/** Names a client in a tab. It contains only a part of the tab's secret id. */
export function eventSource(namespace: string, browserSession: string): string {
	return `${namespace} ${browserSession.slice(0, 8)}`;
}

/** Removes the messages, which are long. The inspector has those of the service. */
export function toSharedEvent(event: ClientEvent, source: string): SharedEvent {
	const { request: _request, response: _response, ...shared } = event;
	return { ...shared, source };
}

/**
 * The events that the clients of this tab stored before the page was loaded.
 * @param path that the app is served from, without a trailing slash
 */
export function readStoredEvents(storage: TextStorage, baseUrl: string, path: string): SharedEvent[] {
	return Object.values(clientNamespaces).flatMap((client) => {
		const namespace = client + path;
		const tab = storage.getItem(`${namespace} tab`);
		if (tab === null) return [];
		const events = new TabState(storage, `${namespace} ${baseUrl}`).readEvents();
		return events.map((event) => toSharedEvent(event, eventSource(namespace, tab)));
	});
}
