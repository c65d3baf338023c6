import type { Mark } from '#api/exam.ts';
import { issued } from '#evidence/exchanges.ts';
import { buildRun } from '#evidence/run.ts';
import { PageClock } from '#hosts/page/page-clock.ts';
import { ExerciseService } from '../engine/exercise-service.ts';
import { problemOf, type RunProblem } from '../engine/program/problem.ts';
import { Program, ProgramError, type ConsoleLine, type OpenRealm } from '../engine/program/program.ts';
import { ExerciseSurroundings } from '../engine/surroundings.ts';
import { UserBrowser } from '../engine/user-browser.ts';
import { factsOf } from '#evidence/facts.ts';
import type {
	CallResult,
	ExerciseEvidence,
	Exercise,
	Expected,
	JudgedCall,
	StepEvidence,
	StepMark
} from '../exercise.ts';

export type RunOptions = {
	readonly exercise: Exercise;
	/** The text of `client.ts`. */
	readonly source: string;
	/** The base URL of the site, without a trailing slash. */
	readonly baseUrl: string;
	readonly openRealm: OpenRealm;
	readonly clock?: PageClock;
	/** Whether the user decides about access in the page that is shown. */
	readonly decidesInPage?: boolean;
	/** Is called whenever something has changed. */
	readonly onChange?: () => void;
};

/** A step of a run. @see ExerciseRun.step */
type RunStep = { readonly id: string; readonly from: number; readonly mark: StepMark | undefined };

/** One run of a program in an exercise. Each has a separate service. */
export class RunningExercise {
	readonly browser: UserBrowser;
	readonly service: ExerciseService;
	/** What the program wrote, oldest first. */
	console: readonly ConsoleLine[] = [];
	calls: readonly JudgedCall[] = [];
	isFinished = false;
	problem: RunProblem | undefined;
	#steps: readonly RunStep[] = [];
	readonly #options: RunOptions;
	readonly #program: Program;
	readonly #surroundings: { current?: ExerciseSurroundings } = {};

	constructor(options: RunOptions) {
		const { onChange = () => {}, baseUrl, clock = new PageClock(), decidesInPage = false } = options;
		this.#options = options;
		this.service = new ExerciseService(baseUrl, clock, { onEntries: onChange });
		this.browser = new UserBrowser(this.service, { decidesInPage }, onChange);
		this.#program = new Program();
	}

	/** Runs it to its end. What happened is in the fields. */
	async run(): Promise<void> {
		const { exercise, source, openRealm } = this.#options;
		try {
			await this.service.start(exercise.preset);
			const surroundings = new ExerciseSurroundings(this.service, this.browser, (line) => {
				this.console = [...this.console, line];
				this.#changed();
			});
			this.#surroundings.current = surroundings;
			await this.#program.start(source, surroundings, openRealm);
			await exercise.use({
				step: (id, mark) => {
					this.#steps = [...this.#steps, { id, from: this.#last + 1, mark }];
				},
				call: (name, expected, ...parameters) => this.#call(name, expected, parameters),
				api: this.service.api,
				clock: this.service.clock,
				browser: this.browser,
				stored: surroundings.stored
			});
		} catch (error) {
			this.problem = problemOf(error, 'run');
		}
		this.isFinished = true;
		this.#program.stop('The run is over.');
		this.#changed();
	}

	/** Ends the run. */
	stop(reason = 'You stopped the run.'): void {
		this.#program.stop(reason);
	}

	/** What the client keeps. */
	get stored(): ReadonlyMap<string, unknown> {
		return this.#surroundings.current?.stored ?? new Map();
	}

	/** What is known so far. */
	evidence(): ExerciseEvidence {
		const { entries } = this.service;
		const { source } = this.#options;
		return {
			entries,
			run: buildRun(entries, this.#marks()),
			step: (id) => this.#stepOf(id),
			calls: this.calls,
			arrivals: this.browser.arrivals,
			stored: this.stored,
			verifiers: this.#surroundings.current?.verifiers ?? [],
			console: this.console,
			isFinished: this.isFinished,
			source,
			hasSecretInUrl: (entry) => {
				const sender = this.service.senderOf(entry);
				return sender?.by === 'client' && sender.hasSecretInUrl === true;
			},
			lineOf: (entry) => {
				const sender = this.service.senderOf(entry);
				return sender?.by === 'client' ? sender.line : undefined;
			},
			linesWith: (pattern) => source.split('\n').flatMap((line, at) => (pattern.test(line) ? [at + 1] : []))
		};
	}

	/** The number of the last exchange. */
	get #last(): number {
		return this.service.entries.at(-1)?.seq ?? 0;
	}

	/** The number of the last exchange of a step, and whether it ended. */
	#endOf(step: RunStep): { readonly to: number; readonly isOver: boolean } {
		const next = this.#steps[this.#steps.indexOf(step) + 1];
		return next === undefined ? { to: this.#last, isOver: this.isFinished } : { to: next.from - 1, isOver: true };
	}

	#stepOf(id: string): StepEvidence | undefined {
		const step = this.#steps.find((one) => one.id === id);
		if (step === undefined) return undefined;
		const { to, isOver } = this.#endOf(step);
		return { facts: this.service.entries.filter(({ seq }) => seq >= step.from && seq <= to).map(factsOf), isOver };
	}

	#marks(): Mark[] {
		return this.#steps.flatMap((step) => {
			if (step.mark === undefined) return [];
			const { to } = this.#endOf(step);
			const aliveAfter = this.service.entries.some(
				(entry) => entry.seq > to && issued(entry, 'access_token') !== undefined
			);
			return { ...step.mark, from: step.from, to, aliveAfter };
		});
	}

	async #call(name: string, expected: Expected, parameters: readonly unknown[]): Promise<CallResult> {
		const result = await this.#resultOf(name, parameters);
		await this.#surroundings.current?.settled();
		const wrong = await expected(result, { stored: this.stored, entries: this.service.entries });
		const lines = result.line === undefined ? {} : { lines: [result.line] };
		this.calls = [...this.calls, wrong === undefined ? result : { ...result, wrong: { ...lines, ...wrong } }];
		this.#changed();
		return result;
	}

	async #resultOf(
		name: string,
		parameters: readonly unknown[]
	): Promise<CallResult & { readonly line?: number | undefined }> {
		try {
			return { name, returned: await this.#program.call(name, parameters) };
		} catch (error) {
			if (!(error instanceof ProgramError)) throw error;
			const { message, line } = error;
			this.console = [...this.console, { level: 'error', text: message, line }];
			return { name, error: message, line };
		}
	}

	#changed(): void {
		this.#options.onChange?.();
	}
}
