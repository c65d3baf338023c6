import type { Lesson } from '../lesson.ts';
import { storedText, storeText, type TextStorage } from '#client/storage/web-storage.ts';

/** The parts of a lesson. `question` is the second half of `compare`. */
export const phases = ['intro', 'predict', 'do', 'compare', 'question', 'done'] as const;
export type Phase = (typeof phases)[number];

/** One part: a phase, or one step of the phase `do`. */
export type Part = { readonly phase: Phase; readonly step: number };

/** The phases that have a name in the bar. */
export const namedPhases = [
	{ phase: 'intro', label: 'In short' },
	{ phase: 'predict', label: 'Predict' },
	{ phase: 'do', label: 'Do' },
	{ phase: 'compare', label: 'Compare' },
	{ phase: 'done', label: 'Done' }
] as const satisfies readonly { phase: Phase; label: string }[];

/** Which phases a lesson has besides those of every lesson. */
export type Optional = { readonly hasPrediction: boolean; readonly hasQuestion: boolean };

/** What a lesson has of them. Those of the product have all. */
export function optionalOf({ prediction, stage }: Pick<Lesson, 'prediction' | 'stage'>): Optional {
	return { hasPrediction: prediction.options.length > 0, hasQuestion: stage.question.title !== '' };
}

/** The parts of a lesson with a number of steps, in their order. */
export function partsOf(steps: number, { hasPrediction, hasQuestion }: Optional): readonly Part[] {
	const left = phases.filter((phase) =>
		phase === 'predict' || phase === 'compare' ? hasPrediction : phase !== 'question' || hasQuestion
	);
	return left.flatMap((phase) => Array.from({ length: phase === 'do' ? steps : 1 }, (_, step) => ({ phase, step })));
}

/** Index of the step that a condition belongs to. */
export function stepOf({ conditions, stage }: Pick<Lesson, 'conditions' | 'stage'>, condition: string): number {
	const ids = conditions.map(({ id }) => id);
	const at = ids.indexOf(condition);
	return stage.steps.findIndex((step) => ids.indexOf(step.condition) >= at);
}

/** What a learner has done of a lesson. */
export type Done = {
	/** Whether a prediction was saved or declined. */
	readonly isPredicted: boolean;
	readonly steps: readonly boolean[];
};

/** Where a learner is in a lesson. A tab keeps it while the learner signs in on other pages. */
export class Place {
	#index = $state(0);
	readonly parts: readonly Part[];
	readonly #storage: TextStorage;
	readonly #key: string;
	readonly #done: () => Done;
	/** Index of the first step. */
	readonly #first: number;

	/**
	 * @param key of the run
	 * @param done what is done, reactive
	 */
	constructor(
		storage: TextStorage,
		key: string,
		steps: number,
		done: () => Done,
		optional: Optional = { hasPrediction: true, hasQuestion: true }
	) {
		this.parts = partsOf(steps, optional);
		this.#first = this.parts.findIndex(({ phase }) => phase === 'do');
		this.#storage = storage;
		this.#key = `tollgate-lesson-part ${key}`;
		this.#done = done;
		this.#index = this.#restored();
	}

	readonly part: Part = $derived.by(() => this.parts[this.#index] ?? { phase: 'intro', step: 0 });

	/** The last part that may be opened: what comes later would tell the result. */
	readonly #last: number = $derived.by(() => {
		const { isPredicted, steps } = this.#done();
		if (!isPredicted) return this.#first - 1;
		const open = steps.findIndex((isDone) => !isDone);
		return open < 0 ? this.parts.length - 1 : this.#first + open;
	});

	readonly canGoBack: boolean = $derived(this.#index > 0);
	readonly canGoOn: boolean = $derived(this.#index < this.#last);

	/** Opens the part before, or the next one. Nothing happens where it may not be opened. */
	go(by: 1 | -1): void {
		this.#open(this.#index + by);
	}

	/** The first part of a phase, where it may be opened; a step that is open, for `do`. */
	firstOf(phase: Phase): number | undefined {
		const { steps } = this.#done();
		const open = Math.max(
			0,
			steps.findIndex((isDone) => !isDone)
		);
		const index = this.parts.findIndex((part) => part.phase === phase && (phase !== 'do' || part.step === open));
		return index >= 0 && index <= this.#last ? index : undefined;
	}

	openPhase(phase: Phase): void {
		const index = this.firstOf(phase);
		if (index !== undefined) this.#open(index);
	}

	openStep(step: number): void {
		this.#open(this.#first + step);
	}

	/** Opens the first part again. */
	restart(): void {
		this.#open(0);
	}

	#open(index: number): void {
		if (index < 0 || index > this.#last) return;
		this.#index = index;
		storeText(this.#key, String(index), () => this.#storage);
	}

	#restored(): number {
		const { isPredicted } = this.#done();
		const start = isPredicted ? Math.min(this.#last, this.parts.length - 1) : 0;
		const stored = storedText(this.#key, () => this.#storage);
		return /^\d+$/.test(stored) ? Math.min(Number(stored), this.#last) : start;
	}
}
