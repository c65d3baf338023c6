import type { ClassView } from '#api/control/board.ts';
import type { SeatStatus } from '#api/control/seats.ts';
import type { ServiceOptions } from '../core/options.ts';
import type { ClassRecord, NumberedSeats, SeatId, SeatRecord } from '../sandbox/class-records.ts';
import { returnCode } from './seats.ts';
import type { Classes } from './classes.ts';
import {
	type ClassFleet,
	type FleetGroup,
	fleetLimit,
	type FleetWave,
	type SeatFleet,
	usualPolicy
} from '#api/control/class-fleet.ts';
import { type RetryPolicyName, retryPolicyNames } from '#api/retry-policy.ts';
import { ProtocolError } from '../core/errors.ts';

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

type Fleet = NonNullable<ClassRecord['fleet']>;

/** The choice of a seat in this fleet. Undefined: it made none. */
function choiceOf({ opened }: Fleet, { fleet }: SeatRecord): RetryPolicyName | undefined {
	return fleet?.opened === opened ? fleet.choice : undefined;
}

/** How many seats have each policy, in the order of the policies. */
function groupsOf(policies: readonly RetryPolicyName[]): FleetGroup[] {
	return retryPolicyNames
		.map((policy) => ({ policy, seats: policies.filter((one) => one === policy).length }))
		.filter(({ seats }) => seats > 0);
}

/** The fleet of a class, for its instructor. `null`: there is none. */
function fleetOfClass({ fleet }: ClassRecord, seats: NumberedSeats): ClassFleet | null {
	if (fleet === undefined) return null;
	const choices = seats.map(([, seat]) => choiceOf(fleet, seat));
	return {
		choices: groupsOf(choices.map((choice) => choice ?? usualPolicy)),
		undecided: choices.filter((choice) => choice === undefined).length,
		wave: fleet.wave ?? null
	};
}

/** The fleet of a class, for one of its seats. `null`: there is none. */
function fleetOfSeat({ fleet }: ClassRecord, seat: SeatRecord, seats: number): SeatFleet | null {
	if (fleet === undefined) return null;
	const { opened, wave } = fleet;
	const part = seat.fleet?.opened === opened ? seat.fleet.part : undefined;
	const isIn = part !== undefined && part.wave === wave?.number;
	return {
		seats,
		choice: choiceOf(fleet, seat) ?? null,
		wave: wave ?? null,
		client: isIn ? { policy: part.policy, number: part.client } : null
	};
}

/**
 * Opens the fleet of a class, or a new one in its place. The choices before do not count.
 * @param random of this number of bytes
 * @param now milliseconds, real clock
 */
export function newFleet(random: (count: number) => Uint8Array, now: number): Fleet {
	const [high = 0, low = 0] = random(2);
	return { opened: now, seed: high * 256 + low };
}

/** Notes what a seat chose. Undefined: as before. */
export function withChoice(seat: SeatRecord, { fleet }: ClassRecord, choice: RetryPolicyName | undefined): SeatRecord {
	if (choice === undefined || fleet === undefined) return seat;
	const { opened } = fleet;
	const before = seat.fleet?.opened === opened ? seat.fleet : { opened };
	return { ...seat, fleet: { ...before, choice } };
}

/**
 * Starts the next wave with what the seats chose. Asked twice for the same wave, it starts once.
 * @param number of the wave, from 1
 * @returns whether it started
 * @throws ProtocolError `not_found` without a fleet, `invalid_request` for a wave that is not the next one
 */
export async function startWave(classes: Classes, code: string, number: number): Promise<boolean> {
	const seats = await classes.seats(code);
	const started = classes.now();
	const fleet = (await classes.find(code))?.fleet;
	if (fleet === undefined) throw noFleet('Open it first.');
	const next = (fleet.wave?.number ?? 0) + 1;
	if (number === next - 1) return false;
	if (number !== next)
		throw new ProtocolError('invalid_request', `The next wave is number ${next}.`, { field: 'number' });
	const { opened, seed } = fleet;
	const lanes = lanesOf(fleet, seats);
	const groups = groupsOf(lanes.map(({ policy }) => policy));
	const wave: FleetWave = { number, started, seed, limit: fleetLimit(seats.length), groups };
	// Another board may have started it since.
	const changed = await classes.change(code, (record) =>
		record.fleet?.opened === opened && record.fleet.wave?.number === fleet.wave?.number
			? { ...record, fleet: { ...record.fleet, wave } }
			: record
	);
	if (changed?.fleet?.wave !== wave) return false;
	for (const [client, { seat, policy }] of lanes.entries()) {
		await classes.changeSeat(code, seat, (stored) => {
			const before = stored.fleet?.opened === opened ? stored.fleet : { opened };
			return { ...stored, fleet: { ...before, part: { wave: number, policy, client } } };
		});
	}
	return true;
}

/** The error for a class without a fleet. */
export function noFleet(advice: string): ProtocolError {
	return new ProtocolError('not_found', `This class has no fleet. ${advice}`);
}

/** The seats in the order of their policies. */
function lanesOf(fleet: Fleet, seats: NumberedSeats) {
	return seats
		.map(([seat, record]) => ({ seat, policy: choiceOf(fleet, record) ?? usualPolicy }))
		.sort((one, other) => retryPolicyNames.indexOf(one.policy) - retryPolicyNames.indexOf(other.policy));
}
