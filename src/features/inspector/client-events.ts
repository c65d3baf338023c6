import { eventChannel, readStoredEvents, type EventMessage, type SharedEvent } from '#client/storage/tab-events.ts';
import type { TextStorage } from '#client/storage/web-storage.ts';
import type { Inspector } from './inspector.svelte.ts';

/** How many events of each tab are kept. The oldest are dropped. */
const maxEvents = 500;

/**
 * Collects the events of our own clients in this browser: those that this tab has stored, and those of all open tabs.
 * @param storage of this tab
 * @param path that the app is served from, without a trailing slash
 * @returns stops
 */
export function followClientEvents(
	inspector: Pick<Inspector, 'events'>,
	storage: () => TextStorage,
	baseUrl: string,
	path: string
): () => void {
	const bySource = new Map<string, Map<number, SharedEvent>>();
	const add = (events: readonly SharedEvent[]) => {
		for (const event of events) {
			const known = bySource.get(event.source) ?? new Map<number, SharedEvent>();
			known.set(event.seq, event);
			const [oldest] = known.keys();
			if (known.size > maxEvents && oldest !== undefined) known.delete(oldest);
			bySource.set(event.source, known);
		}
		inspector.events = [...bySource.values()].flatMap((known) =>
			[...known.values()].sort((one, other) => one.seq - other.seq)
		);
	};
	const channel = eventChannel(baseUrl);
	channel.addEventListener('message', ({ data }: MessageEvent<EventMessage>) => add(data.events ?? []));
	channel.postMessage({} satisfies EventMessage);
	try {
		add(readStoredEvents(storage(), baseUrl, path));
	} catch {
		// Storage is blocked: the events of open pages still arrive.
	}
	return () => channel.close();
}
