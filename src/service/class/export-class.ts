import type { ClassExport, ExportedSeat } from '#api/control/board.ts';
import type { ClassRecord, SeatRecord } from '../sandbox/class-records.ts';
import type { Rule } from '#evidence/rule.ts';
import type { LoggedExchange } from '../traffic/logged-exchange.ts';
import { findingsOf } from './fold-seat.ts';
import { groupOf } from './class-views.ts';
import { mediansOf } from './medians.ts';
import { timeOf } from './work-time.ts';

const minute = 60_000;

/** A seat and its traffic, oldest first. */
export type SeatToExport = {
	readonly number: number;
	readonly seat: SeatRecord;
	readonly exchanges: readonly LoggedExchange[];
};

/**
 * The results of a class. It contains no address, no value of a request and no text of a student.
 * @param rules what clients are judged by
 * @param now milliseconds, real clock
 */
export function exportClass(
	record: ClassRecord,
	seats: readonly SeatToExport[],
	rules: readonly Rule[],
	now: number
): ClassExport {
	const { name, created } = record;
	const medians = mediansOf(
		seats.map(({ seat }) => seat),
		now
	);
	return {
		format: 'tollgate-class',
		version: 1,
		name,
		created,
		exported: now,
		seats: seats.map((seat) => exportSeat(record, seat, rules)),
		medians: [...medians].map(([key, time]) => {
			const [lesson = '', step = ''] = key.split(' ');
			return { lesson, step: Number(step), minutes: Math.round(time / minute) };
		})
	};
}

function exportSeat(
	record: ClassRecord,
	{ number, seat, exchanges }: SeatToExport,
	rules: readonly Rule[]
): ExportedSeat {
	const entries = exchanges.map((exchange) => exchange.entry());
	const { label, progress, joined, presence, traffic, done, revealed, signals } = seat;
	return {
		seat: number,
		label,
		lesson: progress?.lesson ?? null,
		started: joined,
		done: [...done],
		revealed: [...revealed],
		shown: Object.keys(progress?.shown ?? {}).length,
		of: progress?.of ?? 0,
		minutes: Math.round((Math.max(presence, traffic?.last ?? 0) - joined) / minute),
		active_minutes: Math.round(timeOf(seat.spans ?? []) / minute),
		group: groupOf(record, number, seat),
		helped: seat.helped !== undefined,
		note: seat.note ?? '',
		done_at: { ...seat.doneAt },
		requests: traffic?.requests ?? 0,
		tries: traffic?.failed ?? 0,
		signals: [...signals],
		prediction: progress?.prediction ?? null,
		findings: findingsOf(entries, rules).filter(({ verdict }) => verdict !== 'not_shown')
	};
}

/** The same as a table, RFC 4180. */
export function toCsv({ seats }: ClassExport): string {
	const rows = seats.map(({ findings, started, done, revealed, signals, ...seat }) => [
		seat.seat,
		seat.label,
		seat.lesson ?? '',
		new Date(started).toISOString(),
		done.join(' '),
		revealed.join(' '),
		seat.shown,
		seat.of,
		seat.minutes,
		seat.requests,
		seat.tries,
		signals.join(' '),
		seat.prediction ?? '',
		findings.filter(({ verdict }) => verdict === 'failed').length,
		findings.filter(({ verdict }) => verdict === 'passed').length,
		seat.active_minutes,
		seat.group ?? '',
		seat.helped ? 'yes' : '',
		seat.note
	]);
	const header =
		'seat,label,lesson,started,done,revealed,shown,of,minutes,requests,tries,signals,prediction,rules_failed,rules_passed,active_minutes,group,helped,note';
	return [header, ...rows.map((row) => row.map(cellOf).join(','))].map((line) => `${line}\r\n`).join('');
}

/** A spreadsheet computes what begins with one of these characters. */
function cellOf(value: string | number): string {
	if (typeof value === 'number') return String(value);
	const safe = /^\s*[=+\-@\t\r]/.test(value) ? `'${value}` : value;
	return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
