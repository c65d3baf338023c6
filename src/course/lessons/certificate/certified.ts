import { countText } from '#lib/count-text.ts';
import { joinWords } from '#client/words.ts';
import { allLessons } from '../all-lessons.ts';
import { chapters } from '../lesson.ts';
import { lessonIn, stateOf, type Progress } from '../model/progress.ts';

/** An exercise or a lab that was completed. A lesson here is an exercise that an instructor wrote. */
export type CompletedPractice = {
	readonly id: string;
	readonly kind: 'lesson' | 'exercise' | 'lab';
	readonly path: string;
	readonly title: string;
	/** When, in milliseconds since 1970. */
	readonly done: number;
};

/** A column of page 1: what was done of a chapter, or of a kind of practice. */
export type TopicGroup = { readonly title: string; readonly done: readonly string[]; readonly more: number };

/** What a certificate says. All of it is computed from what was done. */
export type Certified = {
	readonly lessons: typeof allLessons;
	/** Exercises of instructors, with the requests that prove them as for lessons. */
	readonly own: readonly CompletedPractice[];
	/** What the service in the page judged. */
	readonly practice: readonly CompletedPractice[];
	/** Whether everything is done: of the class, or else all lessons. */
	readonly isComplete: boolean;
	/** `3 of 22 lessons, with 1 lab`, in a class `1 of its 7 items`. */
	readonly what: string;
	/** The requests that prove lessons and exercises of instructors. */
	readonly ids: readonly string[];
	/** What the check value is the hash of: these requests, and what was judged in the page with its time. */
	readonly checked: readonly string[];
	/** Of the last item, in milliseconds since 1970. Undefined: nothing was done. */
	readonly date: number | undefined;
	readonly topics: readonly TopicGroup[];
};

/** How many lines a column of page 1 has. */
const maxLines = 7;

function topic(title: string, items: readonly { readonly title: string }[]): TopicGroup[] {
	const done = items.slice(0, items.length > maxLines ? maxLines - 1 : maxLines).map((item) => item.title);
	return items.length === 0 ? [] : [{ title, done, more: items.length - done.length }];
}

/**
 * What a certificate says of a progress.
 * @param completed exercises and labs
 * @param plan ids of what a class does. Empty: the certificate is of the lessons of the product
 */
export function certify(
	progress: Progress,
	completed: readonly CompletedPractice[],
	plan: readonly string[] = []
): Certified {
	const lessons = allLessons.filter(({ id }) => stateOf(lessonIn(progress, id)) === 'shown');
	const own = completed.filter(({ kind }) => kind === 'lesson');
	const practice = completed.filter(({ kind }) => kind !== 'lesson');
	const exercises = completed.filter(({ kind }) => kind !== 'lab');
	const labs = completed.filter(({ kind }) => kind === 'lab');
	const ids = [...lessons, ...own].flatMap(({ id }) => Object.values(lessonIn(progress, id).shown).flat());
	const times = [...lessons.map(({ id }) => lessonIn(progress, id).done ?? 0), ...completed.map(({ done }) => done)];
	const known = new Set([...lessons, ...completed].map(({ id }) => id));
	const ofPlan = plan.filter((id) => known.has(id)).length;
	const extra = joinWords(
		...[exercises, labs].flatMap(({ length }, place) =>
			length === 0 ? [] : [countText(length, place === 0 ? 'exercise' : 'lab')]
		)
	);
	const all = plan.length > 0 ? plan.length : allLessons.length;
	const isComplete = (plan.length > 0 ? ofPlan : lessons.length) === all;
	const ofLessons = `${isComplete ? 'all' : `${lessons.length} of`} ${all} lessons`;
	const outsideOfClass = lessons.length === 0 && extra !== '' ? extra : `${ofLessons}${extra && `, with ${extra}`}`;
	return {
		...{ lessons, own, practice, isComplete, ids },
		what: plan.length > 0 ? `${ofPlan} of the ${countText(all, 'item')} of a class` : outsideOfClass,
		checked: [...ids, ...practice.map(({ id, done }) => `${id} ${done}`)],
		date: times.length === 0 ? undefined : Math.max(...times),
		topics:
			lessons.length > 0
				? chapters.flatMap((chapter) =>
						topic(
							chapter,
							lessons.filter((lesson) => lesson.chapter === chapter)
						)
					)
				: [...topic('Exercises', exercises), ...topic('Labs', labs)]
	};
}

/**
 * A short value that changes with every request id of a certificate: `7F3A-29C1-D04E`, the start of their SHA-256 hash.
 * @param ids in any order
 */
export async function checkValue(ids: readonly string[]): Promise<string> {
	const text = ids.toSorted().join('\n');
	const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
	const hex = [...digest.subarray(0, 6)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
	return (hex.toUpperCase().match(/.{4}/g) ?? []).join('-');
}
