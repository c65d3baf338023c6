import { checkOf, failedAt, issued } from '#evidence/exchanges.ts';
import { queryParameter, requestHeader, type Facts } from '#evidence/facts.ts';
import type { Condition, Evidence, Exercise, NearMiss, Outcome } from '../exercise.ts';

/** What a program did wrong, for its author: names the mistake, not the fix. */
export type Mistake = {
	/** Whether a request shows it. */
	readonly shownBy: (facts: Facts) => boolean;
	/** Follows "Near miss: ". */
	readonly title: string;
	/** What happened, and why. */
	readonly text: string;
	/** The lines of the program, where others show it better than those that sent the requests. */
	readonly lines?: readonly number[];
};

/** Met by these requests. Without one of them, nothing is shown. */
export function metBy(facts: readonly Facts[]): Outcome {
	return facts.length === 0 ? 'open' : 'met';
}

/** Not met, as these requests show. */
export function failedBy(facts: readonly Facts[], title: string, text: string): NearMiss {
	return { title, text, entries: facts.map(({ entry }) => entry) };
}

/**
 * The first mistake that a request shows. Without one, met by the right requests.
 * @param facts requests of the program, oldest first
 */
export function judgeBy(
	facts: readonly Facts[],
	mistakes: readonly Mistake[],
	isRight: (facts: Facts) => boolean
): Outcome {
	for (const { shownBy, title, text, lines = [] } of mistakes) {
		const found = facts.filter(shownBy);
		if (found.length > 0) return { ...failedBy(found, title, text), ...(lines.length > 0 ? { lines } : {}) };
	}
	return metBy(facts.filter(isRight));
}

/** A mistake that a check of the service names by its cause. */
export const rejectedBy =
	(check: string, ...causes: readonly string[]) =>
	({ entry }: Facts): boolean =>
		failedAt(entry, check) && (causes.length === 0 || causes.includes(checkOf(entry, check)?.cause ?? ''));

/** Whether the service rejected a request: by its status, or by a redirect with an error. */
export const isRejection = ({ ok, status }: Facts): boolean => !ok && status !== undefined;

/** A promise or another object became text. */
export const objectSent: Mistake = {
	shownBy: (facts) => {
		const { request } = facts.entry;
		const sent = [request.target, request.body, requestHeader(facts.entry, 'authorization')].join(' ');
		return isRejection(facts) && /(?:%5B|\[)object(?:\+|%20| )\w+(?:%5D|\])/.test(sent);
	},
	title: 'an object as text',
	text: 'A value of this request is the text that objects and promises become. Only the result of a promise can be sent.'
};

/** Whatever else the service rejected. */
export const rejections: readonly Mistake[] = [
	objectSent,
	{
		shownBy: isRejection,
		title: 'a rejected request',
		text: 'The service rejected this request. The check that failed is below, with what it found and what it expected.'
	}
];

/** Whether the URL of a request has the client secret, under whatever name. */
export const hasSecret = ({ entry }: Facts): boolean =>
	queryParameter(entry, 'client_secret') !== undefined ||
	entry.references.some(
		({ pointer, value }) =>
			pointer === '/request/target' && entry.values[value]?.label.startsWith('client secret') === true
	);

/** Whether a request led to an access token. */
export const gotToken = ({ entry }: Facts): boolean => issued(entry, 'access_token') !== undefined;

/** What was sent in a step of the exercise; nothing before it has begun. */
export const sentIn = ({ step }: Evidence, id: string): readonly Facts[] => step(id)?.facts ?? [];

/** The requests of a kind in a step. */
export const kindIn = (evidence: Evidence, id: string, ...kinds: readonly Facts['kind'][]): readonly Facts[] =>
	sentIn(evidence, id).filter(({ kind }) => kinds.includes(kind));

/** The program works: a step led to an access token. Exercises about what comes after it begin with that. */
export const signsIn = (title: string, step = 'sign_in'): Condition => ({
	id: 'signs_in',
	title,
	judge: (evidence) =>
		judgeBy(kindIn(evidence, step, 'authorization', 'exchange', 'other_token_request'), rejections, gotToken)
});

/**
 * A program with parts replaced.
 * @param changes each text, which occurs once, and what is in its place
 */
export function changed(program: string, ...changes: readonly (readonly [from: string, to: string])[]): string {
	return changes.reduce((text, [from, to]) => {
		if (text.split(from).length !== 2) throw new Error(`This text must occur once: ${from}`);
		return text.replace(from, () => to);
	}, program);
}

/** Near misses of an exercise: the name, the condition that must fail, and the changes of the solution. */
export function nearMissesOf(
	solution: string,
	misses: readonly (readonly [name: string, condition: string, ...changes: (readonly [from: string, to: string])[]])[]
): Exercise['nearMisses'] {
	return misses.map(([name, condition, ...changes]) => ({ name, condition, program: changed(solution, ...changes) }));
}
