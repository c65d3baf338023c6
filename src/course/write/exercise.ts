import type { TrafficEntry } from '#api/control/traffic.ts';
import type { Mark } from '#api/exam.ts';
import type { Facts } from '#evidence/facts.ts';
import type { ClientRun } from '#evidence/run.ts';
import type { ControlApi } from '#client/control-api/control-api.ts';
import type { ConsoleLine, Returned } from './engine/program/program.ts';
import type { PageClock } from '#hosts/page/page-clock.ts';
import type { ExercisePreset } from './engine/exercise-service.ts';
import type { ExerciseContent } from './exercise-file.ts';
import type { UserBrowser } from './engine/user-browser.ts';

/** What is known of a run of a program. */
export type ExerciseEvidence = {
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
	/** Whether the URL of a request has the client secret, also in base64 or backwards. */
	readonly hasSecretInUrl: (entry: TrafficEntry) => boolean;
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
export type ConditionOutcome = 'open' | 'met' | NearMiss;

/** Something that a program shows by what the service recorded. */
export type ExerciseCondition = Omit<ExerciseContent['conditions'][number], 'mistakes'> & {
	/** Pure. */
	readonly judge: (evidence: ExerciseEvidence) => ConditionOutcome;
};

/** Says that a mistake happened, in the words of the content. @param values that its words name */
export type Fail<Name extends string = string> = (
	name: Name,
	facts: readonly Facts[],
	values?: Readonly<Record<string, string | number>>
) => NearMiss;

/** What is code in a condition. */
export type ConditionCode = {
	/** The names of the mistakes that the content describes. */
	readonly mistakes: readonly string[];
	/** Pure. */
	readonly judge: (evidence: ExerciseEvidence, fail: Fail) => ConditionOutcome;
};

/** What is code in an exercise, by the names of its content: `exercises/<id>.ts`. */
export type ExerciseCode = {
	/** What the service is changed to before a run. */
	readonly preset?: ExercisePreset;
	/** What happens in a run. */
	readonly use: (run: ExerciseRun) => Promise<void>;
	/** By id. Shared conditions need not be here. */
	readonly conditions?: Readonly<Record<string, ConditionCode>>;
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

/** An exercise: its content with its code. */
export type Exercise = Omit<ExerciseContent, 'differences' | 'writesAt' | 'conditions'> &
	Pick<ExerciseCode, 'preset' | 'use'> & {
		readonly differences: readonly (Omit<ExerciseContent['differences'][number], 'at'> & { readonly at: RegExp })[];
		readonly writesAt: RegExp;
		readonly conditions: readonly ExerciseCondition[];
	};
