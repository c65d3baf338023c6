import type { ClassExport } from '#api/control/board.ts';
import { courseTitles } from '#api/control/course-ids.ts';
import { ownLessonPrefix } from '#api/control/own-lessons.ts';
import { checkLessonFile, mistakeText } from '#evidence/lesson-file/check-lesson-file.ts';
import type { LessonFile } from '#evidence/lesson-file/instructor-lesson.ts';
import type { Rule } from '#evidence/rule.ts';
import type { ClassRecord } from '../sandbox/class-records.ts';
import type { FeedSource } from './board-feed.ts';
import { exportClass, toCsv, type SeatToExport } from './export-class.ts';
import { Feeds } from './feeds.ts';
import { readReturnCode, type EarlierWork } from './return-code.ts';
import { toStatements, type StatementSource } from './xapi.ts';

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
