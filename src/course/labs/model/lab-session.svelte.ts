import { attackWords, type Lab, type LabAction, type LabSubject } from '../engine/lab.ts';
import { LabRun } from '../engine/lab-run.ts';
import { originOf } from '../engine/message.ts';
import { judgeLab, replayLab, type Judgment, type Replay } from '../engine/run-lab.ts';
import type { LabStore } from './lab-store.ts';

/** The parts of a lab, in their order. */
export const labParts = ['briefing', 'attack', 'happened', 'defend', 'defended'] as const;
export type LabPart = (typeof labParts)[number];
/** Their names in the bar. */
export const partNames: Readonly<Record<LabPart, string>> = {
	briefing: 'Briefing',
	attack: 'Attack',
	happened: 'What happened',
	defend: 'Defend',
	defended: 'Defended'
};

/** What can be open between the text and the evidence. */
export type CenterPart =
	| LabSubject['name']
	| 'Attacker'
	| 'Tools'
	| 'Victim'
	| 'Good user'
	| 'Diagram'
	| 'Defense'
	| 'Attack';

type SessionOptions = {
	readonly id: string;
	readonly lab: Lab;
	readonly store: LabStore;
	/** The base URL of the site, without a trailing slash. */
	readonly rootUrl: string;
};

/** What a run shows at one moment: the run itself changes without replacing itself. */
export type Shown = Pick<LabRun, 'log' | 'held' | 'link' | 'marked' | 'copied' | 'browsers'> & { readonly run: LabRun };

function shownOf(run: LabRun): Shown {
	const { log, held, link, marked, copied, browsers } = run;
	return { run, log, held, link, marked, copied, browsers };
}

const nothingJudged: Judgment = { isDone: [], next: 0, goal: undefined, nearMiss: undefined };

/** An open lab: the attack of the learner, the same attack against the defense, and what the log shows. All reactive. */
export class LabSession {
	readonly lab: Lab;
	readonly words: typeof attackWords;
	/** Whether the defense is on. */
	isDefended = $state(false);
	/** Whether an action or the whole attack runs. */
	isBusy = $state(false);
	/** How many hints are shown. */
	hints = $state(0);
	/** The last repetition of the attack. */
	replay: Replay | undefined = $state.raw();
	#attack: LabRun | undefined = $state.raw();
	#version = $state(0);
	readonly #options: SessionOptions;

	constructor(options: SessionOptions) {
		this.#options = options;
		this.lab = options.lab;
		this.words = options.lab.words ?? attackWords;
	}

	/** The attack. Undefined while its services start. */
	readonly attack: Shown | undefined = $derived.by(() =>
		this.#version >= 0 && this.#attack !== undefined ? shownOf(this.#attack) : undefined
	);
	/** The repetition, with the good user. */
	readonly repeated: Shown | undefined = $derived.by(() => this.replay && shownOf(this.replay.run));

	readonly judgment: Judgment = $derived.by(() => {
		const { attack } = this;
		return attack === undefined ? nothingJudged : judgeLab(this.lab, attack.run);
	});
	readonly progress = $derived.by(() => this.#options.store.progress[this.#options.id] ?? {});
	readonly isReached: boolean = $derived.by(() => this.judgment.goal !== undefined);
	/** What the learner can do now, the action of the open step first. */
	readonly actions: readonly LabAction[] = $derived.by(() => {
		const run = this.attack?.run;
		if (run === undefined || this.isReached) return [];
		const { steps, detours } = this.lab;
		const next = steps[this.judgment.next];
		const all = [...(next === undefined ? [] : [next]), ...steps, ...detours];
		return [...new Map(all.map((action) => [action.id, action])).values()].filter(({ isPossible }) => isPossible(run));
	});
	/** The action of the open step, if it is possible. */
	readonly next: LabAction | undefined = $derived.by(() => {
		const step = this.lab.steps[this.judgment.next];
		return this.actions.find(({ id }) => id === step?.id);
	});

	/** What is open between the text and the evidence, from the left. Where windows show the harm, it is the one of the session with it. */
	readonly centers: Readonly<Record<LabPart, readonly CenterPart[]>> = $derived.by(() => {
		const { lab, attack, judgment } = this;
		const isInAttacker =
			attack?.browsers.attacker.page.view !== undefined &&
			judgment.goal !== undefined &&
			originOf(attack.log, judgment.goal) === 'attacker';
		const victim = lab.parties.some(({ party }) => party === 'victim') ? (['Victim'] as const) : [];
		const start = [lab.subject?.name ?? 'Attacker', 'Tools', ...victim] as const;
		const side = lab.subject?.name ?? (isInAttacker ? 'Attacker' : 'Victim');
		return {
			briefing: start,
			attack: start,
			happened: ['Diagram', side],
			defend: ['Defense', 'Attack', side],
			defended: ['Attack', side, 'Good user']
		};
	});

	/** What the learner can do in a window. Undefined: with the tools. */
	actionsAt(place: LabAction['place']): readonly LabAction[] {
		return this.actions.filter((action) => action.place === place);
	}

	/** Whether a part may be opened. What comes later would tell the result. */
	canOpen(part: LabPart): boolean {
		if (part === 'briefing' || part === 'attack') return true;
		if (part === 'defended') return this.replay?.isDefended === true || this.progress.defended !== undefined;
		return this.isReached || this.progress.attacked !== undefined;
	}

	/** Starts the attack with new services. */
	async start(): Promise<void> {
		this.#attack = undefined;
		this.#attack = await LabRun.open(this.lab.world, this.#runOptions);
	}

	/** Does something in the attack. */
	async act(action: LabAction): Promise<void> {
		const run = this.#attack;
		if (run === undefined) return;
		await this.#during(async () => {
			if (action.isPossible(run)) await action.act(run);
		});
	}

	/** The log of an attack that was done before the page was loaded: its steps run again. */
	async restore(): Promise<void> {
		if (this.isReached) return;
		await this.start();
		for (const step of this.lab.steps) await this.act(step);
	}

	/** Repeats the attack, against the defense if it is on, and then a good user signs in. The log judges both. */
	async runAgain(): Promise<void> {
		await this.#during(async () => {
			const { defense } = this.lab;
			const tried = this.isDefended ? this.lab : { ...this.lab, defense: { ...defense, world: {} } };
			const { onChange: _, ...options } = this.#runOptions;
			const replay = await replayLab(tried, options);
			try {
				// Before it is shown: the learner may leave at once.
				if (replay.isDefended && this.progress.defended === undefined) await this.#record({ defended: Date.now() });
			} finally {
				this.replay = replay;
			}
		});
	}

	/** One sentence for screen readers. */
	readonly announcement: string = $derived.by(() => {
		const { replay, attack, lab, judgment } = this;
		if (replay !== undefined) {
			const good = replay.hasGoodUser ? 'The good user signed in.' : 'The good user did not sign in.';
			return replay.isRejected
				? `${this.words.rejected} by: ${lab.rejected.title}. ${good}`
				: `The attack still works. ${good}`;
		}
		if (judgment.goal !== undefined) return 'Goal reached.';
		if (judgment.nearMiss !== undefined) return judgment.nearMiss.text;
		const done = judgment.isDone.lastIndexOf(true) + 1;
		const step = done > 0 ? `Step ${done} done.` : '';
		return attack?.held === undefined ? step : `${step} Message held.`;
	});

	get #runOptions() {
		return { baseUrl: this.#options.rootUrl, onChange: () => this.#changed() };
	}

	#changed(): void {
		this.#version++;
		if (this.isReached && this.progress.attacked === undefined) void this.#record({ attacked: Date.now() });
	}

	async #during(work: () => Promise<void>): Promise<void> {
		if (this.isBusy) return;
		this.isBusy = true;
		try {
			await work();
		} finally {
			this.isBusy = false;
			this.#changed();
		}
	}

	async #record(part: { readonly attacked?: number; readonly defended?: number }): Promise<void> {
		await this.#options.store.change(this.#options.id, part);
	}
}
