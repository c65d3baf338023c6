import type { SeatProgress } from '#api/control/seats.ts';
import { seatProgress } from '../../frame/progress-report.ts';
import type { LabSession } from './lab-session.svelte.ts';

/**
 * What the board of a class learns of a lab: the steps of the attack and the defense that the log shows, and the near miss.
 * @param id of the lab
 */
export function labProgress(
	id: string,
	{ lab, judgment, isReached, progress, replay, hints, next }: LabSession
): SeatProgress {
	const isAttacked = isReached || progress.attacked !== undefined;
	const isDefended = isAttacked && progress.defended !== undefined;
	const steps = lab.steps.map((_, at) => isAttacked || judgment.isDone[at] === true);
	const all = [...steps, isDefended];
	const miss = isDefended
		? undefined
		: isAttacked
			? replay && (replay.isRejected ? 'the good user was stopped' : 'the attack still works')
			: judgment.nearMiss?.id;
	return seatProgress(`labs/${id}`, all, { isDone: isDefended, revealed: hints > 0 || next !== undefined, miss });
}
