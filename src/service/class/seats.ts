import { maxNote, maxSeats, type SeatChange, type SeatProgress } from '#api/control/seats.ts';
import { sanitizeLines } from '#lib/plain-text.ts';
import { StoreUnavailable } from '#store/errors.ts';
import type { SeatRecord } from '../sandbox/class-records.ts';
import type { SandboxRegistry } from '../sandbox-registry.ts';
import type { Classes } from './classes.ts';
import { labelOf } from './labels.ts';
import { stepOf } from './medians.ts';

/** How many steps a seat keeps the times of. */
const maxTimes = 200;

/** The same seat with another label. */
export function renamed(
	{ renamed }: SeatRecord,
	firstLabel: number,
	number: number
): Pick<SeatRecord, 'renamed' | 'label'> {
	return { renamed: renamed + 1, label: labelOf(firstLabel, number, renamed + 1, maxSeats) };
}

/**
 * Raises or lowers the hand of a seat. A hand that is raised already keeps its place.
 * @param now milliseconds, real clock
 */
export function withHand({ hand: before, ...seat }: SeatRecord, hand: boolean | undefined, now: number): SeatRecord {
	const since = hand === undefined ? before : hand ? (before ?? now) : undefined;
	return since === undefined ? seat : { ...seat, hand: since };
}

/** What the instructor says of a seat. Absent: as before. */
type Remarks = { readonly [Name in 'group' | 'note' | 'helped']: SeatChange[Name] | undefined };

/**
 * Notes what the instructor says of a seat.
 * @param now milliseconds, real clock
 */
export function withRemarks(seat: SeatRecord, { group, note, helped }: Remarks, now: number): SeatRecord {
	const { group: chosen, note: noted, helped: since, ...others } = seat;
	const text = note === undefined ? noted : sanitizeLines(note, maxNote);
	const at = helped === undefined ? since : helped ? now : undefined;
	const number = group === undefined ? chosen : (group ?? undefined);
	return {
		...others,
		...(number === undefined ? {} : { group: number }),
		...(text === undefined || text === '' ? {} : { note: text }),
		...(at === undefined ? {} : { helped: at })
	};
}

/**
 * Notes since when a program of a seat is shown.
 * @param program null: none is shown. Undefined: as before
 * @param now milliseconds, real clock
 */
export function withProgram({ program: before, ...seat }: SeatRecord, program: unknown, now: number): SeatRecord {
	const shown = program === undefined ? before : program === null ? undefined : now;
	return shown === undefined ? seat : { ...seat, program: shown };
}

/**
 * Notes what a page of a seat said of its lesson.
 * @param now milliseconds, real clock
 */
export function withProgress(seat: SeatRecord, progress: SeatProgress, now: number): SeatRecord {
	const { lesson, step, is_done, revealed, of } = progress;
	const before = seat.progress;
	const isSameStep = before?.lesson === lesson && before.step === (is_done ? of : step);
	const including = (list: readonly string[]) => (list.includes(lesson) ? list : [...list, lesson].slice(-50));
	return {
		...seat,
		progress: { ...progress, ...(is_done ? allShown(progress.shown, of) : {}), since: isSameStep ? before.since : now },
		times: before === undefined || isSameStep ? seat.times : withTime(seat.times, before, now),
		done: is_done ? including(seat.done) : seat.done,
		...(is_done ? { doneAt: { [lesson]: now, ...seat.doneAt } } : {}),
		revealed: revealed === true ? including(seat.revealed) : seat.revealed
	};
}

/** All steps of a lesson that is done are shown, also those that an earlier visit of the page showed. */
function allShown(shown: SeatProgress['shown'], of: number): Pick<SeatProgress, 'step' | 'shown'> {
	const all = Array.from({ length: of }, (_, place) => [String(place), shown[place] ?? []] as const);
	return { step: of, shown: Object.fromEntries(all) };
}

/** Adds the time in a step that is over. A student who returns to a step adds to it. */
function withTime(
	times: SeatRecord['times'],
	before: NonNullable<SeatRecord['progress']>,
	now: number
): SeatRecord['times'] {
	const key = stepOf(before);
	const all = { ...times, [key]: (times[key] ?? 0) + now - before.since };
	return Object.fromEntries(Object.entries(all).slice(-maxTimes));
}

/** Stores what the seats have sent, and deletes seats whose joining failed. What the store does not accept now, it gets next time. */
export async function purgeSeats(classes: Classes, registry: SandboxRegistry): Promise<void> {
	try {
		await classes.counts.save();
		for (const [code, number] of await classes.unfinished()) {
			await registry.removeSeat({ code, number });
			await classes.deleteSeat(code, number);
		}
	} catch (fault) {
		if (!(fault instanceof StoreUnavailable)) throw fault;
	}
}
