import { unknownClass, classesOff, limitReached } from './class-errors.ts';
import { classHours, longestClassPause, maxClasses } from '#api/control/classes.ts';
import type { Notice, SeatStatus } from '#api/control/seats.ts';
import { StoreFull } from '#store/errors.ts';
import type { SandboxStore } from '#store/store.ts';
import type { LessonFile } from '#evidence/lesson-file/instructor-lesson.ts';
import { AddressRate } from '../core/address-limits.ts';
import { timingSafeEqual } from '../core/encoding.ts';
import { ProtocolError } from '../core/errors.ts';
import type { ServiceOptions } from '../core/options.ts';
import {
	type ClassRecord,
	type SeatId,
	seatKey,
	type SeatProgramRecord,
	type SeatRecord,
	type SeatTraffic
} from '../sandbox/class-records.ts';
import type { Records } from '../sandbox/records.ts';
import { createCode, labelCount } from './labels.ts';
import { mergeSpans, type Spans } from './work-time.ts';

const hour = 60 * 60_000;
/** How many notices a class keeps. */
const maxNotices = 20;
/** After how long without reading the log, a next time is a new one, in milliseconds. */
const watchingLasts = 60_000;
/** After how long a seat is free again that its student has never used, where the class is full, in milliseconds. */
const unusedFor = 5 * 60_000;
/** How long joining takes at most, in milliseconds. */
const joiningLasts = 60_000;
/** How many unknown codes the server looks up in a second. The addresses of guessers have a limit of their own. */
const guessesPerSecond = 20;

/** How many changes a seat can send within a window, and how long that is, in milliseconds. */
const reportsInWindow = 30;
const reportWindow = 10_000;

export type ClassPlan = Pick<ClassRecord, 'name' | 'key' | 'seats' | 'lessons' | 'guided' | 'preset'> & {
	readonly hours?: number;
};

/** The classes of one service, for its other parts. A host without classes has none, and imports nothing of them. */
export type ClassService = {
	readonly classes: Classes;
	/** What a page of a seat knows of its class. Undefined where the sandbox is no seat, or the class has ended. */
	statusOf(seat: SeatId | undefined): Promise<SeatStatus | undefined>;
};

/** The classes of one service, and their seats. Records of the root sandbox. */
export class Classes {
	readonly #store: SandboxStore<Records>;
	readonly #options: ServiceOptions;
	/** Real clock, in milliseconds. */
	readonly now: () => number;
	/** When this server started. */
	readonly started: number;
	/** What the seats have sent. */
	readonly counts: SeatCounts;
	/** What students show to their instructors. */
	readonly programs: SeatPrograms;
	/** What instructors wrote. */
	readonly lessons: ClassLessons;
	/** Counts what each seat reports. */
	readonly reports = new AddressRate(reportsInWindow, reportWindow);
	/** Counts unknown codes. */
	readonly guesses = new AddressRate(guessesPerSecond, 1000);

	/** @param store of the root sandbox */
	constructor(store: SandboxStore<Records>, options: ServiceOptions) {
		this.#store = store;
		this.#options = options;
		this.programs = new SeatPrograms(store);
		this.lessons = new ClassLessons(store);
		this.counts = new SeatCounts(store, options.now);
		this.now = options.now;
		this.started = options.now();
	}

	/** The class with this code; undefined if there is none, or it has ended. */
	find(code: string): Promise<ClassRecord | undefined> {
		return this.#store.get('class', code);
	}

	/** Whether a digest is that of the key of the class that a seat belongs to. */
	async isKeyOf(seat: SeatId | undefined, digest: string): Promise<boolean> {
		const known = seat && (await this.find(seat.code));
		return known !== undefined && timingSafeEqual(known.key, digest);
	}

	/**
	 * Opens a class.
	 * @returns its code
	 * @throws ProtocolError `limit_reached` without `CLASS_SEATS`, or if not as many seats are left
	 */
	async open({ hours = classHours.usual, ...plan }: ClassPlan): Promise<{ code: string; record: ClassRecord }> {
		const { classSeats = 0, now, random } = this.#options;
		if (classSeats === 0) throw classesOff();
		const code = createCode(random);
		const created = now();
		const [high = 0, low = 0] = random(2);
		const record: ClassRecord = {
			...plan,
			firstLabel: (high * 256 + low) % labelCount,
			created,
			isLocked: false,
			notices: [],
			expires: created + hours * hour
		};
		try {
			await this.#store.update('class', code, (known) => known ?? record);
		} catch (fault) {
			if (!(fault instanceof StoreFull)) throw fault;
			throw limitReached(`This server has ${maxClasses} classes. End one, or try again later.`);
		}
		// Counted afterwards: parallel calls over the limit all give up their class.
		const all = await this.#store.list('class');
		const others = all.filter(([other]) => other !== code).reduce((sum, [, { seats }]) => sum + seats, 0);
		if (others + plan.seats <= classSeats) return { code, record };
		await this.#store.delete('class', code);
		const left = Math.max(0, classSeats - others);
		throw limitReached(
			`This server has ${classSeats} seats, and ${left} are left. Open a smaller class, or end one.`,
			'seats'
		);
	}

	/** Changes a class. Undefined if it has ended. */
	change(code: string, change: (record: ClassRecord) => ClassRecord): Promise<ClassRecord | undefined> {
		return this.#store.update('class', code, (record) => record && change(record));
	}

	/** Deletes the record of a class, with its lessons. Its seats remain until they are deleted. */
	async end(code: string): Promise<void> {
		await this.lessons.delete(code);
		await this.#store.delete('class', code);
	}

	/**
	 * Takes the first free number for a seat that is being created.
	 * @returns undefined in a full class
	 * @throws ProtocolError `forbidden` in a locked class, `not_found` in one that has ended
	 */
	async takeSeat(code: string): Promise<number | undefined> {
		const record = await this.find(code);
		if (record === undefined) throw unknownClass();
		if (record.isLocked)
			throw new ProtocolError('forbidden', 'This class is locked. Ask your instructor to unlock it.');
		const { seats, expires } = record;
		const joined = this.#options.now();
		const taken = new Set((await this.#all(code)).map(([number]) => number));
		for (let number = 1; number <= seats; number++) {
			if (taken.has(number)) continue;
			const seat: SeatRecord = {
				...{ sandbox: '', label: '', renamed: 0, joined, isJoining: true, presence: joined, expires },
				...{ times: {}, done: [], revealed: [], signals: [] }
			};
			// Another student may have taken it since.
			const stored = await this.#store.update('seat', seatKey(code, number), (known) => known ?? seat);
			if (stored === seat) return number;
		}
		return undefined;
	}

	/** A seat that its student has never used since joining 5 minutes ago, the oldest one. */
	async findUnused(code: string): Promise<[number: number, seat: SeatRecord] | undefined> {
		await this.counts.save();
		const before = this.#options.now() - unusedFor;
		return (await this.seats(code)).find(
			([, { joined, presence, traffic }]) => traffic === undefined && presence === joined && joined < before
		);
	}

	/** The seats whose joining began a minute ago and did not end. */
	async unfinished(): Promise<[code: string, number: number][]> {
		const before = this.#options.now() - joiningLasts;
		return (await this.#store.list('seat')).flatMap(([key, { isJoining, joined }]): [string, number][] => {
			const [code = '', number = ''] = key.split(' ');
			return isJoining === true && joined < before ? [[code, Number(number)]] : [];
		});
	}

	/** The seat with this number; undefined if it is not taken. */
	async seat(code: string, number: number): Promise<SeatRecord | undefined> {
		const seat = await this.#store.get('seat', seatKey(code, number));
		return seat?.isJoining === true ? undefined : seat;
	}

	/** The seats of a class with their numbers, in the order of the numbers. */
	async seats(code: string): Promise<[number: number, seat: SeatRecord][]> {
		return (await this.#all(code)).filter(([, { isJoining }]) => isJoining !== true);
	}

	/** Those that are being created, too. */
	async #all(code: string): Promise<[number: number, seat: SeatRecord][]> {
		const all = await this.#store.list('seat');
		return all
			.filter(([key]) => key.startsWith(`${code} `))
			.map(([key, seat]): [number, SeatRecord] => [Number(key.slice(code.length + 1)), seat])
			.sort(([one], [other]) => one - other);
	}

	/** Ends the joining of a seat. */
	async finishSeat(code: string, number: number, sandbox: string, label: string): Promise<void> {
		await this.changeSeat(code, number, ({ isJoining: _, ...seat }) => ({ ...seat, sandbox, label }));
	}

	/** Changes a seat. Undefined if it is gone. */
	changeSeat(code: string, number: number, change: (seat: SeatRecord) => SeatRecord): Promise<SeatRecord | undefined> {
		return this.#store.update('seat', seatKey(code, number), (seat) => seat && change(seat));
	}

	/** Deletes the record of a seat, with the program that it shows. */
	async deleteSeat(code: string, number: number): Promise<void> {
		await this.programs.show(code, number, null);
		await this.#store.delete('seat', seatKey(code, number));
	}

	/** Adds a notice. The oldest makes room. */
	async addNotice(code: string, notice: Notice): Promise<void> {
		await this.change(code, (record) => ({ ...record, notices: [...record.notices, notice].slice(-maxNotices) }));
	}

	/**
	 * Notes that the instructor reads the log of a seat.
	 * @returns whether that began now
	 */
	async noteWatching({ code, number }: SeatId): Promise<boolean> {
		const watched = this.#options.now();
		let before = -Infinity;
		await this.changeSeat(code, number, (seat) => {
			before = seat.watched ?? -Infinity;
			return { ...seat, watched };
		});
		return watched - before > watchingLasts;
	}

	/** When a class ends that is open for so many hours from now, in milliseconds. */
	endAfter(hours: number): number {
		return this.#options.now() + hours * hour;
	}

	/** When a pause that begins now ends, in milliseconds. */
	get endOfPause(): number {
		return this.#options.now() + longestClassPause;
	}
}

/** The lesson files of classes, which their instructors wrote. */
class ClassLessons {
	readonly #store: SandboxStore<Records>;

	/** @param store of the root sandbox */
	constructor(store: SandboxStore<Records>) {
		this.#store = store;
	}

	/** The lesson files of a class. Empty for a class without them, or that has ended. */
	async find(code: string): Promise<readonly LessonFile[]> {
		return (await this.#store.get('class_lessons', code))?.lessons ?? [];
	}

	/** @param expires when the class ends, in milliseconds */
	async set(code: string, lessons: readonly LessonFile[], expires: number): Promise<void> {
		await this.#store.update('class_lessons', code, () => ({ lessons, expires }));
	}

	/** Keeps them as long as the class. */
	async extend(code: string, expires: number): Promise<void> {
		await this.#store.update('class_lessons', code, (record) => record && { ...record, expires });
	}

	async delete(code: string): Promise<void> {
		await this.#store.delete('class_lessons', code);
	}
}

/** The programs that students show to their instructors, at most one for each seat. */
class SeatPrograms {
	readonly #store: SandboxStore<Records>;

	/** @param store of the root sandbox */
	constructor(store: SandboxStore<Records>) {
		this.#store = store;
	}

	/** The program that the student of a seat shows. Undefined: none. */
	find(code: string, number: number): Promise<SeatProgramRecord | undefined> {
		return this.#store.get('seat_program', seatKey(code, number));
	}

	/** Shows a program in place of the one before. `null`: shows none. */
	async show(code: string, number: number, program: SeatProgramRecord | null): Promise<void> {
		if (program === null) await this.#store.delete('seat_program', seatKey(code, number));
		else await this.#store.update('seat_program', seatKey(code, number), () => program);
	}
}

/** What is not stored yet of a seat. */
type Counted = { readonly traffic: SeatTraffic; readonly spans: Spans };

/** Counts the exchanges of seats. The counts are stored from time to time, and whenever they are read. */
class SeatCounts {
	readonly #store: SandboxStore<Records>;
	readonly #now: () => number;
	/** What is not stored yet, by the keys of the seats. */
	readonly #counted = new Map<string, Counted>();

	/**
	 * @param store of the root sandbox
	 * @param now real clock, in milliseconds
	 */
	constructor(store: SandboxStore<Records>, now: () => number) {
		this.#store = store;
		this.#now = now;
	}

	/** Counts an exchange of a seat. */
	add({ code, number }: SeatId, isFailed: boolean): void {
		const last = this.#now();
		this.#add(seatKey(code, number), {
			traffic: { requests: 1, failed: isFailed ? 1 : 0, last },
			spans: [[last, last]]
		});
	}

	/**
	 * Stores what was counted.
	 * @throws StoreUnavailable where the store accepts no changes now; nothing is lost
	 */
	async save(): Promise<void> {
		for (const [key, counted] of [...this.#counted]) {
			this.#counted.delete(key);
			try {
				await this.#store.update(
					'seat',
					key,
					(seat) =>
						seat && {
							...seat,
							traffic: sumOf(seat.traffic, counted.traffic),
							spans: mergeSpans(seat.spans ?? [], counted.spans)
						}
				);
			} catch (fault) {
				this.#add(key, counted);
				throw fault;
			}
		}
	}

	#add(key: string, counted: Counted): void {
		const known = this.#counted.get(key);
		this.#counted.set(key, {
			traffic: sumOf(known?.traffic, counted.traffic),
			spans: mergeSpans(known?.spans ?? [], counted.spans)
		});
	}
}

function sumOf(one: SeatTraffic | undefined, other: SeatTraffic): SeatTraffic {
	if (one === undefined) return other;
	return {
		requests: one.requests + other.requests,
		failed: one.failed + other.failed,
		last: Math.max(one.last, other.last)
	};
}
