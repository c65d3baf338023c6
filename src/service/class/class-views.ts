import type { ClassView } from '#api/control/board.ts';
import type { SeatStatus } from '#api/control/seats.ts';
import type { ServiceOptions } from '../core/options.ts';
import type { ClassRecord, NumberedSeats, SeatId, SeatRecord } from '../sandbox/class-records.ts';
import { fleetOfClass, fleetOfSeat } from './class-fleet.ts';
import { returnCode } from './return-code.ts';
import type { Classes } from './classes.ts';

/** The pages that follow a class, by what opened them. */
export type OpenBoards = ClassView['boards'];
export const noBoards: OpenBoards = { instructors: 0, co_instructors: 0, walls: 0 };

/**
 * A class as its instructor sees it.
 * @param boards that are open
 * @param origin of the server
 * @param now milliseconds, real clock
 */
export function classView(
	code: string,
	record: ClassRecord,
	seats: NumberedSeats,
	boards: OpenBoards,
	origin: string,
	now: number
): ClassView {
	const { name, lessons, created, expires, isLocked, notices, groups = 0, timer } = record;
	return {
		code,
		name,
		join_url: `${origin}/join/${code}`,
		seats: record.seats,
		joined: seats.length,
		lessons: [...lessons],
		created,
		expires,
		is_locked: isLocked,
		paused_until: pausedUntil(record, now),
		notices: [...notices],
		groups,
		timer: timer ?? null,
		fleet: fleetOfClass(record, seats),
		boards: { ...boards }
	};
}

/**
 * What a page of a seat knows of its class. Undefined where the sandbox is no seat, or the class has ended.
 */
export async function seatStatus(
	classes: Classes,
	id: SeatId | undefined,
	{ now: clock, digest }: Pick<ServiceOptions, 'now' | 'digest'>
): Promise<SeatStatus | undefined> {
	if (id === undefined) return undefined;
	const now = clock();
	const { code, number } = id;
	const [record, seat] = await Promise.all([classes.find(code), classes.seat(code, number)]);
	if (record === undefined || seat === undefined) return undefined;
	const { hand } = seat;
	// Not for each status of each seat.
	const seats = hand === undefined && record.fleet === undefined ? [] : await classes.seats(code);
	const isBefore = (other: SeatRecord) => other.hand !== undefined && hand !== undefined && other.hand < hand;
	const place = hand === undefined ? 0 : 1 + seats.filter(([, other]) => isBefore(other)).length;
	return {
		code,
		name: record.name,
		seat: number,
		label: seat.label,
		group: groupOf(record, number, seat),
		lessons: [...record.lessons],
		guided: record.guided ?? null,
		expires: record.expires,
		paused_until: pausedUntil(record, now),
		notices: record.notices.filter(({ seats }) => seats === undefined || seats.includes(number)),
		hand: hand === undefined ? null : { since: hand, place },
		watched: seat.watched ?? null,
		done: [...seat.done],
		return_code: returnCode(seat, digest),
		fleet: fleetOfSeat(record, seat, seats.length),
		program: seat.program ?? null
	};
}

/** The group of a seat, from 1. The seats are dealt in turn, unless the instructor chose. `null` in a class without groups. */
export function groupOf(
	{ groups = 0 }: Pick<ClassRecord, 'groups'>,
	number: number,
	{ group }: Pick<SeatRecord, 'group'>
): number | null {
	if (groups === 0) return null;
	return group !== undefined && group <= groups ? group : ((number - 1) % groups) + 1;
}

function pausedUntil({ pausedUntil: until = 0 }: ClassRecord, now: number): number | null {
	return until > now ? until : null;
}
