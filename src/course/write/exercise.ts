import type { TrafficEntry } from '#api/control/traffic.ts';
import type { Mark } from '#api/exam.ts';
import type { Facts } from '#evidence/facts.ts';
import type { ClientRun } from '#evidence/run.ts';
import type { ControlApi } from '#client/control-api/control-api.ts';
import type { ConsoleLine, Returned } from './engine/program/program.ts';
import type { PageClock } from '#hosts/page/page-clock.ts';
import type { ExercisePreset } from './engine/exercise-service.ts';
import type { UserBrowser } from './engine/user-browser.ts';

/** The groups of the list of exercises, in its order. */
export const exerciseGroups = ['Sign in', 'Use the token', 'Finish', 'Repair', 'Exam'] as const;
export type ExerciseGroup = (typeof exerciseGroups)[number];

/** What the list says about an exercise, in `about.ts` of its folder. */
export type ExerciseSummary = {
	readonly title: string;
	/** One sentence. */
	readonly goal: string;
	/** The position in the list, from 1. */
	readonly order: number;
	readonly group: ExerciseGroup;
	/** How long it takes. */
	readonly minutes: number;
	/** The lesson that explains it: the name of its folder. */
	readonly lesson?: string;
};

/** What is known of a run of a program. */
export type Evidence = {
	/** The exchanges that the service recorded, oldest first. */
	readonly entries: readonly TrafficEntry[];
	/** The same, as the rules of the exam read it. */
	readonly run: ClientRun;
	/** What was recorded in a step of the exercise. Undefined: it has not begun. */
	readonly step: (id: string) => StepEvidence | undefined;
	/** What the exported functions returned or threw, oldest first. */
	readonly calls: readonly JudgedCall[];
	/** Where the user's browser reached the client, oldest first, each with the number of the exchange before it. */
	readonly arrivals: readonly { readonly url: URL; readonly after: number }[];
	/** What the client keeps. */
	readonly stored: ReadonlyMap<string, unknown>;
	/** The code verifiers that it sent, oldest first. The log has no secrets. */
	readonly verifiers: readonly string[];
	/** What the program wrote to the console. */
	readonly console: readonly ConsoleLine[];
	/** Whether the run ended. Before that, only what has happened can be judged. */
	readonly isFinished: boolean;
	/** The text of the program. */
	readonly source: string;
	/** The line that sent an exchange, where it is known. */
	readonly lineOf: (entry: TrafficEntry) => number | undefined;
	/** The lines of the program that match, from 1. */
	readonly linesWith: (pattern: RegExp) => number[];
};

/** What was recorded in a step, and whether it ended. */
export type StepEvidence = { readonly facts: readonly Facts[]; readonly isOver: boolean };

/** The result of a function of the program: one of the two. */
export type CallResult = { readonly name: string } & (
	| { readonly returned: Returned; readonly error?: undefined }
	| {
			readonly returned?: undefined;
			readonly error: string;
			/** Of the program, where it is known. */
			readonly line?: number | undefined;
	  }
);

/** Why a result is not what the task asks for. */
export type WrongResult = Pick<NearMiss, 'title' | 'text' | 'entries'>;

/** What the task asks of a call. Undefined where the result is that. */
export type Expected = (
	result: CallResult,
	kept: { readonly stored: ReadonlyMap<string, unknown>; readonly entries: readonly TrafficEntry[] }
) => Promise<WrongResult | undefined>;

/** A call that is over, with what is wrong about its result. */
export type JudgedCall = CallResult & { readonly wrong?: NearMiss };

/** A known mistake: what happened and why, not how to repair it. */
export type NearMiss = {
	/** `a JSON body`. Follows “Near miss:”. */
	readonly title: string;
	/** What happened, and why. At most three sentences. */
	readonly text: string;
	/** The lines of the program, from 1. None where they are not known. */
	readonly lines?: readonly number[];
	/** The exchanges that show it. Without `lines`, the lines are those that sent them. */
	readonly entries?: readonly TrafficEntry[];
	/** The exchange that shows it. Default: the first of them. */
	readonly entry?: TrafficEntry;
};

/** `open`: not shown yet, or it could not be judged. */
export type Outcome = 'open' | 'met' | NearMiss;

/** Something that a program shows by what the service recorded. */
export type Condition = {
	/** Stable: `body_is_form`. */
	readonly id: string;
	/** What is shown: `The token request is a form`. */
	readonly title: string;
	/** The id of the condition without which this one is not judged: it stays open until that one is met. */
	readonly needs?: string;
	/** Pure. */
	readonly judge: (evidence: Evidence) => Outcome;
};

/** What a step does, as the rules of the exam know it. */
export type StepMark = Pick<Mark, 'probe' | 'code' | 'uses'>;

/** What an exercise does with a program. */
export type ExerciseRun = {
	/** Begins a step. What is recorded until the next one belongs to it. */
	readonly step: (id: string, mark?: StepMark) => void;
	/**
	 * Calls an exported function. A thrown error is the result. What is not as expected is a failed condition.
	 * @throws ProgramStopped
	 */
	readonly call: (name: string, expected: Expected, ...parameters: readonly unknown[]) => Promise<CallResult>;
	/** The control API of the service, to change it between two calls. */
	readonly api: ControlApi;
	readonly clock: PageClock;
	/** Its `conduct` says what the user does. */
	readonly browser: UserBrowser;
	/** What the client keeps. */
	readonly stored: Map<string, unknown>;
};

/** Something that the solution does and that other right programs may not do. */
export type Difference = {
	/** `Keeps the error code`. */
	readonly title: string;
	/** Why it matters later. Code in backticks. At most two sentences. */
	readonly text: string;
	/** The line of the solution that does it. */
	readonly at: RegExp;
};

/** An exercise, in `exercise.ts` of its folder. */
export type Exercise = {
	/** What the learner has to do. Code in backticks. At most 50 words. */
	readonly text: string;
	/** `client.ts`, as it begins. */
	readonly start: string;
	readonly solution: string;
	readonly differences: readonly Difference[];
	/** Where the editor opens: the first line that matches. */
	readonly writesAt: RegExp;
	/** What the service is changed to before a run. */
	readonly preset?: ExercisePreset;
	/** What happens in a run. */
	readonly use: (run: ExerciseRun) => Promise<void>;
	/** The condition that all results are as `use` expects: `The tokens are returned and kept`. */
	readonly result: string;
	/** In the order in which they are usually met. */
	readonly conditions: readonly Condition[];
	/** Ids of rules of the exam that must not fail: `exchange.once`. */
	readonly rules: readonly string[];
	/** Programs that almost work, at least three, each with the condition (or rule) that must fail. For tests, and for teachers. */
	readonly nearMisses: readonly { readonly name: string; readonly program: string; readonly condition: string }[];
	/** From a nudge to nearly the solution. */
	readonly hints: readonly [string, string, string];
};
