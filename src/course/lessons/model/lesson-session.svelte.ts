import { untrack } from 'svelte';
import type { TrafficEntry } from '#api/control/traffic.ts';
import { ControlApi, trafficAfter } from '#client/control-api/control-api.ts';
import { Inspector } from '#features/inspector/inspector.svelte.ts';
import { TrafficFeed } from '#features/inspector/traffic-feed.svelte.ts';
import type { EnteredValue, Evidence, Visit, Shown } from '../evaluation/condition.ts';
import { evaluate, type Result } from '../evaluation/evaluate.ts';
import { noticeFor, type Notice } from '../evaluation/notice.ts';
import { stepsOf, type Step } from '../evaluation/step.ts';
import type { Lesson } from '../lesson.ts';
import type { Script } from '../scripted-client.ts';
import { type LessonStore, type RunChange, mergeEntries } from './lesson-store.svelte.ts';
import type { Choice } from '../../frame/question.ts';
import { lessonIn, withLesson, withShown, type LessonProgress } from './progress.ts';
import { RevealedScript, type Receiver } from './revealed-script.ts';
import { hasChanged, newRun, type LessonRun } from './run.ts';

/** How often the time without progress is checked and new exchanges are kept, in milliseconds. */
const interval = 2000;

/** How many changes of the step in view are kept. */
const maxVisits = 200;

type Options = {
	readonly id: string;
	readonly lesson: Lesson;
	readonly run: LessonRun;
	/** What was kept of the exchanges of this run. */
	readonly kept?: readonly TrafficEntry[];
	readonly store: LessonStore;
	/** Removes the users that our own clients have signed in at this sandbox. */
	readonly forgetUsers: () => Promise<void>;
	/** In milliseconds. */
	readonly now?: () => number;
};

/** A lesson while its page is open: it evaluates what the service records, and stores what was shown. */
export class LessonSession {
	readonly id: string;
	readonly lesson: Lesson;
	readonly api: ControlApi;
	readonly inspector = new Inspector();
	readonly feed: TrafficFeed;
	readonly stuck: Stuck;
	isBusy = $state(false);
	#stored = 0;
	/** How many changes of the run are not stored yet. */
	#unstored = 0;
	#run: LessonRun = $state.raw(newRun('', '', null));
	/** What an earlier visit of the page had read: the log forgets, a run does not. */
	#kept: readonly TrafficEntry[] = $state.raw([]);
	readonly #store: LessonStore;
	readonly #forgetUsers: () => Promise<void>;
	#script: RevealedScript | undefined;

	constructor({ id, lesson, run, kept = [], store, forgetUsers, now = Date.now }: Options) {
		this.id = id;
		this.lesson = lesson;
		this.api = new ControlApi(run.baseUrl);
		this.feed = new TrafficFeed(this.api, this.inspector);
		this.stuck = new Stuck(now);
		this.#run = run;
		this.#kept = kept;
		this.#store = store;
		this.#forgetUsers = forgetUsers;
	}

	/** What the best attempt of this run has shown, and what is missing. */
	readonly result: Result = $derived.by(() => evaluate(this.lesson, this.#evidence, this.#run.shown));

	/** Whether this run meets all conditions. */
	readonly isDone: boolean = $derived(this.result.missing === undefined);

	/** Whether Tollgate did this run. */
	readonly isRevealed: boolean = $derived(this.#run.isRevealed);

	/** Whether the sandbox of the run before was gone. */
	readonly isRemade: boolean = $derived(this.#run.isRemade);

	/** What is recorded about this lesson, of all runs. */
	readonly recorded: LessonProgress = $derived.by(() => lessonIn(this.#store.progress, this.id));

	/** What the learner has entered in the fields of the lesson, oldest first. */
	readonly entered: readonly EnteredValue[] = $derived(this.#run.entered);

	/** The exchanges of this run, oldest first, also those that the log has dropped. */
	readonly entries: readonly TrafficEntry[] = $derived.by(() =>
		mergeEntries(this.#kept, this.inspector.entries, this.#run.after)
	);

	readonly #evidence: Evidence = $derived.by(() => {
		const { entered, visits } = this.#run;
		return { entries: this.entries, entered, visits };
	});

	/** Each step with what the learner sent in it. */
	readonly steps: readonly Step[] = $derived.by(() =>
		stepsOf({
			steps: this.lesson.stage.steps,
			conditions: this.lesson.conditions.map(({ id }) => id),
			shown: this.result.shown,
			entries: this.entries,
			visits: this.#run.visits
		})
	);

	/** Why the newest request of the open step does not show it. */
	readonly notice: Notice | undefined = $derived.by(() =>
		noticeFor(this.steps, this.result, this.#evidence, this.#run.changedAfter)
	);

	/** Starts to follow the service. Returns a function that stops it. */
	start(): () => void {
		const stop = this.feed.start();
		const timer = setInterval(() => void this.#tick(), interval);
		// Another tab has opened a step, or has shown one.
		const unfollow = this.#store.followRun(this.id, (run) => {
			if (this.#unstored === 0 && hasChanged(run, this.#run)) this.#run = run;
		});
		return () => {
			unfollow();
			clearInterval(timer);
			void this.#keep();
			stop();
		};
	}

	/** Stores what was shown since the last call. Call it when `result` changes. */
	async record({ shown }: Result): Promise<void> {
		const run = untrack(() => this.#run);
		if (untrack(() => this.isBusy) || sizeOf(shown) <= sizeOf(run.shown)) return;
		this.stuck.progress();
		await this.#change((known) => (sizeOf(shown) > sizeOf(known.shown) ? { shown: copyOf(shown) } : {}));
		// A page that is loaded now has what showed the step.
		await this.#keep();
		if (run.isRevealed) return;
		const { isDone } = this;
		await this.#store.change((progress, now) => withShown(progress, this.id, shown, isDone, now));
	}

	/** Commits a prediction, or that the learner makes none. The first one counts. */
	async predict(prediction: Choice | 'declined'): Promise<void> {
		if (this.recorded.prediction !== undefined) return;
		this.stuck.progress();
		await this.#store.change((progress) => withLesson(progress, this.id, { prediction }));
	}

	/**
	 * Stores a value of a field of the lesson.
	 * @throws ControlError
	 */
	async enter(field: string, value: string): Promise<void> {
		await this.#addValue({ field, value, after: await this.#last() });
	}

	/**
	 * The learner opened a step, or came back to its tab. What is sent from now on may be for it.
	 * @param isSending a press in another step still sends
	 */
	visit(step: number, isSending = false): void {
		if (isSending || this.#run.visits.at(-1)?.step === step) return;
		const visit: Visit = { step, after: this.entries.at(-1)?.seq ?? this.#run.after };
		void this.#change(({ visits }) => ({ visits: [...visits.slice(-maxVisits), visit] }));
	}

	/** The learner changed the service without a recorded exchange: its clock, a setting, a key or a session. */
	changed(): void {
		const changedAfter = this.entries.at(-1)?.seq ?? 0;
		void this.#change(() => ({ changedAfter }));
	}

	/**
	 * Restores the start state of the sandbox. What was shown before stays recorded.
	 * @throws ControlError
	 */
	async reset(): Promise<void> {
		this.isBusy = true;
		try {
			await this.api.request('PUT /control/snapshot', { body: this.#run.snapshot });
			this.#script = undefined;
			const last = await this.#last();
			await this.feed.clear();
			await this.#forgetUsers();
			this.inspector.selectedId = undefined;
			const { sandbox, baseUrl, snapshot } = this.#run;
			this.#run = newRun(sandbox, baseUrl, snapshot, last);
			this.#kept = [];
			await this.#store.replaceRun(this.id, this.#run);
			this.stuck.progress();
		} finally {
			this.isBusy = false;
		}
	}

	/**
	 * Does a step for the learner, who sees how it is done, and what leads to it. It is not recorded as shown by the learner.
	 * @param condition of the step
	 * @param receiver the tools of the next steps, which get what the responses bring
	 * @throws ControlError
	 */
	async reveal(
		script: Script,
		condition: string,
		receiver: Receiver = { receive: () => {}, learn: () => {} }
	): Promise<void> {
		await this.#change(() => ({ isRevealed: true }));
		await this.#store.change((progress, now) => withLesson(progress, this.id, { revealed: now }));
		const isShown = (entries: readonly TrafficEntry[]) =>
			evaluate(this.lesson, { ...this.#evidence, entries }, this.#run.shown).shown[condition] !== undefined;
		if ((await this.#script?.goOn(isShown)) === true) return;
		// The learner went on alone, or this is the first step.
		const { api, entries } = this;
		const enter = (field: string, value: string, after: number) => void this.#addValue({ field, value, after });
		this.#script = new RevealedScript({
			api,
			script,
			enter,
			receiver,
			entries,
			last: entries.at(-1)?.seq ?? this.#run.after
		});
		await this.#script.goOn(isShown);
	}

	/** The number of the newest exchange. The views can be a moment behind. */
	async #last(): Promise<number> {
		const known = this.inspector.entries.at(-1)?.seq ?? this.#run.after;
		const { entries } = await this.api.request('GET /control/traffic', trafficAfter(known));
		return entries.at(-1)?.seq ?? known;
	}

	async #addValue(value: EnteredValue): Promise<void> {
		await this.#change(({ entered }) => ({ entered: [...entered, value] }));
	}

	async #change(change: RunChange): Promise<void> {
		this.#run = { ...this.#run, ...change(this.#run) };
		this.#unstored++;
		await this.#store.changeRun(this.id, this.#run, change);
		this.#unstored--;
	}

	async #tick(): Promise<void> {
		this.stuck.check();
		await this.#keep();
	}

	/** Stores the exchanges that came since the last time. */
	async #keep(): Promise<void> {
		const { entries } = this;
		if (this.isBusy || entries.length === this.#stored) return;
		this.#stored = entries.length;
		await this.#store.keepEntries(this.id, this.#run, entries);
	}
}

const sizeOf = (shown: Shown) => Object.keys(shown).length;

const copyOf = (shown: Shown): Record<string, string[]> =>
	Object.fromEntries(Object.entries(shown).map(([condition, ids]) => [condition, [...ids]]));

/** Time without progress after which help is offered, in milliseconds. */
export const stuckAfter = 90_000;

/** Notices that a learner makes no progress. */
export class Stuck {
	isOffered = $state(false);
	readonly #now: () => number;
	#since: number;

	/** @param now in milliseconds */
	constructor(now: () => number) {
		this.#now = now;
		this.#since = now();
	}

	/** The learner made progress. */
	progress(): void {
		this.#since = this.#now();
		this.isOffered = false;
	}

	/** Call it at intervals. */
	check(): void {
		if (this.#now() - this.#since >= stuckAfter) this.isOffered = true;
	}
}
