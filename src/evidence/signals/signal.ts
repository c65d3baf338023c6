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
	/** Whether all conditions of the lesson are shown. */
	readonly isDone: boolean;
	/** The id of the lesson. Undefined without one. */
	readonly lesson?: string;
	/** How many conditions of the lesson are shown, and how many it has. 0 without a lesson. */
	readonly shown: number;
	readonly of: number;
	/** How many more refused requests blacklist the address. Undefined where that is not known. */
	readonly refusalsLeft?: number;
};

/** A reason why a student does not get on, and how the traffic log shows it. */
export type SignalRule = {
	readonly id: string;
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

/** The signal of a seat. */
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
