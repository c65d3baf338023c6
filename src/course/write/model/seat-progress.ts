import type { SeatProgress } from '#api/control/seats.ts';
import { seatProgress } from '../../frame/progress-report.ts';
import type { WrittenExam } from '../program-exam/exam-session.svelte.ts';
import { conditionsOf, missOf, problemWords } from './judge.ts';
import type { ExerciseSession } from './exercise-session.svelte.ts';
import type { ExerciseProgress } from './write-progress.ts';

type Session = Pick<ExerciseSession, 'exercise' | 'conditions' | 'failed' | 'problem' | 'isDone' | 'hints'>;

/**
 * What the board of a class learns of an exercise: the condition that the student is at, and its near miss. No text of the program.
 * @param id of the exercise
 * @param before what is recorded of earlier runs. After a reload, the last run still says what is wrong
 */
export function exerciseProgress(id: string, session: Session, before: ExerciseProgress = {}): SeatProgress {
	const states = conditionsOf(session.exercise).map((one) => session.conditions.find(({ id }) => id === one.id)?.state);
	const failed = states.indexOf('failed');
	const isDone = session.isDone || before.done !== undefined;
	const hasRun = session.problem !== undefined || session.conditions.some(({ state }) => state !== 'open');
	return seatProgress(
		`write/${id}`,
		states.map((state) => state === 'met' || isDone),
		{
			isDone,
			revealed: session.hints > 0,
			miss: session.isDone ? undefined : hasRun ? missOf(session) : before.miss,
			...(failed >= 0 && !isDone && { at: failed })
		}
	);
}

/** The same of the exam of a program. */
export function examProgress(
	id: string,
	{ findings, problem, result, isOver }: WrittenExam,
	wasPassed: boolean
): SeatProgress {
	const isDone = wasPassed || (isOver && result?.ended === undefined && result?.counts.failed === 0);
	const first = findings.find(({ verdict }) => verdict === 'failed');
	const miss = problem === undefined ? first?.rule : problemWords.stopped;
	return seatProgress(`write/${id}`, [isDone], { isDone, miss: isDone ? undefined : miss });
}
