import type { BoardRow } from '#api/control/board.ts';
import type { Prediction } from '../../lessons/lesson.ts';

/** Predictions are shown from this number on, so that none can be traced to a student. */
const fewestVotes = 5;

export type Bar = { readonly label: string; readonly count: number };

/** The lesson and the step that most students are in. Undefined without one. */
export function commonStep(rows: readonly BoardRow[]): { readonly lesson: string; readonly step: number } | undefined {
	const counts = new Map<string, number>();
	for (const { lesson, step } of rows)
		if (lesson !== null) counts.set(`${lesson} ${step}`, (counts.get(`${lesson} ${step}`) ?? 0) + 1);
	const [most] = [...counts].sort(([, one], [, other]) => other - one);
	if (most === undefined) return undefined;
	const [lesson = '', step = '0'] = most[0].split(' ');
	return { lesson, step: Number(step) };
}

const stages = ['authorized', 'exchanged', 'called'] as const;
const stageLabels = { authorized: 'Authorized', exchanged: 'Exchanged', called: 'Called' } as const;

/** How many seats of a lesson came how far. A seat that called also exchanged and authorized. */
export function funnelOf(rows: readonly BoardRow[], lesson: string): Bar[] {
	const reached = rows.flatMap((row) => (row.lesson === lesson && row.reached !== null ? [row.reached] : []));
	return stages.map((stage, index) => ({
		label: stageLabels[stage],
		count: reached.filter((one) => stages.indexOf(one) >= index).length
	}));
}

/** How many seats have shown each part of an exercise or a lab. */
export function shownOf(rows: readonly BoardRow[], id: string, parts: readonly string[]): Bar[] {
	const inIt = rows.filter(({ lesson }) => lesson === id);
	return parts.map((label, place) => ({
		label,
		count: inIt.filter(({ conditions }) => conditions.includes(String(place))).length
	}));
}

/** The votes for each option of the prediction of a lesson. Undefined while there are fewer than five. */
export function votesOf(rows: readonly BoardRow[], lesson: string, { options }: Prediction): Bar[] | undefined {
	const votes = rows.flatMap((row) => (row.lesson === lesson && row.prediction !== null ? [row.prediction] : []));
	if (votes.length < fewestVotes) return undefined;
	const count = (id: string) => votes.filter((vote) => vote === id).length;
	const bars = options.map(({ text }, index) => ({ label: text, count: count(String(index)) }));
	return [...bars, { label: 'I don’t know', count: count('unknown') }];
}
