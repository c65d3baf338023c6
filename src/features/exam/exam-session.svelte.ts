import { citationOf } from './citation.ts';
import type { ExamResult, Finding, ProbeId } from '#api/exam.ts';
import type { TrafficEntry } from '#api/control/traffic.ts';
import { ControlApi, hold } from '#client/control-api/control-api.ts';
import type { ProbeDescription } from '#exam/probe-description.ts';
import { probesOf } from '#exam/probe-list.ts';
import { probesIn } from '#exam/probes-in-dialect.ts';
import { type Progress, runExam } from '#exam/run-exam.ts';
import type { ExamProvider } from '#exam/sandbox.ts';
import { Inspector } from '../inspector/inspector.svelte.ts';
import { TrafficFeed } from '../inspector/traffic-feed.svelte.ts';
import { type ClientWindow, UserDriver } from './user-driver.svelte.ts';
import { signInAtService } from './new-exam.ts';
import type { CitedExchange, ExamStore, StoredExam } from './stored-exam.ts';
import { explainNotShown } from '#exam/not-shown.ts';

/** A user is slower than a program, in milliseconds. */
const probeTimeLimit = 10 * 60_000;
const timeLimit = 60 * 60_000;

type Options = {
	readonly exam: StoredExam;
	readonly store: ExamStore;
	readonly window: ClientWindow;
	/** The simulated provider that the client knows. */
	readonly provider?: ExamProvider | undefined;
};

/** An exam while its page is open: a user operates the client, and the rules judge what the service records. */
export class ExamSession {
	readonly api: ControlApi;
	readonly inspector = new Inspector();
	readonly feed: TrafficFeed;
	readonly driver: UserDriver;
	/** Reactive. */
	exam: StoredExam = $state.raw(missing);
	/** The probe that runs. Reactive. */
	probe: ProbeId | undefined = $state();
	/** Why the exam could not go on. Reactive. */
	error: unknown = $state.raw();
	readonly #store: ExamStore;
	readonly #window: ClientWindow;
	/** The simulated provider that the client knows. */
	readonly provider: ExamProvider | undefined;
	#stop: AbortController | undefined;
	/** The user ends the exam, so what runs is the last part of it. */
	#isEnding = false;
	#lastSeen = 0;

	constructor({ exam, store, window, provider }: Options) {
		this.exam = exam;
		this.#store = store;
		this.#window = window;
		this.provider = provider;
		this.api = new ControlApi(exam.base_url);
		this.feed = new TrafficFeed(this.api, this.inspector);
		const wait = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));
		const signIn = (username: string) => signInAtService(exam.base_url, username);
		this.driver = new UserDriver({
			api: this.api,
			urls: exam.urls,
			window,
			signInAtService: signIn,
			wait,
			isFresh: exam.probes.length === 0
		});
	}

	/** Whether the client has sent its first authorization request. */
	readonly isConnected: boolean = $derived.by(
		() => this.exam.probes.length > 0 || this.inspector.entries.some(({ endpoint }) => endpoint === 'auth')
	);

	readonly isOver: boolean = $derived(this.exam.isOver);

	/** All probes of the exam, in the order of their groups. */
	readonly steps: readonly ProbeDescription[] = $derived.by(() => probesIn(this.exam.dialect, this.provider));

	/** The probes that are left. */
	readonly left: readonly ProbeId[] = $derived.by(() =>
		this.steps.map(({ id }) => id).filter((id) => !this.exam.probes.some((probe) => probe.id === id))
	);

	/** What was shown so far, newest first. */
	readonly arrivals: readonly Finding[] = $derived.by(() => {
		const shown = this.exam.result?.findings.filter(({ verdict }) => verdict !== 'not_shown') ?? [];
		return shown.toSorted((one, other) => (other.at ?? 0) - (one.at ?? 0));
	});

	/** The exchange that a finding cites, while the log has it, or as it was remembered. */
	cited(id: string): CitedExchange | undefined {
		const entry = this.inspector.entries.find((one) => one.id === id);
		if (entry === undefined) return this.exam.cited.find((one) => one.id === id);
		return citationOf(entry, this.exam.base_url, this.inspector.noun);
	}

	/** Follows the log of the sandbox. Returns a function that stops it. */
	start(): () => void {
		const stop = this.feed.start();
		return () => {
			this.#stop?.abort();
			stop();
		};
	}

	/** Shows the driver the exchanges that it has not seen. Call it when `inspector.entries` changes. */
	follow(entries: readonly TrafficEntry[]): void {
		const fresh = entries.filter(({ seq }) => seq > this.#lastSeen);
		this.#lastSeen = fresh.at(-1)?.seq ?? this.#lastSeen;
		for (const entry of fresh) this.driver.arrived(entry);
	}

	/** Opens a page of the client, or posts the authorization response in the URL. Call it in a press of the user. */
	openClient(url: string, posts = false): void {
		if (posts) this.#window.post(url);
		else this.#window.open(url);
	}

	/** Takes the probes that are left. Resolves at the end of the exam, or when the page is left. */
	async run(): Promise<void> {
		if (this.#stop !== undefined || this.isOver) return;
		const before = this.exam.result ?? undefined;
		const result = await this.#take(this.left, (part) => mergeResults(before, part));
		if (result !== undefined) this.#change({ isOver: true });
	}

	/** Ends the exam. What was found so far is the result. */
	end(): void {
		if (this.#stop === undefined) {
			const { result } = this.exam;
			this.#change({ isOver: true, result: result && { ...result, ended: 'stopped' } });
			return;
		}
		this.#isEnding = true;
		this.#stop.abort();
	}

	/** Takes the probes of a rule again. All rules that they judge get a new verdict. */
	async tryAgain(rule: string): Promise<void> {
		const { result, history } = this.exam;
		if (result === null || this.#stop !== undefined) return;
		const probes = probesOf(rule);
		const judged = probes.flatMap(({ judges }) => judges);
		const at = Date.now();
		const before = result.findings.filter((finding) => judged.includes(finding.rule));
		const added = before.map((finding) => ({ rule: finding.rule, verdict: finding.verdict, at }));
		const ids = probes.map(({ id }) => id);
		const again = await this.#take(ids, (part) => replaceFindings(result, part, judged));
		if (again !== undefined) this.#change({ history: [...history, ...added] });
	}

	/** Keeps what the user expects to fail first. Empty: nothing. */
	predict(area: string): void {
		this.#change({ prediction: area });
	}

	/** Marks a failed rule as one that the developer disagrees with. An empty reason takes it back. */
	dispute(rule: string, reason: string): void {
		if (this.exam.result !== null) this.#change({ result: dispute(this.exam.result, rule, reason) });
	}

	async #take(probes: readonly ProbeId[], join: (part: ExamResult) => ExamResult): Promise<ExamResult | undefined> {
		const stop = new AbortController();
		this.#stop = stop;
		this.error = undefined;
		try {
			const { client_id, kind, dialect, characters, seed } = this.exam;
			await this.#removeRemains();
			const part = await runExam({
				sandbox: {
					api: this.api,
					client_id,
					client_secret: '',
					kind: kind === 'installed' ? 'installed' : 'web',
					dialect,
					provider: this.provider,
					characters,
					fetch: (url, init) => fetch(url, init)
				},
				driver: this.driver,
				seed,
				probes,
				probeTimeLimit,
				timeLimit,
				signal: stop.signal,
				onProgress: (progress) => {
					if (!stop.signal.aborted || this.#isEnding) this.#progress(progress, join);
				}
			});
			if (stop.signal.aborted && !this.#isEnding) return undefined;
			const result = join(part);
			this.#change({ result, cited: this.#citations(result) });
			return result;
		} catch (thrown) {
			if (!stop.signal.aborted) this.error = thrown;
			return undefined;
		} finally {
			this.#stop = undefined;
			this.#isEnding = false;
			this.probe = undefined;
		}
	}

	/**
	 * Removes what an earlier part of the exam left: a grant would keep the refresh token back (section 3.1), and a reload leaves requests
	 * held.
	 */
	async #removeRemains(): Promise<void> {
		await hold(this.api, []);
		const { grants } = await this.api.request('GET /control/credentials');
		for (const { id } of grants)
			await this.api.request('DELETE /control/credentials/{kind}/{id}', { path: { kind: 'grants', id } });
	}

	#progress(progress: Progress, join: (part: ExamResult) => ExamResult): void {
		if (progress.type === 'probe') this.probe = progress.probe;
		else if (progress.type === 'probe_ended') {
			const { probes } = this.exam;
			const result = join(progress.result);
			const ended = { id: progress.probe, outcome: progress.outcome };
			this.#change({
				result,
				cited: this.#citations(result),
				probes: [...probes.filter(({ id }) => id !== ended.id), ended]
			});
		}
	}

	#citations({ findings }: ExamResult): CitedExchange[] {
		const ids = new Set(findings.flatMap(({ requests }) => requests));
		return [...ids].flatMap((id) => this.cited(id) ?? []);
	}

	#change(part: Partial<StoredExam>): void {
		this.exam = { ...this.exam, ...part };
		this.#store.save(this.exam);
	}
}

/** Until the constructor sets the exam. */
const missing: StoredExam = {
	base_url: '',
	client_id: '',
	kind: 'web',
	dialect: 'specification',
	redirect_uri: '',
	characters: [],
	urls: { signIn: '', use: '', signOut: '' },
	seed: 1,
	started: 0,
	prediction: '',
	probes: [],
	result: null,
	isOver: false,
	cited: [],
	history: []
};

/** Which verdict counts where two parts of an exam differ: the exam was taken in parts, and each saw other requests. */
const weight = { disputed: 4, failed: 3, advice: 2, passed: 1, not_shown: 0 } as const;

/**
 * What two parts of an exam show together: after a reload it goes on with the probes that are left.
 * @param later its findings count where both weigh the same
 */
export function mergeResults(earlier: ExamResult | undefined, later: ExamResult): ExamResult {
	if (earlier === undefined) return later;
	const findings = later.findings.map((finding) => {
		const before = earlier.findings.find(({ rule }) => rule === finding.rule);
		return before !== undefined && weight[before.verdict] > weight[finding.verdict] ? before : finding;
	});
	return withFindings({ ...later, started: earlier.started, probes: joinProbes(earlier, later) }, findings);
}

/**
 * The result after one probe was taken again: only the rules that it judges get a new verdict.
 * @param judged ids of these rules
 */
export function replaceFindings(before: ExamResult, again: ExamResult, judged: readonly string[]): ExamResult {
	const findings = before.findings.map((finding) => {
		const fresh = judged.includes(finding.rule) ? again.findings.find(({ rule }) => rule === finding.rule) : undefined;
		return fresh === undefined || fresh.verdict === 'not_shown' ? finding : fresh;
	});
	return withFindings({ ...before, probes: joinProbes(before, again) }, findings);
}

/** The result with a `failed` that the developer disagrees with. An empty reason takes it back. */
export function dispute(result: ExamResult, rule: string, reason: string): ExamResult {
	const findings = result.findings.map((finding): Finding => {
		if (finding.rule !== rule) return finding;
		const { dispute: _, ...rest } = finding;
		return reason === '' ? { ...rest, verdict: 'failed' } : { ...rest, verdict: 'disputed', dispute: reason };
	});
	return withFindings(result, findings);
}

function withFindings(result: ExamResult, findings: Finding[]): ExamResult {
	const counts = { failed: 0, passed: 0, not_shown: 0, advice: 0, disputed: 0 };
	for (const { verdict } of findings) counts[verdict]++;
	return { ...result, findings: explainNotShown(findings, result.probes, result.dialect), counts };
}

function joinProbes({ probes: earlier = [] }: ExamResult, { probes: later = [] }: ExamResult) {
	return [
		...earlier.filter(({ id }) => !later.some((one) => one.id === id && one.outcome !== 'skipped')),
		...later
	].filter((one, at, all) => all.findIndex(({ id }) => id === one.id) === at);
}
