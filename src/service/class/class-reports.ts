import type { ClassExport } from '#api/control/board.ts';
import { courseIds } from '#api/control/course-ids.ts';
import type { Rule } from '#evidence/rule.ts';
import type { ClassRecord } from '../sandbox/class-records.ts';
import type { FeedSource } from './board-feed.ts';
import { exportClass, toCsv, type SeatToExport } from './export-class.ts';
import { Feeds } from './feeds.ts';

/** What instructors read of their classes, and which ids their lessons can have. Hosts without classes leave it out, with all that it needs. */
export type ClassReports = {
	/** Opens the boards of the classes of one service. */
	openFeeds(findSandbox: FeedSource['findSandbox']): Feeds;
	/** @param now milliseconds, real clock */
	exportClass(record: ClassRecord, seats: readonly SeatToExport[], now: number): ClassExport;
	toCsv(exported: ClassExport): string;
	/** Whether a lesson, an exercise or a lab has this id. */
	isKnown(id: string): boolean;
};

/** @param clientRules what report cards judge clients by */
export function createClassReports(clientRules: readonly Rule[]): ClassReports {
	return {
		openFeeds: (findSandbox) => new Feeds(findSandbox, clientRules),
		exportClass: (record, seats, now) => exportClass(record, seats, clientRules, now),
		toCsv,
		isKnown: (id) => courseIds.has(id)
	};
}
