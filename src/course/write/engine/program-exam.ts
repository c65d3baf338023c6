import type { ExamResult } from '#api/exam.ts';
import { runExam, type Progress } from '#exam/run-exam.ts';
import { charactersIn, examPreset } from '#exam/sandbox.ts';
import { PageClock } from '#hosts/page/page-clock.ts';
import { clientId } from './exercise-client.ts';
import { ExerciseService } from './exercise-service.ts';
import { createProgramDriver } from './program-driver.ts';
import type { ConsoleLine, OpenRealm } from './program/program.ts';

/** Sleeps of this length and longer are time limits, in milliseconds. */
const shortestLimit = 30_000;
/** How long a program may be silent, for example by its own timers, before a time limit is taken for reached. In milliseconds. */
const patience = 3000;

/** What an exam of a program needs. */
export type ProgramExamOptions = {
	/** The text of `client.ts`. */
	readonly source: string;
	/** The base URL of the site, without a trailing slash. */
	readonly baseUrl: string;
	readonly openRealm: OpenRealm;
	readonly onProgress?: (progress: Progress) => void;
	/** Is called after each new exchange. */
	readonly onEntries?: () => void;
};

/** An exam of a program, with the probes and rules of the exam command. Its service and its clock are its own, so waiting takes no time. */
export class ProgramExam {
	readonly service: ExerciseService;
	/** What the program wrote, and what its functions threw, oldest first. The last 100 lines. */
	console: readonly ConsoleLine[] = [];
	/** Why the program was stopped, as a sentence. */
	stopReason: string | undefined;
	readonly #options: ProgramExamOptions;
	readonly #stop = new AbortController();

	constructor(options: ProgramExamOptions) {
		this.#options = options;
		this.service = new ExerciseService(options.baseUrl, new PageClock(), {
			onEntries: options.onEntries ?? (() => {})
		});
	}

	/**
	 * Takes the exam.
	 * @throws SyntaxMistake before anything runs
	 * @throws ProgramError if the program cannot be loaded
	 * @throws ProgramStopped
	 */
	async run(): Promise<ExamResult> {
		const { source, openRealm, onProgress = () => {} } = this.#options;
		const { service } = this;
		const { clock, api, fetch } = service;
		await service.start({ ...examPreset, settings: { ...examPreset.settings, strict: true } });
		const driver = await createProgramDriver({
			source,
			service,
			openRealm,
			log: (line) => {
				this.console = [...this.console.slice(-99), line];
			},
			stopped: (reason) => this.stop(reason)
		});
		return runExam({
			sandbox: {
				api,
				client_id: clientId,
				client_secret: service.secret,
				kind: 'web',
				dialect: 'specification',
				characters: await charactersIn(api),
				fetch
			},
			driver,
			timers: {
				now: clock.now,
				sleep: (milliseconds, signal) =>
					clock.sleep(milliseconds, { signal, ...(milliseconds >= shortestLimit ? { patience } : {}) })
			},
			signal: this.#stop.signal,
			onProgress
		});
	}

	/** Ends it. What was found so far is the result. @param reason one sentence */
	stop(reason?: string): void {
		this.stopReason ??= reason;
		this.#stop.abort();
	}

	/** The line that sent a request, where it is known. @param id of its exchange */
	lineOf(id: string): number | undefined {
		const sender = this.service.senderOf({ id });
		return sender?.by === 'client' ? sender.line : undefined;
	}
}
