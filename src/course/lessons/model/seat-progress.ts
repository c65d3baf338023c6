import type { SeatProgress } from '#api/control/seats.ts';
import { missId } from '../../frame/progress-report.ts';
import type { LessonSession } from './lesson-session.svelte.ts';

/** How many exchanges are sent as evidence of a condition. */
const maxEvidence = 10;

type Reported = Pick<LessonSession, 'id' | 'lesson' | 'result' | 'isDone' | 'isRevealed' | 'recorded' | 'notice'>;

/** What the board of a class learns of a lesson: its steps, and the ids of the exchanges that show each of them. Reactive. */
export function progressOf({ id, lesson, result, isDone, isRevealed, recorded, notice }: Reported): SeatProgress {
	const { steps } = lesson.stage;
	const evidence = steps.map(({ condition }) => result.shown[condition] ?? (isDone ? [] : undefined));
	const open = evidence.indexOf(undefined);
	const { prediction } = recorded;
	return {
		lesson: id,
		step: open < 0 ? steps.length : open,
		shown: Object.fromEntries(
			evidence.flatMap((ids, place) => (ids === undefined ? [] : [[String(place), ids.slice(0, maxEvidence)]]))
		),
		of: steps.length,
		is_done: isDone,
		revealed: isRevealed,
		...(notice?.kind !== 'mistake' ? {} : { miss: missId(notice.text) }),
		...(prediction === undefined || prediction === 'declined' ? {} : { prediction: String(prediction) })
	};
}
