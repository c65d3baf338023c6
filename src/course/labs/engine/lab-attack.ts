import type { Lab, LabAction } from './lab.ts';
import { LabRun, newSeed } from './lab-run.ts';

/** All that the learner can do in a lab. */
export const actionsOf = ({ steps, detours }: Lab): readonly LabAction[] => [...steps, ...detours];

/** Something that the learner did: an action of the lab, or a change of a parameter of the held message. */
export type MoveRecord = {
	/** Of the action. `edit`: a change. */
	readonly id: string;
	/** What was done, in a line. Code in backticks. */
	readonly text: string;
	/** What was changed. Without a value: removed. */
	readonly field?: { readonly name: string; readonly value: string | undefined };
};

/** A move with its place in the run. */
export type MadeMove = MoveRecord & {
	/** The clock before it, in milliseconds since 1970. */
	readonly at: number;
	/** The id of the last message before it. */
	readonly after: number;
};

type Options = { readonly baseUrl: string; readonly onChange?: () => void };

/** Does a move in a run. @returns false where it is not possible */
export async function make(lab: Lab, run: LabRun, { id, field }: MoveRecord): Promise<boolean> {
	if (field !== undefined) {
		run.change(field.name, field.value);
		return run.held !== undefined;
	}
	const action = actionsOf(lab).find((one) => one.id === id);
	if (action?.isPossible(run) !== true) return false;
	await action.act(run);
	return true;
}

/** The attack of a learner: a run, and the moves that led to it. The same moves with the same seed and clock lead to the same log. */
export class LabAttack {
	moves: readonly MadeMove[] = [];
	run: LabRun;
	readonly #lab: Lab;
	readonly #options: Options;
	readonly seed: number;
	readonly #start: number;

	private constructor(lab: Lab, options: Options, seed: number, start: number, run: LabRun) {
		this.#lab = lab;
		this.#options = options;
		this.seed = seed;
		this.#start = start;
		this.run = run;
	}

	/** Begins an attack. @throws ControlError */
	static async open(lab: Lab, options: Options, seed = newSeed()): Promise<LabAttack> {
		const start = Date.now();
		return new LabAttack(lab, options, seed, start, await LabRun.open(lab.world, { ...options, seed, start }));
	}

	act({ id, label }: Pick<LabAction, 'id' | 'label'>): Promise<void> {
		return this.#make({ id, text: label });
	}

	/** Changes a parameter of the held message. @param value undefined removes it */
	async edit(name: string, value: string | undefined): Promise<void> {
		if (this.run.held === undefined || this.run.held.valueOf(name) === value) return;
		await this.#make({
			id: 'edit',
			text: `${value === undefined ? 'Removed' : 'Changed'} \`${name}\``,
			field: { name, value }
		});
	}

	/** Goes back to before the last move: the moves before it run again from the start. */
	async undo(): Promise<void> {
		const undone = this.moves.at(-1);
		if (undone === undefined) return;
		const { baseUrl, onChange } = this.#options;
		let isSilent = true;
		const run = await LabRun.open(this.#lab.world, {
			baseUrl,
			onChange: () => !isSilent && onChange?.(),
			seed: this.seed,
			start: this.#start
		});
		const kept = this.moves.slice(0, -1);
		for (const move of kept) {
			run.setClock(move.at);
			await make(this.#lab, run, move);
		}
		run.setClock(undone.at);
		isSilent = false;
		this.run = run;
		this.moves = kept;
		onChange?.();
	}

	async #make(move: MoveRecord): Promise<void> {
		const { run } = this;
		const made = { ...move, at: run.clock.now(), after: run.log.at(-1)?.id ?? 0 };
		// Before it is done: what it sends is already its own.
		this.moves = [...this.moves, made];
		if (!(await make(this.#lab, run, move))) this.moves = this.moves.filter((one) => one !== made);
	}
}
