import type { ExamResult, Finding, Mark, ProbeId, ProbeOutcome } from '#api/exam.ts';
import type { TrafficEntry } from '#api/control/traffic.ts';
import { evaluateRules, type Rule } from '#evidence/rule.ts';
import { rulesIn } from '#evidence/provider-rules.ts';
import { buildRun } from '#evidence/run.ts';
import { ProbeSkipped, type Driver } from './driver.ts';
import type { ExamChoices } from './exam-choices.ts';
import type { ExamState } from './exam-state.ts';
import { hasSignIn, whyNoCall, whyNoSignIn } from './observe.ts';
import { Names } from './names.ts';
import { explainNotShown } from './not-shown.ts';
import { matchesRule, orderOf, unknownRule } from './order.ts';
import { OwnRequests } from './own-requests.ts';
import { ProbeControl } from './probe-control.ts';
import type { ProbeDescription } from './probe-description.ts';
import { probes } from './probes/all-probes.ts';
import { resultOf } from './result-of.ts';
import type { ExamSandbox } from './sandbox.ts';
import { ServiceControl } from './service-control.ts';
import { realTimers } from './timers.ts';
import { TrafficReader } from './traffic-reader.ts';

/** What an exam reports while it runs. */
export type Progress =
	| { readonly type: 'probe'; readonly probe: ProbeId }
	/** With the result so far. */
	| {
			readonly type: 'probe_ended';
			readonly probe: ProbeId;
			readonly outcome: ProbeOutcome;
			readonly result: ExamResult;
	  }
	/** A rule failed for the first time. */
	| { readonly type: 'finding'; readonly finding: Finding };

/** What an exam needs. */
export type ExamOptions = ExamChoices & {
	readonly sandbox: ExamSandbox;
	/** The exam stops it at the end. */
	readonly driver: Driver;
	/** Runs these probes, in the order of the seed. Default: those that the rules need. */
	readonly probes?: readonly ProbeId[];
	/** The longest time of a probe, in milliseconds, and of what comes before and after it. Default: 30 seconds. */
	readonly probeTimeLimit?: number;
	readonly onProgress?: (progress: Progress) => void;
	/** Gets each exchange that the exam has read. The log of the service forgets them. */
	readonly onEntry?: (entry: TrafficEntry) => void;
};

/** The most entries that an exam reads. */
export const maxEntries = 10_000;
/** The first probe has three sign-ins, and shows how slow the client is. Others use it up to four times as often, one use after the other. */
const warmUpFactor = 4;
/** The longest time of an exam, in milliseconds. For a slow client it is as many warm-ups, at most an hour. */
const usualTimeLimit = 5 * 60_000;
const warmUps = 40;

const timeLimitFor = (warmUp: number) => Math.min(60 * 60_000, Math.max(usualTimeLimit, warmUps * warmUp));
/** How long a sign-in takes to show in the traffic, in milliseconds. */
const quietTime = 500;

/**
 * Examines a client: runs the probes, and judges what the service recorded. The sandbox stays.
 * @returns what was found until the end, the stop, or a limit
 * @throws ControlError if the service rejects a control request
 * @throws TypeError if no rule is called so
 */
export async function runExam(options: ExamOptions): Promise<ExamResult> {
	const exam = new Exam(options);
	try {
		await exam.run();
		return exam.result;
	} finally {
		await exam.stop();
	}
}

/** The result of one try of a probe. */
type Attempt = {
	readonly outcome: ProbeOutcome;
	readonly marks: readonly Mark[];
	/** Why the client cannot show it. */
	readonly reason: string | undefined;
};

class Exam {
	readonly #options: ExamOptions;
	readonly #state: ExamState;
	readonly #rules: readonly Rule[];
	readonly #started: number;
	readonly #stop = new AbortController();
	readonly #marks: Mark[] = [];
	readonly #ran: NonNullable<ExamResult['probes']> = [];
	readonly #reported = new Set<string>();
	#ended: ExamResult['ended'];
	/** How many time limits were set. The latest counts. */
	#timeLimits = 0;
	/** How long the warm-up took, in milliseconds. A slow client gets more time for each probe. */
	#slowness: number | undefined;

	constructor(options: ExamOptions) {
		const { sandbox, driver, timers = realTimers, only = ['*'], skip = [] } = options;
		const unknown = unknownRule([...only, ...skip]);
		if (unknown !== undefined) throw new TypeError(`No rule is called ${unknown}.`);
		this.#options = options;
		const traffic = new TrafficReader(sandbox, timers, (entry) => {
			options.onEntry?.(entry);
			if (traffic.entries.length >= maxEntries) this.#end('entry_limit');
		});
		const names = new Names(sandbox.characters, () => timers.now());
		this.#state = {
			sandbox,
			driver,
			traffic,
			timers,
			users: [],
			names,
			own: new OwnRequests(),
			useStatus: undefined,
			problem: undefined,
			obstacle: undefined,
			useTime: 0,
			lag: undefined
		};
		this.#rules = rulesIn(sandbox.dialect, sandbox.provider).filter(
			({ id }) => matchesRule(only, id) && !matchesRule(skip, id)
		);
		this.#started = timers.now();
	}

	/** What was found so far. */
	get result(): ExamResult {
		const { sandbox, timers, own, problem } = this.#state;
		const entries = this.#entries;
		const judged = evaluateRules(this.#rules, buildRun(entries, this.#marks, own.codes));
		return resultOf(sandbox, entries, {
			seed: this.#options.seed ?? 1,
			started: this.#started,
			now: timers.now(),
			ended: this.#ended,
			problem,
			probes: [...this.#ran],
			findings: explainNotShown(judged, this.#ran, sandbox.dialect)
		});
	}

	/** What the client sent. */
	get #entries(): readonly TrafficEntry[] {
		const { own, traffic } = this.#state;
		return own.without(traffic.entries);
	}

	async run(): Promise<void> {
		const { signal, timeLimit, onProgress } = this.#options;
		const { traffic, timers, sandbox, own } = this.#state;
		signal?.addEventListener('abort', () => this.#end('stopped'), { signal: this.#stop.signal });
		if (signal?.aborted === true) this.#end('stopped');
		this.#limitTime(timeLimit ?? usualTimeLimit);
		await traffic.start();
		// A page that was reloaded in the middle of a probe could not do it.
		const service = new ServiceControl(sandbox, own);
		await service.cleanUp();
		await service.resetClock();
		for (const probe of orderOf(this.#options.seed, sandbox.dialect, sandbox.provider)) {
			if (this.#stop.signal.aborted) return;
			if (!this.#isChosen(probe)) {
				this.#ran.push({ id: probe.id, from: 0, to: 0, outcome: 'skipped' });
				continue;
			}
			onProgress?.({ type: 'probe', probe: probe.id });
			const [from, begin] = [traffic.last + 1, timers.now()];
			const { outcome, reason } = await this.#run(probe);
			if (this.#slowness === undefined) {
				this.#slowness = timers.now() - begin;
				this.#limitTime(timeLimit ?? timeLimitFor(this.#slowness));
			}
			const because = outcome === 'skipped' && reason !== undefined && { reason };
			this.#ran.push({ id: probe.id, from, to: traffic.last, outcome, ...because });
			this.#report(probe.id, outcome);
			if (probe.id === 'warm_up' && !hasSignIn(this.#entries, 0)) {
				this.#state.problem ??= whyNoSignIn(this.#entries, this.#state.obstacle);
				this.#end('client_failed');
			}
		}
		const reason = whyNoCall(this.#entries, this.#state.useStatus);
		if (reason === undefined || this.#stop.signal.aborted) return;
		this.#state.problem = reason;
		this.#end('calls_failed');
	}

	/** Ends the exam after a time, in place of an earlier limit. @param milliseconds since its start */
	#limitTime(milliseconds: number): void {
		const { timers } = this.#state;
		const limit = ++this.#timeLimits;
		const left = this.#started + milliseconds - timers.now();
		void timers.sleep(left, this.#stop.signal).then(() => {
			if (limit === this.#timeLimits) this.#end('time_limit');
		});
	}

	async stop(): Promise<void> {
		this.#stop.abort();
		this.#state.traffic.stop();
		await this.#state.driver.stop();
	}

	#end(cause: NonNullable<ExamResult['ended']>): void {
		if (this.#stop.signal.aborted) return;
		this.#ended = cause;
		this.#stop.abort();
	}

	#isChosen({ id, judges, verb }: ProbeDescription): boolean {
		const { driver } = this.#state;
		if (verb === 'attack' && (driver.begin === undefined || driver.open === undefined)) return false;
		if (verb === 'signOut' && driver.signOut === undefined) return false;
		if (this.#options.probes !== undefined) return this.#options.probes.includes(id);
		return id === 'warm_up' || this.#rules.some((rule) => judges.includes(rule.id));
	}

	/** Runs a probe, and keeps its marks. If the service was started again meanwhile, what the probe prepared is lost: it runs once more. */
	async #run(probe: ProbeDescription): Promise<Attempt> {
		const { traffic } = this.#state;
		const { outages } = traffic;
		let ran = await this.#attempt(probe);
		if (traffic.outages > outages && !this.#stop.signal.aborted) ran = await this.#attempt(probe);
		if (ran.outcome !== 'skipped') this.#marks.push(...ran.marks);
		return ran;
	}

	async #attempt(probe: ProbeDescription): Promise<Attempt> {
		const { arm, act, patience } = probes[probe.id];
		const end = new AbortController();
		const control = new ProbeControl(probe.id, this.#state, AbortSignal.any([this.#stop.signal, end.signal]));
		let outcome = await this.#limit(async () => {
			await arm?.(control);
			if (probe.startsSignedIn === true) await control.signInUntilItWorks();
		});
		if (outcome === 'done') {
			outcome = await this.#limit(async () => {
				await control.nextMark();
				await act(control);
				await control.endMark();
			}, patience);
		}
		end.abort();
		control.breakOff();
		await control.service.cleanUp();
		const aliveAfter = probe.isRejected === true && outcome !== 'skipped' ? await this.#signsIn(probe.id) : undefined;
		const marks = control.marks.map((mark) => (aliveAfter === undefined ? mark : { ...mark, aliveAfter }));
		return { outcome, marks, reason: control.skipReason };
	}

	/** Whether a sign-in works now. */
	async #signsIn(probe: ProbeId): Promise<boolean> {
		const { traffic } = this.#state;
		const after = traffic.last;
		const control = new ProbeControl(probe, this.#state, this.#stop.signal);
		await this.#limit(() => control.signIn('a'));
		return traffic.waitFor((entries) => hasSignIn(entries, after), quietTime, this.#stop.signal);
	}

	/** Waits for a part of a probe, until its time is over or the exam ends. @param patience milliseconds that it may take longer */
	async #limit(part: () => Promise<void>, patience = 0): Promise<ProbeOutcome> {
		const brokenOff = () => (this.#stop.signal.aborted && this.#ended !== 'time_limit' ? 'stopped' : 'timed_out');
		if (this.#stop.signal.aborted) return brokenOff();
		const { probeTimeLimit = 30_000 } = this.#options;
		const time =
			this.#slowness === undefined ? warmUpFactor * probeTimeLimit : probeTimeLimit + warmUpFactor * this.#slowness;
		const over = new AbortController();
		const timeout = this.#state.timers
			.sleep(time + patience, AbortSignal.any([over.signal, this.#stop.signal]))
			.then(brokenOff);
		const isAborted = () => this.#stop.signal.aborted;
		const running = part().then(
			(): ProbeOutcome => 'done',
			(thrown: unknown): ProbeOutcome => {
				if (thrown instanceof ProbeSkipped) return 'skipped';
				if (isAborted() || (thrown instanceof DOMException && thrown.name === 'AbortError')) return brokenOff();
				throw thrown;
			}
		);
		// Once the time is over, the exam goes on without it.
		running.catch(() => undefined);
		try {
			return await Promise.race([running, timeout]);
		} finally {
			over.abort();
		}
	}

	#report(probe: ProbeId, outcome: ProbeOutcome): void {
		const { onProgress } = this.#options;
		if (onProgress === undefined) return;
		const { result } = this;
		for (const finding of result.findings) {
			if (finding.verdict !== 'failed' || this.#reported.has(finding.rule)) continue;
			this.#reported.add(finding.rule);
			onProgress({ type: 'finding', finding });
		}
		onProgress({ type: 'probe_ended', probe, outcome, result });
	}
}
