import type { TrafficEntry } from '#api/control/traffic.ts';

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** An exchange before it has its number. Its entry is built only if it is read. */
export type LazyTrafficEntry = {
	/** How much text it has, about. */
	readonly size: number;
	/** The `X-Request-Id`. */
	readonly id: string;
	readonly entry: (seq: number) => TrafficEntry;
};

/**
 * An exchange in a log. From its first read on its text is kept in place of its hundred objects: the garbage collector looks at all
 * objects that are kept, and at no character.
 */
export class LoggedExchange {
	readonly seq: number;
	/** The `X-Request-Id`. */
	readonly id: string;
	/** How much text it has, about. */
	readonly size: number;
	#build: LazyTrafficEntry['entry'] | undefined;
	#text = '';

	constructor(seq: number, { id, size, entry }: LazyTrafficEntry) {
		this.seq = seq;
		this.id = id;
		this.size = size;
		this.#build = entry;
	}

	/** Its entry. Each call may return another object. */
	entry(): TrafficEntry {
		return this.#build === undefined ? parseEntry(this.#text) : this.#read(this.#build);
	}

	/** Its entry as JSON, in ASCII. */
	text(): string {
		if (this.#build !== undefined) this.#read(this.#build);
		return this.#text;
	}

	#read(build: LazyTrafficEntry['entry']): TrafficEntry {
		const entry = build(this.seq);
		this.#text = toAscii(JSON.stringify(entry));
		this.#build = undefined;
		return entry;
	}
}

/** An exchange whose entry was stored elsewhere. */
export function restoredExchange(entry: TrafficEntry): LoggedExchange {
	const size = JSON.stringify(entry).length;
	return new LoggedExchange(entry.seq, { size, id: entry.id, entry: () => entry });
}

/** The same JSON in half the memory: a string takes two bytes for each character if one is beyond Latin-1, as the dots of a preview. */
function toAscii(json: string): string {
	const escaped = json.replace(/[^\0-~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
	return decoder.decode(encoder.encode(escaped));
}

/** What was written of an entry. */
function parseEntry(text: string): TrafficEntry;
function parseEntry(text: string): unknown {
	return JSON.parse(text);
}
