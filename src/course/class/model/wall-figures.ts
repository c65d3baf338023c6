import type { BoardRow } from '#api/control/board.ts';
import type { Prediction } from '../../lessons/lesson.ts';

/** Predictions are shown from this number on, so that none can be traced to a student. */
const fewestVotes = 5;

export type Bar = { readonly label: string; readonly count: number };

/** Where the class is: the lesson of most seats, and in it the step that most of those do which are not done. */
export type CommonStep = {
	readonly lesson: string;
	/** From 0. Undefined: all seats of the lesson are done. */
	readonly step: number | undefined;
	readonly inStep: number;
	readonly inLesson: number;
};

export function commonStep(rows: readonly BoardRow[]): CommonStep | undefined {
	const lesson = mostCommon(rows.flatMap((row) => row.lesson ?? []));
	if (lesson === undefined) return undefined;
	const inIt = rows.filter((row) => row.lesson === lesson);
	const open = inIt.filter(({ is_done }) => !is_done).map(({ step }) => step);
	const step = mostCommon(open);
	return { lesson, step, inStep: open.filter((one) => one === step).length, inLesson: inIt.length };
}

function mostCommon<T>(values: readonly T[]): T | undefined {
	const count = (value: T) => values.filter((one) => one === value).length;
	const [most] = [...new Set(values)].sort((one, other) => count(other) - count(one));
	return most;
}

/** How many seats of a lesson, an exercise or a lab have shown each of its steps. */
export function shownOf(rows: readonly BoardRow[], id: string, steps: readonly string[]): Bar[] {
	const inIt = rows.filter(({ lesson }) => lesson === id);
	return steps.map((label, place) => ({
		label,
		count: inIt.filter(({ shown_steps }) => shown_steps.includes(String(place))).length
	}));
}

/** How far a seat is, in the one unit that steps have on board, wall and export: `2 of 3`. Empty without a lesson. */
export function stepsText({ lesson, shown, of }: Pick<BoardRow, 'lesson' | 'shown' | 'of'>): string {
	return lesson === null ? '' : `${shown} of ${of}`;
}

/** The votes for each option of the prediction of a lesson. Undefined while there are fewer than five. */
export function votesOf(rows: readonly BoardRow[], lesson: string, { options }: Prediction): Bar[] | undefined {
	const votes = rows.flatMap((row) => (row.lesson === lesson && row.prediction !== null ? [row.prediction] : []));
	if (votes.length < fewestVotes) return undefined;
	const count = (id: string) => votes.filter((vote) => vote === id).length;
	const bars = options.map(({ text }, index) => ({ label: text, count: count(String(index)) }));
	return [...bars, { label: 'I don’t know', count: count('unknown') }];
}
