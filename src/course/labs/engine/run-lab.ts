import { viewerOrigin } from './viewer-pages.ts';
import type { Lab, LabNearMiss } from './lab.ts';
import { LabRun, usernames } from './lab-run.ts';
import { originOf, type Message, type Rejection } from './message.ts';

type Options = { readonly baseUrl: string; readonly onChange?: () => void };

/** What the log of an attack shows. */
export type Judgment = {
	/** Of each step, in the order of the lab. */
	readonly isDone: readonly boolean[];
	/** The first step that is not done. -1: all are. */
	readonly next: number;
	/** The message that shows the goal. */
	readonly goal: Message | undefined;
	/** Undefined once the goal is reached. */
	readonly nearMiss: (LabNearMiss & { readonly id: string }) | undefined;
};

/** Judges an attack by its log. */
export function judgeLab(lab: Lab, run: LabRun): Judgment {
	const goal = lab.goal.find(run.log);
	const isDone = lab.steps.map((step) => goal !== undefined || step.isDone(run));
	const misses = Object.entries(lab.nearMisses).map(([id, miss]) => ({ id, ...miss }));
	const nearMiss = misses.find(({ happened }) => Boolean(happened(run)));
	return { isDone, next: isDone.indexOf(false), goal, nearMiss: goal === undefined ? nearMiss : undefined };
}

/** The attack, sent again against the defense, and a user who is not attacked. */
export type Replay = {
	readonly run: LabRun;
	/** How many steps were possible. */
	readonly steps: number;
	/** What ended the attack. Undefined: nothing did. */
	readonly rejection: Rejection | undefined;
	/** The message that was rejected. */
	readonly rejected: Message | undefined;
	/** Whether the check of the lab ended the attack, and the goal is not in the log. */
	readonly isRejected: boolean;
	/** The first message of the good user. The log before it is the attack. */
	readonly goodUserFrom: number;
	/** Whether the good user reached the data. */
	readonly hasGoodUser: boolean;
	/** What stopped the good user. */
	readonly goodUserRejection: Rejection | undefined;
	readonly isDefended: boolean;
};

/**
 * Sends the attack again with the defense, and then a good user. The log judges both.
 * @param lab with the defense that is tried
 * @throws ControlError
 */
export async function replayLab(lab: Lab, options: Options): Promise<Replay> {
	const run = await LabRun.open({ ...lab.world, ...lab.defense.world }, options);
	let steps = 0;
	for (const { isPossible, act } of lab.steps) {
		if (!isPossible(run)) break;
		await act(run);
		steps++;
	}
	const attack = run.log;
	run.hold(false);
	const goodUserFrom = (attack.at(-1)?.id ?? 0) + 1;
	await (lab.goodUser ?? signInGoodUser)(run);
	const after = run.log.filter(({ id }) => id >= goodUserFrom);
	const { id, find = (log: readonly Message[]) => log.find(({ rejection }) => rejection?.id === id) } = lab.rejected;
	const rejected = find(attack);
	const last = attack.findLast(({ rejection }) => rejection !== undefined);
	const isRejected = rejected !== undefined && lab.goal.find(attack) === undefined;
	const hasGoodUser = (lab.findGoodUser ?? findGoodUser)(after) !== undefined;
	return {
		run,
		steps,
		rejection: rejected === undefined ? last?.rejection : { id, by: rejected.to },
		rejected: rejected ?? last,
		isRejected,
		goodUserFrom,
		hasGoodUser,
		goodUserRejection: hasGoodUser ? undefined : after.find(({ rejection }) => rejection !== undefined)?.rejection,
		isDefended: isRejected && hasGoodUser
	};
}

/** A user who signs in from the start page of Character Viewer. */
export async function signInGoodUser(run: LabRun): Promise<void> {
	await run.browsers.good_user.open(`${viewerOrigin}/start`);
}

/** The first character of the good user. */
export function findGoodUser(log: readonly Message[]): Message | undefined {
	return log.find((message) => isReadOf(message, usernames.good_user) && originOf(log, message) === 'good_user');
}

/** Whether a message read a character with a token of a user. */
export function isReadOf({ entry }: Message, username: string): boolean {
	return entry?.endpoint === 'character' && entry.response?.status === 200 && entry.username === username;
}

/** The message that read a character of a user for the session of a browser. */
export function readIn(log: readonly Message[], browser: string, username: string): Message | undefined {
	return log.find((message) => isReadOf(message, username) && originOf(log, message) === browser);
}
