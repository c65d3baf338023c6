import { eventChannel, toSharedEvent, type EventMessage } from '#client/storage/tab-events.ts';
import type { ClientEvent } from '#client/storage/tab-schema.ts';
import type { EventLog } from './event-log.svelte.ts';

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
	log.changed.subscribe(() => send(log.events.filter((event) => !sent.has(event))));
	channel.addEventListener('message', ({ data }: MessageEvent<EventMessage>) => {
		if (data.source === undefined) send(log.events);
	});
}
