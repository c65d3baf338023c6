import type { Seen, StepLog } from './step-log.ts';

/** What is known about a seat besides its traffic log. */
export type SeatFacts = {
	/** The number of the last exchange before the step began. 0 without one. */
	readonly after: number;
	/** How long the student has been in the step, in milliseconds by the real clock. */
	readonly inStep: number;
	readonly presence: 'active' | 'quiet' | 'away';
	/** Which client the student uses. Undefined before the first request. */
	readonly client: 'viewer' | 'own' | undefined;
	/** Whether the lesson is done. */
	readonly isDone: boolean;
	/** The id of the lesson. Undefined without one. */
	readonly lesson?: string;
	/** How many steps of the lesson are shown, and how many it has. 0 without a lesson. */
	readonly shown: number;
	readonly of: number;
	/** The near miss of an exercise or a lab, as its page says: `a_JSON_body`. */
	readonly miss?: string;
	/** Whether an address of the seat is blacklisted, and whether a fault is active. Undefined: as the log says. */
	readonly isBlacklisted?: boolean;
	readonly hasFaults?: boolean;
	/** Whether a client_id is that of an application that the student has registered. Undefined: only programs tell own clients. */
	readonly isOwn?: (client_id: string) => boolean;
};

/**
 * `mistake`: a request failed, or has no successor, and that is not solved. `wait`: the log shows no error, but nothing goes on.
 * `note`: worth knowing, the student gets on.
 */
export type SignalKind = 'mistake' | 'wait' | 'note';

/** A reason why a student does not get on, and how the traffic log shows it. */
export type SignalRule = {
	readonly id: string;
	readonly kind: SignalKind;
	/** For a group of seats: `Redirect URI differs`. */
	readonly title: string;
	/** One sentence for the instructor. It says what was seen, never what the student meant. */
	readonly text: string;
	/** The section of the specification or of an RFC. Empty where none applies. */
	readonly section: string;
	/** What helps, in one sentence. */
	readonly help: string;
	/** Undefined where the signal does not hold. Pure. */
	readonly find: (log: StepLog, seat: SeatFacts) => Seen | undefined;
};

export type Signal = {
	readonly id: string;
	/** When the first exchange ended, in milliseconds by the clock of the sandbox. The current time if there is none. */
	readonly since: number;
	/** How many exchanges show it. */
	readonly count: number;
	/** The ids of the newest ones, at most 10, oldest first. */
	readonly requests: readonly string[];
	/** One sentence for the instructor. */
	readonly text: string;
};
