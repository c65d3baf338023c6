import type { BoardRow, ClassExport, ClassRole } from '#api/control/board.ts';
import { courseTitles } from '#api/control/course-ids.ts';
import { ownLessonPrefix } from '#api/control/own-lessons.ts';
import { checkLessonFile, mistakeText } from '#evidence/lesson-file/check-lesson-file.ts';
import type { LessonFile } from '#evidence/lesson-file/instructor-lesson.ts';
import type { Rule } from '#evidence/rule.ts';
import type { ClassRecord } from '../sandbox/class-records.ts';
import { BoardFeed, type FeedSource } from './board-feed.ts';
import { exportClass, type SeatToExport, type StatementSource, toCsv, toStatements } from './export-class.ts';
import { type EarlierWork, readReturnCode } from './seats.ts';
import { noBoards, type OpenBoards } from './class-views.ts';

/** What instructors read of their classes, and which ids their lessons can have. Hosts without classes leave it out, with all that it needs. */
export type ClassReports = {
	/** Opens the boards of the classes of one service. */
	openFeeds(findSandbox: FeedSource['findSandbox']): Feeds;
	/** @param now milliseconds, real clock */
	exportClass(record: ClassRecord, seats: readonly SeatToExport[], now: number): ClassExport;
	toCsv(exported: ClassExport): string;
	/** `own`: lesson files of the class. */
	toStatements(exported: ClassExport, source: Omit<StatementSource, 'titleOf'>, own: readonly LessonFile[]): object[];
	/** @throws ProtocolError `invalid_request` */
	readReturnCode(sent: string, digest: (text: string) => string): EarlierWork;
	/** Whether a lesson, an exercise or a lab has this id. `own`: lesson files of the class. */
	isKnown(id: string, own: readonly LessonFile[]): boolean;
	/** The lesson files of this server. */
	readonly lessons: readonly LessonFile[];
	/** Checks lesson files. Returns the first mistake as a sentence with its place. */
	checkLessons(sent: readonly unknown[]): readonly LessonFile[] | { readonly mistake: string };
};

/**
 * @param clientRules what report cards judge clients by
 * @param lessons the lesson files of this server
 */
export function createClassReports(clientRules: readonly Rule[], lessons: readonly LessonFile[] = []): ClassReports {
	return {
		openFeeds: (findSandbox) => new Feeds(findSandbox, clientRules),
		exportClass: (record, seats, now) => exportClass(record, seats, clientRules, now),
		toCsv,
		toStatements: (exported, source, own) => {
			const ofFile = (id: string) => [...own, ...lessons].find((one) => id === ownLessonPrefix + one.id)?.title;
			return toStatements(exported, { ...source, titleOf: (id) => courseTitles.get(id) ?? ofFile(id) ?? id });
		},
		readReturnCode: (sent, digest) => {
			const own = lessons.map(({ id }) => ownLessonPrefix + id);
			return readReturnCode(sent, [...courseTitles.keys(), ...own], digest);
		},
		isKnown: (id, own) => courseTitles.has(id) || [...own, ...lessons].some((one) => id === ownLessonPrefix + one.id),
		lessons,
		checkLessons
	};
}

function checkLessons(sent: readonly unknown[]): readonly LessonFile[] | { readonly mistake: string } {
	const files: LessonFile[] = [];
	for (const [at, content] of sent.entries()) {
		const checked = checkLessonFile(JSON.stringify(content));
		if ('mistakes' in checked) {
			const [first] = checked.mistakes;
			return { mistake: `Lesson file ${at + 1}: ${first === undefined ? '' : mistakeText(first)}` };
		}
		if (files.some(({ id }) => id === checked.file.id))
			return {
				mistake: `Lesson file ${at + 1}, id: Another file has the id "${checked.file.id}". Choose another one.`
			};
		files.push(checked.file);
	}
	return files;
}

/** The service that a request is handled by. */
type Host = Pick<FeedSource, 'classes' | 'options'>;

/** The feeds of all classes. A feed exists only while it is read. */
class Feeds {
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
