import type { Lab, LabAction, LabSubject } from '../engine/lab.ts';
import { attackWords } from '../engine/lab-words.ts';
import { actionsOf, LabAttack, type MadeMove } from '../engine/lab-attack.ts';
import type { LabRun } from '../engine/lab-run.ts';
import { originOf } from '../engine/message.ts';
import { judgeLab, replayLab, stepsOf, type JudgedLab, type Replay } from '../engine/run-lab.ts';
import { guided } from './guided.svelte.ts';
import type { LabProgress, LabStore } from './lab-store.ts';

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

type ListedDefense = Lab['defenses'][number];

/** What can be open between the text and the log. */
export type CenterPart =
	| LabSubject['name']
	| 'Attacker'
	| 'Tools'
	| 'Victim'
	| 'Good user'
	| 'Diagram'
	| 'Defenses'
	| 'Result';

type SessionOptions = {
	readonly id: string;
	readonly lab: Lab;
	readonly store: LabStore;
	/** The base URL of the site, without a trailing slash. */
	readonly rootUrl: string;
};

/** What a run shows at one moment: the run itself changes without replacing itself. */
export type ShownLab = Pick<LabRun, 'log' | 'held' | 'link' | 'marked' | 'copied' | 'browsers'> & {
	readonly run: LabRun;
};

function shownOf(run: LabRun): ShownLab {
	const { log, held, link, marked, copied, browsers } = run;
	return { run, log, held, link, marked, copied, browsers };
}

const nothingJudged: JudgedLab = { isDone: [], next: 0, action: undefined, goal: undefined, nearMiss: undefined };

/** What a learner expects of a run. */
export type Prediction = {
	readonly attack: 'rejected' | 'succeeds' | 'unknown';
	readonly user: 'in' | 'stopped' | 'unknown';
};

/** A defense that was run, with what was expected. */
export type DefenseResult = { readonly replay: Replay; readonly prediction: Prediction };

/** A move that was made, with its result. */
export type ShownMove = MadeMove & { readonly mark: 'done' | 'held' | 'rejected' };

/** An open lab: the attack of the learner, the same attack against defenses, and what the log shows. All reactive. */
export class LabSession {
	readonly lab: Lab;
	readonly words: typeof attackWords;
	/** The four defenses, in an order of this start. */
	readonly defenses: readonly ListedDefense[];
	/** The defense that is chosen. */
	chosen: ListedDefense['id'] | undefined = $state();
	/** What was run, by defense. */
	results: Readonly<Partial<Record<ListedDefense['id'], DefenseResult>>> = $state.raw({});
	/** Whether an action or the whole attack runs. */
	isBusy = $state(false);
	/** How many hints are shown. */
	hints = $state(0);
	/** What was undone or shown last, for screen readers. */
	#notice = $state('');
	#attack: LabAttack | undefined = $state.raw();
	/** Whether the steps were shown during this attack. */
	#isGuided = false;
	#version = $state(0);
	readonly #options: SessionOptions;

	constructor(options: SessionOptions) {
		this.#options = options;
		this.lab = options.lab;
		this.words = { ...attackWords, ...options.lab.words };
		this.defenses = shuffled(options.lab.defenses);
	}

	/** The attack. Undefined while its services start. */
	readonly attack: ShownLab | undefined = $derived.by(() =>
		this.#version >= 0 && this.#attack !== undefined ? shownOf(this.#attack.run) : undefined
	);
	/** What the learner did. It is a record, and no plan. */
	readonly moves: readonly ShownMove[] = $derived.by(() => {
		const { attack } = this;
		const moves = this.#attack?.moves ?? [];
		return moves.map((move, at) => {
			const until = moves[at + 1]?.after ?? Infinity;
			const sent = attack?.log.filter(({ id }) => id > move.after && id <= until) ?? [];
			const isGoal = sent.some(({ id }) => id === this.judgment.goal?.id);
			const isRejected = !isGoal && sent.some(({ rejection, status = 0 }) => rejection !== undefined || status >= 400);
			const isHeld = sent.some(({ state, id }) => state === 'held' && attack?.held?.id === id);
			return { ...move, mark: isHeld ? 'held' : isRejected ? 'rejected' : 'done' };
		});
	});
	/** The result of the chosen defense. */
	readonly result: DefenseResult | undefined = $derived.by(() => this.chosen && this.results[this.chosen]);
	readonly replay: Replay | undefined = $derived.by(() => this.result?.replay);
	/** The repetition, with the good user. */
	readonly repeated: ShownLab | undefined = $derived.by(() => this.replay && shownOf(this.replay.run));
	/** How many defenses were run. */
	readonly runs: number = $derived.by(() => Object.keys(this.results).length);

	readonly judgment: JudgedLab = $derived.by(() => {
		const { attack } = this;
		return attack === undefined ? nothingJudged : judgeLab(this.lab, attack.run, this.#attack?.moves);
	});
	readonly progress = $derived.by(() => this.#options.store.progress[this.#options.id] ?? {});
	readonly isReached: boolean = $derived.by(() => this.judgment.goal !== undefined);
	/** What the learner can do now. */
	readonly actions: readonly LabAction[] = $derived.by(() => {
		const run = this.attack?.run;
		if (run === undefined || this.isReached) return [];
		return actionsOf(this.lab).filter(({ isPossible }) => isPossible(run));
	});
	/** With the steps: what leads on. */
	readonly next: LabAction | undefined = $derived.by(() => (guided.isOn ? this.judgment.action : undefined));

	/** What is open between the text and the log, from the left. Where windows show the harm, it is the one of the session with it. */
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
			defend: ['Defenses', 'Result'],
			defended: ['Result', side, 'Good user']
		};
	});

	/** Whether a part may be opened. What comes later would tell the result. */
	canOpen(part: LabPart): boolean {
		if (part === 'briefing' || part === 'attack') return true;
		if (part === 'defended') return this.isDefended || this.progress.defended !== undefined;
		return this.isReached || this.progress.attacked !== undefined;
	}

	/** Whether a defense has ended the attack, and let the good user in. */
	get isDefended(): boolean {
		return Object.values(this.results).some(({ replay }) => replay.isDefended);
	}

	/** Starts the attack with new services. */
	async start(): Promise<void> {
		this.#attack = undefined;
		this.#isGuided = false;
		this.#notice = '';
		this.#attack = await LabAttack.open(this.lab, this.#runOptions);
	}

	/** Does something in the attack. */
	act(action: LabAction): Promise<void> {
		return this.#move((attack) => attack.act(action));
	}

	/** Changes a parameter of the held message. @param value undefined removes it */
	edit(name: string, value: string | undefined): Promise<void> {
		return this.#move((attack) => attack.edit(name, value));
	}

	/** Goes back to before the last move. */
	async undo(): Promise<void> {
		const count = this.moves.length;
		if (count === 0 || this.isBusy) return;
		await this.#move((attack) => attack.undo());
		this.#notice = `Move ${count} undone.`;
	}

	/** The page shows the steps, with or without a move. */
	noteSteps(): void {
		this.#isGuided = true;
	}

	/** Shows the next hint. */
	openHint(): void {
		if (this.hints >= this.lab.hints.length) return;
		this.hints++;
		this.#notice = `Hint ${this.hints} of ${this.lab.hints.length}.`;
	}

	/** The log of an attack that was done before the page was loaded: its steps run again. */
	async restore(): Promise<void> {
		if (this.isReached) return;
		await this.start();
		this.#isGuided = true;
		for (const step of this.lab.steps) await this.act(step);
	}

	/** Sends the attack again with the chosen defense, as it was made, and then a good user signs in. The log judges both. */
	async run(prediction: Prediction): Promise<void> {
		const defense = this.defenses.find(({ id }) => id === this.chosen);
		if (defense === undefined) return;
		await this.#during(async () => {
			const { onChange: _, ...options } = this.#runOptions;
			const moves = this.#attack !== undefined && this.isReached ? this.#attack.moves : stepsOf(this.lab);
			const replay = await replayLab(this.lab, defense.world, moves, { ...options, seed: this.#attack?.seed });
			try {
				// Before it is shown: the learner may leave at once.
				if (replay.isDefended && this.progress.defended === undefined) await this.#record({ defended: Date.now() });
			} finally {
				this.results = { ...this.results, [defense.id]: { replay, prediction } };
			}
		});
	}

	/** Runs the right defense, after the page was loaded again. */
	async restoreDefense(): Promise<void> {
		this.chosen = 'right';
		await this.run({ attack: 'unknown', user: 'unknown' });
	}

	/** One sentence for screen readers, without marks. */
	readonly announcement: string = $derived.by(() => this.#announced.replaceAll(/[`*]/g, ''));
	readonly #announced: string = $derived.by(() => {
		const { replay, attack, judgment, words } = this;
		if (replay !== undefined) {
			const end = replay.isRejected ? words.wasRejected : words.succeeded;
			return `${end}. ${replay.hasGoodUser ? words.userIn : 'player-two was stopped'}.`;
		}
		if (judgment.goal !== undefined) return 'Goal reached.';
		if (judgment.nearMiss !== undefined) return `${this.#notice} ${judgment.nearMiss.text}`.trim();
		return attack?.held === undefined ? this.#notice : `${this.#notice} Message held.`.trim();
	});

	get #runOptions() {
		return { baseUrl: this.#options.rootUrl, onChange: () => this.#changed() };
	}

	#changed(): void {
		this.#version++;
		this.#isGuided ||= guided.isOn;
		if (!this.isReached) return;
		const { attacked, withoutSteps } = this.progress;
		if (attacked === undefined || (withoutSteps === undefined && !this.#isGuided))
			void this.#record({ attacked: attacked ?? Date.now(), ...(!this.#isGuided && { withoutSteps: true }) });
	}

	async #move(work: (attack: LabAttack) => Promise<void>): Promise<void> {
		const attack = this.#attack;
		if (attack === undefined) return;
		await this.#during(async () => {
			this.#notice = '';
			await work(attack);
		});
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

	async #record(part: LabProgress): Promise<void> {
		await this.#options.store.change(this.#options.id, part);
	}
}

function shuffled<T>(items: readonly T[]): readonly T[] {
	return items
		.map((item) => ({ item, at: Math.random() }))
		.sort((a, b) => a.at - b.at)
		.map(({ item }) => item);
}
