import type { Ticket } from '#api/control/tickets.ts';
import type { TrafficEntry } from '#api/control/traffic.ts';

/** What the service has recorded since the start of a lesson, and what the learner has entered. */
export type Evidence = {
	/** Exchanges of the sandbox, oldest first. */
	readonly entries: readonly TrafficEntry[];
	readonly tickets: readonly Ticket[];
	/** What the learner has entered in the fields of the lesson, oldest first. */
	readonly entered: readonly EnteredValue[];
};

/** A value of a field of the lesson page. */
export type EnteredValue = {
	readonly field: string;
	readonly value: string;
	/** Number of the last exchange before it. */
	readonly after: number;
};

/** Something that the learner shows by what the service records. */
export type Condition = {
	/** Stable: `code_issued`. */
	readonly id: string;
	/** What is shown, for the list: `The application got a code`. */
	readonly label: string;
	/** What is missing, in a sentence, where the conditions before it are met: `You allowed access. No client has exchanged the code.` */
	readonly unmet: string;
	/** Why what the learner entered is wrong, where that is a known trap. */
	readonly wrong?: string;
	/**
	 * The exchanges that show it; undefined where it is not met. Pure. What is met stays met when exchanges follow.
	 * @param attempt one attempt of the learner
	 */
	readonly shownBy: (attempt: Evidence) => readonly TrafficEntry[] | undefined;
};
