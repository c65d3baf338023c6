import type { TrafficEntry } from '#api/control/traffic.ts';

/** What the service has recorded since the start of a lesson, and what the learner has entered. */
export type Evidence = {
	/** Exchanges of the sandbox, oldest first. */
	readonly entries: readonly TrafficEntry[];
	/** What the learner has entered in the fields of the lesson, oldest first. */
	readonly entered: readonly EnteredValue[];
	/** Which steps were opened, oldest first. Absent: none was, as for a program. */
	readonly visits?: readonly Visit[];
};

/** When the learner opened a step: after which exchange. */
export type Visit = { readonly step: number; readonly after: number };

/** A value of a field of the lesson page, or what a client of this browser reported. */
export type EnteredValue = {
	readonly field: string;
	readonly value: string;
	/** Number of the last exchange before it. */
	readonly after: number;
};

/** What came before an exchange. */
export type Context = {
	/** The exchanges of the attempt before it, oldest first. */
	readonly before: readonly TrafficEntry[];
	/** Those of them that were caused in the open step. */
	readonly since: readonly TrafficEntry[];
	/** The exchanges that show an earlier condition, oldest first. */
	readonly shown: (id: string) => readonly TrafficEntry[];
	readonly entered: readonly EnteredValue[];
};

type Described = {
	/** Stable: `code_issued`. */
	readonly id: string;
	/** What is shown, for the list: `The application got a code`. */
	readonly label: string;
	/** What is missing, in a sentence, where the conditions before it are met: `You allowed access. No client has exchanged the code.` */
	readonly unmet: string;
	/** The user who has to do it, where the step names one. */
	readonly user?: string;
};

export type ExchangeCondition = Described & {
	/**
	 * Whether an exchange shows it; or the exchanges that show it together with this one. Pure. The engine asks at each exchange of the open
	 * step, in the order of the log, so what happened before the step never shows it.
	 */
	readonly shows: (entry: TrafficEntry, context: Context) => boolean | readonly TrafficEntry[];
	/** Why an exchange of the open step does not show it, where that is a known trap. */
	readonly why?: (entry: TrafficEntry, context: Context) => string | undefined;
};

/** A condition that a value shows which the learner entered. */
export type ValueCondition = Described & {
	readonly field: string;
	/** The exchange that a value was read from, if the value is right. */
	readonly readFrom: (value: string, before: readonly TrafficEntry[]) => TrafficEntry | undefined;
	/** Why a value is wrong. */
	readonly wrong: string;
};

/** Something that the learner shows by what the service records, or by what it makes them enter. */
export type Condition = ExchangeCondition | ValueCondition;

/** The `X-Request-Id` of the exchanges that show each condition that is met, by the id of the condition. */
export type Shown = Readonly<Record<string, readonly string[]>>;

/** The user who signs in, where the steps of a lesson name one. */
export const learner = 'player-one';

/** The account of the attacker. */
export const attacker = 'player-three';
