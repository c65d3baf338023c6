import type { ServiceOptions } from '../core/options.ts';
import { heartbeatInterval } from '../traffic/sse-streams.ts';

/** How often rows are made of new exchanges, in milliseconds. */
export const rowInterval = 250;

/** What a stream reads. */
export type BoardSource = {
	/** Undefined once the class has ended. */
	readonly view: object | undefined;
	/** The class as JSON, the same text until it changes. */
	readonly classText: string;
	/** Since when the rows know the traffic, in milliseconds of the real clock. */
	readonly since: number;
	/** The rows as JSON, the same text until they change. */
	readonly rows: readonly { readonly seat: number; readonly text: string }[];
	readonly hasSeat: (number: number) => boolean;
	/** Brings all of it up to date. */
	readonly refresh: () => Promise<void>;
};

/** One reader of a board: server-sent events with what has changed since the event before. */
export class BoardStream implements AsyncIterator<string> {
	readonly #feed: BoardSource;
	readonly #options: Pick<ServiceOptions, 'now' | 'sleep'>;
	readonly #onEnd: () => void;
	readonly #sent = new Map<number, string>();
	#sentClass = '';
	#lastEvent: number;
	#isFirst = true;
	#isOver = false;

	constructor(feed: BoardSource, options: Pick<ServiceOptions, 'now' | 'sleep'>, onEnd: () => void) {
		this.#feed = feed;
		this.#options = options;
		this.#onEnd = onEnd;
		this.#lastEvent = options.now();
	}

	async next(): Promise<IteratorResult<string>> {
		while (!this.#isOver) {
			if (!this.#isFirst) await this.#options.sleep(rowInterval);
			await this.#feed.refresh();
			const text = this.#news();
			if (text !== '') return { done: false, value: text };
		}
		return { done: true, value: undefined };
	}

	return(): Promise<IteratorResult<string>> {
		this.#end();
		return Promise.resolve({ done: true, value: undefined });
	}

	#end(): void {
		if (this.#isOver) return;
		this.#isOver = true;
		this.#onEnd();
	}

	/** The next events; empty without news, and after the end. */
	#news(): string {
		if (this.#isOver) return '';
		const { view, classText, since } = this.#feed;
		if (view === undefined) {
			this.#end();
			return 'event: ended\ndata: {}\n\n';
		}
		const changed = this.#feed.rows.filter(({ seat, text }) => this.#sent.get(seat) !== text);
		for (const { seat, text } of changed) this.#sent.set(seat, text);
		const removed = [...this.#sent.keys()].filter((seat) => !this.#feed.hasSeat(seat));
		for (const seat of removed) this.#sent.delete(seat);
		const ofClass = classText === this.#sentClass ? '' : `event: class\ndata: ${classText}\n\n`;
		this.#sentClass = classText;
		const rows = changed.map(({ text }) => text).join(',');
		const isSame = changed.length === 0 && removed.length === 0 && !this.#isFirst;
		const ofRows = isSame
			? ''
			: `event: rows\ndata: {"since":${since},"rows":[${rows}],"removed":${JSON.stringify(removed)}}\n\n`;
		this.#isFirst = false;
		const now = this.#options.now();
		const isQuiet = ofClass === '' && ofRows === '';
		if (isQuiet && now - this.#lastEvent < heartbeatInterval) return '';
		this.#lastEvent = now;
		return isQuiet ? ': still here\n\n' : ofClass + ofRows;
	}
}
