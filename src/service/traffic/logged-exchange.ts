import type { TraceLine, TrafficEntry } from '#api/control/traffic.ts';
import { type CheckId, checks } from '#api/checks.ts';

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

/** What was built last. All who hear of a new exchange read it, one after the other. */
let newest: { readonly exchange: LoggedExchange; readonly entry: TrafficEntry } | undefined;

/**
 * An exchange in a log. Once its text was read, that is kept in place of its hundred objects: the garbage collector looks at all
 * objects that are kept, and at no character.
 */
export class LoggedExchange {
	readonly seq: number;
	/** The `X-Request-Id`. */
	readonly id: string;
	/** How much text it has, about. */
	readonly size: number;
	#content: string | LazyTrafficEntry['entry'];

	/** @param content its entry as JSON in ASCII, or what builds the entry when it is read */
	constructor(seq: number, id: string, size: number, content: string | LazyTrafficEntry['entry']) {
		this.seq = seq;
		this.id = id;
		this.size = size;
		this.#content = content;
	}

	/** Its entry. Each call may return another object. */
	entry(): TrafficEntry {
		if (newest?.exchange === this) return newest.entry;
		if (typeof this.#content === 'string') return parseEntry(this.#content);
		const entry = this.#content(this.seq);
		newest = { exchange: this, entry };
		return entry;
	}

	/** Its entry as JSON, in ASCII. */
	text(): string {
		return typeof this.#content === 'string' ? this.#content : (this.#content = toText(this.entry()));
	}
}

/** An exchange whose entry is known. */
export function exchangeOf(entry: TrafficEntry): LoggedExchange {
	const text = toText(entry);
	return new LoggedExchange(entry.seq, entry.id, text.length, text);
}

/** In ASCII, that is half the memory: a string takes two bytes for each character if one is beyond Latin-1, as the dots of a preview. */
function toText(entry: TrafficEntry): string {
	const json = JSON.stringify(entry);
	const escaped = json.replace(/[^\0-~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
	return decoder.decode(encoder.encode(escaped));
}

/** What was written of an entry. */
function parseEntry(text: string): TrafficEntry;
function parseEntry(text: string): unknown {
	const entry: unknown = JSON.parse(text);
	return entry;
}

/** A line of a trace. Without name and section, it has those of the table of checks. */
type PackedLine = Omit<TraceLine, 'name' | 'section'> & Partial<Pick<TraceLine, 'name' | 'section'>>;

/** An entry as a store outside of this process keeps it: a quarter shorter. */
export type PackedEntry = Omit<TrafficEntry, 'trace'> & { readonly trace: readonly PackedLine[] };

/** Leaves out the names and sections that the table of checks has. */
export function packEntry(entry: TrafficEntry): PackedEntry {
	return {
		...entry,
		trace: entry.trace.map((line) => {
			const { name, section, ...rest } = line;
			const known = rowOf(line.id);
			return known?.name === name && known.section === section ? rest : line;
		})
	};
}

/** Adds what `packEntry` has left out, in the order of the format. An id that the table no longer has is its own name. */
export function unpackEntry(entry: PackedEntry): TrafficEntry {
	return {
		...entry,
		trace: entry.trace.map(({ id, ...line }): TraceLine => ({ id, name: id, section: '', ...rowOf(id), ...line }))
	};
}

function rowOf(id: string): Pick<TraceLine, 'name' | 'section'> | undefined {
	if (!isCheckId(id)) return undefined;
	const { title, section = '' } = checks[id];
	return { name: title, section };
}

function isCheckId(id: string): id is CheckId {
	return Object.hasOwn(checks, id);
}
