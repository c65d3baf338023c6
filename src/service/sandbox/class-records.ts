import type { BoardRow } from '#api/control/board.ts';
import type { LessonFile } from '#evidence/lesson-file/instructor-lesson.ts';
import type { ReadPreset } from '#api/control/preset.ts';
import type { FleetWave } from '#api/control/class-fleet.ts';
import type { RetryPolicyName } from '#api/retry-policy.ts';
import type { Notice, SeatProgress, ShownProgram } from '#api/control/seats.ts';

/** When a student worked, see `mergeSpans`. Milliseconds, real clock. */
type Spans = readonly (readonly [from: number, to: number])[];

/** The seat that a sandbox belongs to. */
export type SeatId = {
	readonly code: string;
	/** From 1. */
	readonly number: number;
	/** How many seats the class has. */
	readonly seats: number;
};

/** A class. Keyed by its code, in the root sandbox. Milliseconds, real clock. */
export type ClassRecord = {
	readonly name: string;
	/** Digest of the key that controls it. */
	readonly key: string;
	/** Digest of the key that only reads the board. Absent: there is none. */
	readonly readerKey?: string;
	readonly preset?: ReadPreset;
	readonly lessons: readonly string[];
	/** Whether labs show their steps. Absent: as each student chooses. */
	readonly guided?: boolean;
	readonly seats: number;
	/** Where its labels begin in the list of all labels. */
	readonly firstLabel: number;
	readonly created: number;
	readonly isLocked: boolean;
	/** Until when the pages of its seats are covered. */
	readonly pausedUntil?: number;
	/** Oldest first. */
	readonly notices: readonly Notice[];
	/** How many groups it has. Absent: none. */
	readonly groups?: number;
	/** The fleet of the rate limit lab. A seat's choice counts for the fleet with the same `opened`. */
	readonly fleet?: { readonly opened: number; readonly seed: number; readonly wave?: FleetWave };
	/** Of the current exercise: when it was started, and when it ends. */
	readonly timer?: { readonly from: number; readonly until: number };
	readonly expires: number;
};

/** A seat of a class. Keyed by `seatKey`, in the root sandbox. Milliseconds, real clock. */
export type SeatRecord = {
	readonly sandbox: string;
	readonly label: string;
	/** How often the student asked for another label. */
	readonly renamed: number;
	readonly joined: number;
	/** Its sandbox is being created. Where that fails, and the store accepts no deletion either, the seat is deleted later. */
	readonly isJoining?: true;
	/** When a page of the seat was last open. */
	readonly presence: number;
	/** Exchanges of the protocol, those of them that failed, and when the last one was. Absent: none. */
	readonly traffic?: SeatTraffic;
	/** When the student worked. At most one span for each 5 minutes of the class. Absent: never. */
	readonly spans?: Spans;
	/** What its page said last. `since`: when the step began. */
	readonly progress?: SeatProgress & { readonly since: number };
	/** How long it was in each earlier step, by `<lesson> <step>`. */
	readonly times: Readonly<Record<string, number>>;
	/** Lessons that are done, and those in which a hint was opened. */
	readonly done: readonly string[];
	/** When lessons were done, by id. Absent in earlier versions. */
	readonly doneAt?: Readonly<Record<string, number>>;
	readonly revealed: readonly string[];
	/** The signals that the board showed. */
	readonly signals: readonly string[];
	/** The newest of them, for a board after a restart: logs in memory are gone then. `step`: `<lesson> <step>`. `at`: milliseconds, real clock. */
	readonly lastSignal?: NonNullable<BoardRow['signal']> & { readonly step: string; readonly at: number };
	/** When the student raised a hand that is not lowered. */
	readonly hand?: number;
	/** When the instructor last read its traffic log. */
	readonly watched?: number;
	/** The group that the instructor chose, from 1. Absent: its turn in the order of the numbers. */
	readonly group?: number;
	/** What it chose for the fleet of the class, and what its client was in the last wave. */
	readonly fleet?: {
		readonly opened: number;
		readonly choice?: RetryPolicyName;
		readonly part?: { readonly wave: number; readonly policy: RetryPolicyName; readonly client: number };
	};
	/** What the instructor noted. The student does not see it. */
	readonly note?: string;
	/** When the instructor marked it as helped. */
	readonly helped?: number;
	/** When the student showed the program that the instructor can read. */
	readonly program?: number;
	readonly expires: number;
};

/** The seats of a class, with their numbers. */
export type NumberedSeats = readonly (readonly [number: number, seat: SeatRecord])[];

/** The program that a student shows. Keyed by `seatKey`, apart from the seat, which boards read every second. Milliseconds, real clock. */
export type SeatProgramRecord = ShownProgram & { readonly shown: number; readonly expires: number };

/** The lesson files of a class. Keyed by its code, apart from the class, which boards read every second. Milliseconds, real clock. */
export type ClassLessonsRecord = { readonly lessons: readonly LessonFile[]; readonly expires: number };

/** What a seat has sent in its class, whatever its log keeps. */
export type SeatTraffic = { readonly requests: number; readonly failed: number; readonly last: number };

/** The key of a seat. */
export function seatKey(code: string, number: number): string {
	return `${code} ${number}`;
}
