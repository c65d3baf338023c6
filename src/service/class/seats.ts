import { maxNote, maxSeats, type SeatChange, type SeatProgress } from '#api/control/seats.ts';
import { sanitizeLines } from '#lib/plain-text.ts';
import { StoreUnavailable } from '#store/errors.ts';
import type { SeatRecord } from '../sandbox/class-records.ts';
import type { SandboxRegistry } from '../sandbox-registry.ts';
import type { Classes } from './classes.ts';
import { labelOf } from './labels.ts';
import { stepOf } from './medians.ts';
import { ProtocolError } from '../core/errors.ts';

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

/** What a student has done in an earlier class. */
export type EarlierWork = { readonly done: readonly string[]; readonly revealed: readonly string[] };

type Digest = (text: string) => string;

/** Characters of the digest of an id, and of that of the whole code. */
const idLength = 4;
const sumLength = 8;

const markOf = (id: string, digest: Digest): string => digest(`course ${id}`).slice(0, idLength);
const sumOf = (body: string, digest: Digest): string => digest(`return ${body}`).slice(0, sumLength);

/** The code with which a student comes back to another class. It names lessons, and has no secret. */
export function returnCode({ done, revealed }: EarlierWork, digest: Digest): string {
	const part = (ids: readonly string[]) => ids.map((id) => markOf(id, digest)).join('');
	const body = `TG1.${part(done)}.${part(revealed)}`;
	return `${body}.${sumOf(body, digest)}`;
}

/**
 * What a code of an earlier class says. Lessons that this version does not have are left out.
 * @param ids of all lessons, exercises and labs
 * @throws ProtocolError `invalid_request` for a code that is not complete, or was changed
 */
export function readReturnCode(sent: string, ids: Iterable<string>, digest: Digest): EarlierWork {
	const code = sent.replace(/\s/g, '');
	const [, body = '', done = '', revealed = '', sum = ''] = /^(TG1\.([\w-]*)\.([\w-]*))\.([\w-]+)$/.exec(code) ?? [];
	if (body === '' || sum !== sumOf(body, digest))
		throw new ProtocolError(
			'invalid_request',
			'This is not the code of an earlier class: a part is missing, or was changed. Copy all of it, or join without a code.',
			{ field: 'return_code' }
		);
	const known = new Map([...ids].map((id) => [markOf(id, digest), id]));
	const read = (part: string) => [...new Set(part.match(/.{4}/g) ?? [])].flatMap((mark) => known.get(mark) ?? []);
	return { done: read(done), revealed: read(revealed) };
}
