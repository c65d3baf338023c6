import { signInGoodUser } from '../shared/moves.ts';
import type { Lab, LabAction, LabDefense, LabNearMiss } from './lab.ts';
import { make, type MadeMove, type MoveRecord } from './lab-attack.ts';
import { LabRun, type LabWorld } from './lab-run.ts';
import { findGoodUser, type Message, type Rejection } from './message.ts';

type Options = { readonly baseUrl: string; readonly seed?: number | undefined };

/** What the log of an attack shows. */
export type JudgedLab = {
	/** Of each step, in the order of the lab. */
	readonly isDone: readonly boolean[];
	/** The step to do next. -1: the goal is reached. */
	readonly next: number;
	/** What leads on: the action of this step, or one that makes it possible. */
	readonly action: LabAction | undefined;
	/** The message that shows the goal. */
	readonly goal: Message | undefined;
	/** What the newest move shows. Undefined once the goal is reached. */
	readonly nearMiss: ShownMiss | undefined;
};

/** A near miss, with its sentence. */
export type ShownMiss = {
	readonly id: string;
	readonly message: Message;
	readonly text: string;
	readonly look: string;
};

/** Judges an attack by its log. @param moves that led to it */
export function judgeLab(lab: Lab, run: LabRun, moves: readonly MadeMove[] = []): JudgedLab {
	const goal = lab.goal.find(run.log);
	const isDone = lab.steps.map((step) => goal !== undefined || step.isDone(run));
	if (goal !== undefined) return { isDone, next: -1, action: undefined, goal, nearMiss: undefined };
	const ids = moves.map(({ id }) => id);
	const action = nextAction(lab, run, isDone, ids);
	const at = lab.steps.findIndex(({ id }) => id === (action?.opens ?? action?.id));
	const last = moves.at(-1);
	const nearMiss = last === undefined ? undefined : missOf(lab.nearMisses, run, last);
	return { isDone, next: Math.max(0, at), action, goal, nearMiss };
}

/**
 * What leads on from here: the open step. Where it was made in vain, what makes it possible again, and then all steps in their order.
 * @param made the ids of the moves
 */
function nextAction(
	{ steps, detours }: Lab,
	run: LabRun,
	isDone: readonly boolean[],
	made: readonly string[]
): LabAction | undefined {
	const open = steps[isDone.indexOf(false)];
	if (open !== undefined && !made.includes(open.id) && open.isPossible(run)) return open;
	const isOpened = (id: string) => made.lastIndexOf(id) > made.lastIndexOf(open?.id ?? '');
	const opener = detours.find(({ id, opens, isPossible }) => opens === open?.id && !isOpened(id) && isPossible(run));
	if (open !== undefined && opener !== undefined) return opener;
	const from = steps.findIndex(({ id }) => id === made.at(-1)) + 1;
	return [...steps.slice(from), ...steps].find(({ isPossible }) => isPossible(run));
}

function missOf(
	misses: Readonly<Record<string, LabNearMiss>>,
	run: LabRun,
	{ after }: MadeMove
): ShownMiss | undefined {
	const sent = run.log.filter(({ id }) => id > after);
	for (const [id, { happened, text, look }] of Object.entries(misses)) {
		const message = happened(sent, run);
		if (message !== undefined) return { id, message, text: text(message, run), look };
	}
	return undefined;
}

/** The attack, sent again against a defense, and a user who is not attacked. */
export type Replay = {
	readonly run: LabRun;
	/** What ended the attack. Undefined: nothing did, or nothing was rejected. */
	readonly rejection: Rejection | undefined;
	/** The message that was rejected. */
	readonly rejected: Message | undefined;
	/** Whether the goal is not in the log. */
	readonly isRejected: boolean;
	/** The first message of the good user. The log before it is the attack. */
	readonly goodUserFrom: number;
	/** Whether the good user reached the data. */
	readonly hasGoodUser: boolean;
	/** What stopped the good user, and the message. */
	readonly goodUserRejection: Rejection | undefined;
	readonly goodUserRejected: Message | undefined;
	readonly isDefended: boolean;
};

/** The steps of a lab as moves. */
export const stepsOf = ({ steps }: Lab): readonly MoveRecord[] => steps.map(({ id, label }) => ({ id, text: label }));

/**
 * Sends the attack again with a defense, and then a good user. The log judges both.
 * @param world what the defense changes
 * @param moves the attack, as it was made. Those that are not possible now are left out
 * @throws ControlError
 */
export async function replayLab(
	lab: Lab,
	world: LabDefense['world'],
	moves: readonly MoveRecord[],
	options: Options
): Promise<Replay> {
	const run = await LabRun.open(mergeWorld(lab.world, world), options);
	for (const move of moves) await make(lab, run, move);
	const attack = run.log;
	run.hold(false);
	const goodUserFrom = (attack.at(-1)?.id ?? 0) + 1;
	await (lab.goodUser ?? signInGoodUser)(run);
	const after = run.log.filter(({ id }) => id >= goodUserFrom);
	const { id, find } = lab.rejected;
	const isRejected = lab.goal.find(attack) === undefined;
	const named = find(attack);
	const rejected = isRejected ? (named ?? attack.findLast(({ rejection }) => rejection !== undefined)) : undefined;
	const hasGoodUser = (lab.findGoodUser ?? findGoodUser)(after) !== undefined;
	const goodUserRejected = hasGoodUser ? undefined : after.find(({ rejection }) => rejection !== undefined);
	return {
		run,
		rejection:
			named !== undefined && rejected === named ? { ...named.rejection, id, by: named.to } : rejected?.rejection,
		rejected,
		isRejected,
		goodUserFrom,
		hasGoodUser,
		goodUserRejected,
		goodUserRejection: goodUserRejected?.rejection,
		isDefended: isRejected && hasGoodUser
	};
}

/** The world of a lab with what a defense changes of it. */
function mergeWorld(world: LabWorld, change: Partial<LabWorld>): LabWorld {
	const [settings, other] = [world.settings, change.settings];
	return {
		...world,
		...change,
		client: { ...world.client, ...change.client },
		...((settings ?? other) && {
			settings: {
				...settings,
				...other,
				lifetimes: { ...settings?.lifetimes, ...other?.lifetimes },
				limits: { ...settings?.limits, ...other?.limits }
			}
		})
	};
}
