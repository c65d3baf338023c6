import type { ExamResult, Finding } from '#api/exam.ts';
import type { ProbeDescription } from '#exam/probe-description.ts';
import { probeList } from '#exam/probe-list.ts';
import { probesIn } from '#exam/probes-in-dialect.ts';
import { earlyEnd } from '#exam/report/findings.ts';
import type { Progress } from '#exam/run-exam.ts';
import { openFrameRealm } from '../engine/program/frame-realm.ts';
import { problemOf } from '../engine/program/problem.ts';
import { ProgramExam } from '../engine/program-exam.ts';
import { ruleOf } from '#features/exam/verdicts.ts';
import { ProgramText } from '../model/program-text.svelte.ts';
import type { WriteStore } from '../model/write-progress.ts';
import type { LineMark } from '#ui/forms/code-editor.ts';
import type { ExerciseContent } from '../exercise-file.ts';

const { '../../../content/exercises/take-the-exam.yaml': exam } = import.meta.glob<
	Pick<ExerciseContent, 'start' | 'solution'>
>('../../../content/exercises/take-the-exam.yaml', { eager: true, import: 'default' });

/** What the editor of the exam begins with: a client that signs in and reads, as exercises 1 to 4 build it. And a client that passes. */
export const { start: firstClient = '', solution: goodClient = '' } = exam ?? {};

/** A finding with the lines of the program that sent its requests. */
export type LineFinding = Finding & { readonly lines: readonly number[] };

/** A step of the exam that is over, or runs. */
export type ExamStep = {
	readonly probe: ProbeDescription;
	/** What it showed first. Undefined: it runs, or showed nothing wrong. */
	readonly failed?: LineFinding;
	readonly isOver: boolean;
	/** How many requests the client sent in it. */
	readonly requests: number;
};

type SessionOptions = {
	readonly store: WriteStore;
	/** The base URL of the site, without a trailing slash. */
	readonly rootUrl: string;
	/** Its path. */
	readonly base: string;
	/** The program of a link. */
	readonly shared?: string | undefined;
};

const id = 'take-the-exam';

const advice = { tone: 'caution', label: 'Advice' } as const;
/** How many steps are listed. */
const listed = 4;

/** The exam of the program in the editor: its last run, and what it showed. All reactive. */
export class WrittenExam {
	readonly text: ProgramText;
	isRunning = $state(false);
	/** So far, or of the last run. */
	result: ExamResult | undefined = $state.raw();
	/** What the last run took, in milliseconds. Of the clock of the user. */
	elapsed = $state(0);
	/** Why nothing ran, or why the program was stopped. */
	problem: { readonly text: string; readonly lines: readonly number[] } | undefined = $state.raw();
	/** The latest first. */
	steps: readonly ExamStep[] = $state.raw([]);
	/** How many requests the client sent. */
	requests = $state(0);
	/** The line that sent the latest one. */
	line: number | undefined = $state();
	#exam: ProgramExam | undefined;
	readonly #options: SessionOptions;

	/** What failed, and what could be better: the most severe first, then by line. */
	readonly findings: readonly LineFinding[] = $derived.by(() =>
		(this.result?.findings ?? [])
			.filter(({ verdict }) => verdict === 'failed' || verdict === 'advice')
			.map((finding) => this.#withLines(finding))
			.toSorted(
				(one, other) => orderOf(one) - orderOf(other) || (one.lines[0] ?? Infinity) - (other.lines[0] ?? Infinity)
			)
	);
	/** The share of steps that are over, from 0 to 1. */
	readonly share: number = $derived((this.result?.probes?.length ?? 0) / probesIn('specification').length);
	readonly isOver: boolean = $derived(this.result !== undefined && !this.isRunning);
	readonly marks: readonly LineMark[] = $derived.by(() => {
		if (this.problem !== undefined) return this.problem.lines.map((line) => ({ line, tone: 'error' as const }));
		const marks = new Map<number, LineMark>();
		if (this.isRunning && this.line !== undefined) marks.set(this.line, { line: this.line, tone: 'accent' });
		for (const { lines, verdict, severity } of this.findings.toReversed()) {
			const look = verdict === 'failed' ? ({ tone: 'error', label: `Severity ${severity}` } as const) : advice;
			for (const line of lines) marks.set(line, { line, ...look });
		}
		return [...marks.values()];
	});
	/** One sentence for screen readers. */
	readonly announcement: string = $derived.by(() => {
		if (this.problem !== undefined) return this.problem.text;
		const { result } = this;
		if (result === undefined) return '';
		const { failed, passed, advice } = result.counts;
		if (!this.isRunning) return `The exam is over. ${failed} failed, ${advice} advice, ${passed} passed.`;
		const latest = this.steps.find((step) => step.failed !== undefined)?.failed;
		return latest === undefined ? '' : `${ruleOf(latest.rule)?.title ?? latest.rule}: failed.`;
	});

	constructor(options: SessionOptions) {
		this.#options = options;
		const { store, shared } = options;
		this.text = new ProgramText({ id, store, base: options.base, start: firstClient, shared });
	}

	/** How the exam ended early, or what the program threw where no sign-in or call worked. */
	get reason(): string | undefined {
		if (this.result?.ended === undefined) return undefined;
		const thrown = this.#exam?.console.at(-1);
		const failed = this.result.ended === 'client_failed' || this.result.ended === 'calls_failed';
		return [
			earlyEnd(this.result),
			this.result.problem,
			failed && thrown !== undefined && `Line ${thrown.line ?? 'unknown'}: ${thrown.text}`
		]
			.filter((sentence) => typeof sentence === 'string')
			.join(' ');
	}

	/** Takes the exam. Resolves at its end. */
	async run(): Promise<void> {
		if (this.isRunning) return;
		const { store, rootUrl, base } = this.#options;
		const { source } = this.text;
		const begin = performance.now();
		const exam = new ProgramExam({
			source,
			baseUrl: rootUrl,
			openRealm: openFrameRealm(base),
			onProgress: (progress) => this.#progress(progress),
			onEntries: () => {
				const { entries } = exam.service;
				this.requests = entries.length;
				this.line = exam.lineOf(entries.at(-1)?.id ?? '') ?? this.line;
			}
		});
		this.#exam = exam;
		this.isRunning = true;
		this.result = this.problem = this.line = undefined;
		this.steps = [];
		this.requests = 0;
		const timer = setInterval(() => (this.elapsed = performance.now() - begin), 100);
		try {
			this.result = await exam.run();
			if (exam.stopReason !== undefined) this.problem = { text: exam.stopReason, lines: [] };
		} catch (error) {
			const { text, line } = problemOf(error, 'exam');
			this.problem = { text, lines: line === undefined ? [] : [line] };
		} finally {
			clearInterval(timer);
			this.elapsed = performance.now() - begin;
			this.isRunning = false;
		}
		if (this.text.owner !== 'own') return;
		const now = Date.now();
		const isPassed = this.result?.ended === undefined && this.result?.counts.failed === 0;
		const [first] = this.findings;
		await this.text.record({
			source,
			ran: now,
			failed:
				this.problem?.text ?? (first?.verdict === 'failed' ? (ruleOf(first.rule)?.title ?? first.rule) : undefined),
			...(isPassed && store.progress[id]?.done === undefined ? { done: now } : {})
		});
	}

	stop(): void {
		this.#exam?.stop();
	}

	/** An exchange that a finding cites. */
	exchange(request: string) {
		return this.#exam?.service.entries.find((entry) => entry.id === request);
	}

	lineOf(request: string): number | undefined {
		return this.#exam?.lineOf(request);
	}

	#withLines(finding: Finding): LineFinding {
		const lines = new Set(finding.requests.flatMap((request) => this.#exam?.lineOf(request) ?? []));
		return { ...finding, lines: [...lines].sort((a, b) => a - b) };
	}

	#progress(progress: Progress): void {
		if (progress.type === 'finding') return;
		const probe = probeList.find((one) => one.id === progress.probe);
		if (probe === undefined) return;
		if (progress.type === 'probe') {
			this.steps = [{ probe, isOver: false, requests: 0 }, ...this.steps].slice(0, listed);
			return;
		}
		const known = new Set(this.result?.findings.flatMap(({ rule, verdict }) => (verdict === 'failed' ? rule : [])));
		this.result = progress.result;
		const added = this.findings.find(({ rule, verdict }) => verdict === 'failed' && !known.has(rule));
		const { from = 0, to = -1 } = progress.result.probes?.find((one) => one.id === probe.id) ?? {};
		const ended = { probe, isOver: true, requests: to - from + 1, ...(added === undefined ? {} : { failed: added }) };
		this.steps = [ended, ...this.steps.slice(1)];
	}
}

/** Advice follows what failed. */
function orderOf({ severity, verdict }: Finding): number {
	return verdict === 'failed' ? (severity ?? 4) : 5;
}
