import { openFrameRealm } from '../engine/program/frame-realm.ts';
import type { BrowserPage } from '../engine/user-browser.ts';
import { openRow, seenRows, type SentRow } from '../stage/seen-rows.ts';
import type { LineMark } from '#ui/forms/code-editor.ts';
import type { Exercise } from '../exercise.ts';

import { ProgramText } from './program-text.svelte.ts';
import { conditionsOf, isPassed, judge, missOf, type JudgedCondition } from './judge.ts';
import { RunningExercise, type RunOptions } from './run-exercise.ts';
import type { WriteStore } from './write-progress.ts';

type SessionOptions = {
	readonly id: string;
	readonly exercise: Exercise;
	readonly store: WriteStore;
	/** The base URL of the site, without a trailing slash. */
	readonly rootUrl: string;
	/** Its path. */
	readonly base: string;
	/** The program of a link. */
	readonly shared?: string | undefined;
};

/** A program that ran beside the solution, with what it showed. */
export type ComparedRun = {
	readonly source: string;
	readonly isPassed: boolean;
	readonly rows: readonly SentRow[];
};
export type Comparison = { readonly own: ComparedRun; readonly solution: ComparedRun };

const noPage: BrowserPage = { url: 'about:blank', status: 0, text: '', isOfClient: false };

/** An open exercise: the program, its last run, and what the run showed. All reactive. */
export class ExerciseSession {
	readonly exercise: Exercise;
	readonly text: ProgramText;
	isRunning = $state(false);
	/** How many hints are shown. */
	hints = $state(0);
	/** The program beside the solution. Undefined: it is closed. */
	comparison: Comparison | undefined = $state.raw();
	#run: RunningExercise | undefined = $state.raw();
	#version = $state(0);
	#showing: ReturnType<typeof setTimeout> | undefined;
	readonly #options: SessionOptions;

	readonly conditions: readonly JudgedCondition[] = $derived.by(() => {
		const run = this.run;
		if (run !== undefined) return judge(this.exercise, run.evidence());
		return conditionsOf(this.exercise).map(({ id, title }) => ({ id, title, state: 'open' as const }));
	});
	/** The line to write at, from 1: the first empty one of the part to write, or its first. */
	get writesAt(): number {
		const lines = this.text.source.split('\n');
		const at = lines.findIndex((line) => this.exercise.writesAt.test(line));
		return (lines[at + 1]?.trim() === '' ? at + 1 : at) + 1;
	}

	readonly isDone = $derived(this.run?.isFinished === true && this.problem === undefined && isPassed(this.conditions));
	readonly failed = $derived(this.conditions.filter(({ state }) => state === 'failed'));
	readonly rows: readonly SentRow[] = $derived.by(() => {
		const run = this.run;
		return run === undefined ? [] : rowsOf(run);
	});
	/** The rejected message that is shown open: that of the first finding. Where nothing failed, the first one. */
	readonly rejected: SentRow | undefined = $derived(this.isDone ? undefined : openRow(this.rows, this.failed[0]));
	readonly marks: readonly LineMark[] = $derived.by(() => this.#marks());

	constructor(options: SessionOptions) {
		this.#options = options;
		this.exercise = options.exercise;
		const { id, store, base, exercise, shared } = options;
		this.text = new ProgramText({ id, store, base, start: exercise.start, shared });
	}

	/** The last run. */
	get run(): RunningExercise | undefined {
		// A run changes without replacing itself.
		return this.#version >= 0 ? this.#run : undefined;
	}

	get problem() {
		return this.run?.problem;
	}

	get isWaiting(): boolean {
		return this.run?.browser.isWaiting === true;
	}

	get page(): BrowserPage {
		return this.run?.browser.page ?? noPage;
	}

	/** Runs the program. Resolves when the run is over. */
	async start(): Promise<void> {
		if (this.isRunning) return;
		const { id, store } = this.#options;
		const { source } = this.text;
		this.isRunning = true;
		this.comparison = undefined;
		// A program can take all memory of the page.
		void this.text.keep();
		const run = this.#open(source, { decidesInPage: true, onChange: () => this.#showSoon() });
		this.#run = run;
		try {
			await run.run();
		} finally {
			this.#version++;
			this.isRunning = false;
		}
		if (this.text.owner !== 'own') return;
		const now = Date.now();
		await this.text.record({
			source,
			ran: now,
			failed: this.failed[0]?.title ?? run.problem?.text,
			miss: missOf(this),
			...(this.isDone && store.progress[id]?.done === undefined ? { done: now } : {})
		});
	}

	stop(): void {
		this.#run?.stop();
	}

	/** Runs the program and the solution, each with its own service and a user who allows access at once. */
	async compare(): Promise<void> {
		if (this.isRunning) return;
		this.isRunning = true;
		const ran = Promise.all(
			[this.text.source, this.exercise.solution].map(async (source) => {
				const run = this.#open(source, {});
				await run.run();
				const isDone = run.problem === undefined && isPassed(judge(this.exercise, run.evidence()));
				return { source, isPassed: isDone, rows: rowsOf(run) };
			})
		);
		const [own, solution] = await ran.finally(() => {
			this.isRunning = false;
		});
		if (own !== undefined && solution !== undefined) this.comparison = { own, solution };
	}

	#open(source: string, options: Pick<RunOptions, 'decidesInPage' | 'onChange'>): RunningExercise {
		const { exercise } = this;
		const { rootUrl, base } = this.#options;
		return new RunningExercise({ exercise, source, baseUrl: rootUrl, openRealm: openFrameRealm(base), ...options });
	}

	/** A program can write a thousand lines at once. They are judged and shown together. */
	#showSoon(): void {
		if (this.#showing !== undefined) return;
		this.#showing = setTimeout(() => {
			this.#showing = undefined;
			this.#version++;
		}, 16);
	}

	/** One sentence for screen readers. */
	readonly announcement: string = $derived.by(() => {
		if (this.isWaiting) return 'The user’s browser shows the consent page. Press Alt 3.';
		if (this.isRunning || this.run === undefined) return '';
		if (this.problem !== undefined) return this.problem.text;
		if (this.isDone) return 'All conditions are met.';
		const [first] = this.failed;
		if (first === undefined) return 'The run is over. Some conditions are open.';
		const count = this.failed.length === 1 ? '1 condition failed' : `${this.failed.length} conditions failed`;
		const line = first.nearMiss?.lines?.[0];
		return `${count}. ${line === undefined ? '' : `Line ${line}: `}${first.nearMiss?.title ?? first.title}.`;
	});

	#marks(): LineMark[] {
		const { problem, rejected } = this;
		if (problem !== undefined) {
			const { line, label, opened } = problem;
			if (line === undefined) return [];
			const at: LineMark = { line, tone: 'error', ...(label === undefined ? {} : { label }) };
			if (opened === undefined) return [at];
			return [at, { line: opened.line, tone: 'error', columns: [opened.column, opened.column + 1] }];
		}
		const uncaught = this.run?.console.flatMap(({ level, line }) => (level === 'thrown' ? (line ?? []) : [])) ?? [];
		const sent = this.rows.findLast(({ line, tone }) => line !== undefined && tone === 'ok');
		if (this.isDone && sent?.line !== undefined)
			return [
				{ line: sent.line, tone: 'ok', label: `✓ ${sent.status}` },
				...uncaught.map((line) => this.#underlined(line))
			];
		if (this.isWaiting) {
			const opened = this.rows.find(({ line }) => line !== undefined)?.line;
			return opened === undefined ? [] : [{ line: opened, tone: 'accent', label: 'waiting here' }];
		}
		const lines = new Set([...this.failed.flatMap(({ nearMiss }) => nearMiss?.lines ?? []), ...uncaught]);
		if (rejected?.line === undefined || !lines.has(rejected.line))
			return [...lines].map((line) => ({ line, tone: 'error' }));
		const label = `${rejected.status ?? 'no response'} · ${rejected.outcome}`;
		lines.delete(rejected.line);
		return [{ line: rejected.line, tone: 'error', label }, ...[...lines].map((line) => this.#underlined(line))];
	}

	/** The text of a line, without the spaces around it. */
	#underlined(line: number): LineMark {
		const text = this.text.source.split('\n')[line - 1] ?? '';
		return { line, tone: 'error', columns: [text.search(/\S|$/) + 1, text.trimEnd().length + 1] };
	}
}

function rowsOf({ service, browser }: RunningExercise): SentRow[] {
	return seenRows(service.entries, (entry) => service.senderOf(entry), browser);
}
