import { mediansOf } from './medians.ts';
import type { ClassExport, ExportedSeat } from '#api/control/board.ts';
import type { ClassRecord, SeatRecord } from '../sandbox/class-records.ts';
import type { Rule } from '#evidence/rule.ts';
import type { LoggedExchange } from '../traffic/logged-exchange.ts';
import { findingsOf } from './fold-seat.ts';
import { timeOf } from './work-time.ts';
import { groupOf } from './class-views.ts';

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

/** Where statements are about, and what makes their ids. */
export type StatementSource = {
	readonly code: string;
	/** Of the server. */
	readonly origin: string;
	readonly digest: (text: string) => string;
	/** The title of a lesson, an exercise or a lab. */
	readonly titleOf: (id: string) => string;
};

const verbs = {
	attended: 'http://adlnet.gov/expapi/verbs/attended',
	attempted: 'http://adlnet.gov/expapi/verbs/attempted',
	completed: 'http://adlnet.gov/expapi/verbs/completed'
} as const;
const activityTypes = {
	class: 'http://adlnet.gov/expapi/activities/course',
	lesson: 'http://adlnet.gov/expapi/activities/lesson'
} as const;

/**
 * The results of a class as statements of xAPI 1.0.3. An actor is the account of a seat, without a name. The id follows from the
 * content, so a record store knows a statement that it has already.
 */
export function toStatements({ name, created, exported, seats }: ClassExport, source: StatementSource): object[] {
	const { code, origin, titleOf } = source;
	const ofClass = {
		id: `${origin}/class/${code}`,
		objectType: 'Activity',
		definition: { type: activityTypes.class, name: { 'en-US': name } }
	};
	const statement = (seat: ExportedSeat, verb: keyof typeof verbs, parts: { object: object; timestamp: number }) => {
		const { timestamp, ...others } = parts;
		return withId(
			{
				actor: {
					objectType: 'Agent',
					account: { homePage: origin, name: `class-${code}-${created}-seat-${seat.seat}` }
				},
				verb: { id: verbs[verb], display: { 'en-US': verb } },
				...others,
				timestamp: new Date(timestamp).toISOString()
			},
			source
		);
	};
	const inClass = { context: { platform: 'Tollgate', contextActivities: { parent: [ofClass] } } };
	const ofLesson = (id: string) => ({
		// Exercises and labs have their folder in the id.
		id: `${origin}/${id.includes('/') ? id : `learn/${id}`}`,
		objectType: 'Activity',
		definition: { type: activityTypes.lesson, name: { 'en-US': titleOf(id) } }
	});
	return seats.flatMap((seat) => {
		const { done, done_at, lesson, active_minutes, started, shown, of } = seat;
		const result = { duration: `PT${active_minutes}M` };
		return [
			statement(seat, 'attended', { ...{ object: ofClass, result }, timestamp: exported }),
			...done.map((id) =>
				statement(seat, 'completed', {
					...{ object: ofLesson(id), result: { completion: true }, ...inClass },
					timestamp: done_at[id] ?? started
				})
			),
			...(lesson === null || done.includes(lesson)
				? []
				: [
						statement(seat, 'attempted', {
							...{ object: ofLesson(lesson), result: { score: { raw: shown, min: 0, max: of } }, ...inClass },
							timestamp: exported
						})
					])
		];
	});
}

/** With a UUID of version 8 (RFC 9562, section 5.8). */
function withId(statement: object, { digest }: Pick<StatementSource, 'digest'>): object {
	const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
	const hex = [...digest(JSON.stringify(statement))].map((one) => (alphabet.indexOf(one) & 15).toString(16)).join('');
	const id = [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)];
	return { id: id.join('-'), ...statement };
}
