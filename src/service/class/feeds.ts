import type { BoardRow, ClassRole } from '#api/control/board.ts';
import { BoardFeed, type FeedSource } from './board-feed.ts';
import { noBoards, type OpenBoards } from './class-views.ts';

/** The service that a request is handled by. */
type Host = Pick<FeedSource, 'classes' | 'options'>;

/** The feeds of all classes. A feed exists only while it is read. */
export class Feeds {
	readonly #findSandbox: FeedSource['findSandbox'];
	readonly #rules: FeedSource['rules'];
	readonly #byCode = new Map<string, BoardFeed>();

	/** @param rules what report cards judge clients by */
	constructor(findSandbox: FeedSource['findSandbox'], rules: FeedSource['rules']) {
		this.#findSandbox = findSandbox;
		this.#rules = rules;
	}

	/** The board of a class as it is now. */
	async read(host: Host, code: string): Promise<{ readonly since: number; readonly rows: BoardRow[] }> {
		const feed = this.#of(host, code);
		try {
			await feed.read();
			return { since: feed.since, rows: feed.rows.map(({ text }) => parseRow(text)) };
		} finally {
			feed.release();
			this.#close(code, feed);
		}
	}

	/** The pages that follow a class. */
	boards(code: string): OpenBoards {
		return this.#byCode.get(code)?.boards ?? noBoards;
	}

	/**
	 * Opens a stream of the board of a class.
	 * @param page what follows it
	 * @throws ProtocolError `limit_reached`
	 */
	open(host: Host, code: string, page: ClassRole | 'wall'): AsyncIterable<string> {
		const feed = this.#of(host, code);
		return feed.open(page, () => this.#close(code, feed));
	}

	#of({ classes, options }: Host, code: string): BoardFeed {
		const feed =
			this.#byCode.get(code) ??
			new BoardFeed(code, { classes, options, findSandbox: this.#findSandbox, rules: this.#rules });
		this.#byCode.set(code, feed);
		return feed;
	}

	#close(code: string, feed: BoardFeed): void {
		if (feed.isIdle) this.#byCode.delete(code);
	}
}

/** What was written of a row. */
function parseRow(text: string): BoardRow;
function parseRow(text: string): unknown {
	const row: unknown = JSON.parse(text);
	return row;
}
