import { checkOf, failedAt, issued } from '#evidence/exchanges.ts';
import { queryParameter, requestHeader, type Facts } from '#evidence/facts.ts';
import type { ConditionCode, ExerciseEvidence, Fail, NearMiss, ConditionOutcome } from '../exercise.ts';

type Shows = (facts: Facts) => boolean;
/** A mistake with its words: of all exercises. */
type NamedMiss = { readonly shownBy: Shows; readonly title: string; readonly text: string };
/** Whether a request shows a mistake. `lines`: those of the program that show it better than those that sent the requests. */
type Miss = Shows | NamedMiss | { readonly shownBy: Shows; readonly lines: RegExp };

/** Met by these requests. Without one of them, nothing is shown. */
export function metBy(facts: readonly unknown[]): ConditionOutcome {
	return facts.length === 0 ? 'open' : 'met';
}

/** Not met, as these requests show. */
export function failedBy(facts: readonly Facts[], title: string, text: string): NearMiss {
	return { title, text, entries: facts.map(({ entry }) => entry) };
}

/** A condition. @param mistakes the names that its content describes. @param judge pure */
export function condition<const Name extends string>(
	mistakes: readonly Name[],
	judge: (evidence: ExerciseEvidence, fail: Fail<Name>) => ConditionOutcome
): ConditionCode {
	return { mistakes, judge };
}

/** A condition with what is judged before it. Undefined: the condition judges. */
export function first<const Name extends string>(
	mistakes: readonly Name[],
	judge: (evidence: ExerciseEvidence, fail: Fail<Name>) => ConditionOutcome | undefined,
	rest: ConditionCode
): ConditionCode {
	return {
		mistakes: [...mistakes, ...rest.mistakes],
		judge: (evidence, fail) => judge(evidence, fail) ?? rest.judge(evidence, fail)
	};
}

/**
 * A condition that fails by the first mistake that a request shows. Without one, the right requests meet it.
 * @param requestsOf of the program, oldest first
 * @param mistakes by the names of the content
 */
export function judged(
	requestsOf: (evidence: ExerciseEvidence) => readonly Facts[],
	mistakes: Readonly<Record<string, Miss>>,
	isRight: Shows
): ConditionCode {
	return {
		mistakes: Object.entries(mistakes).flatMap(([name, shown]) => ('title' in shown ? [] : [name])),
		judge(evidence, fail) {
			const requests = requestsOf(evidence);
			for (const [name, shown] of Object.entries(mistakes)) {
				const found = requests.filter(typeof shown === 'function' ? shown : shown.shownBy);
				if (found.length === 0) continue;
				if ('title' in shown) return failedBy(found, shown.title, shown.text);
				const lines = 'lines' in shown ? evidence.linesWith(shown.lines) : [];
				return { ...fail(name, found), ...(lines.length > 0 && { lines }) };
			}
			return metBy(requests.filter(isRight));
		}
	};
}

export const authorizations = ({ run }: ExerciseEvidence) => run.authorizations;
export const tokenRequests = ({ run }: ExerciseEvidence) => run.tokenRequests;
export const calls = ({ run }: ExerciseEvidence) => run.calls;
/** The requests of a kind in a step; nothing before it has begun. */
export const kindIn = ({ step }: ExerciseEvidence, id: string, ...kinds: readonly Facts['kind'][]): readonly Facts[] =>
	step(id)?.facts.filter(({ kind }) => kinds.includes(kind)) ?? [];
export const inStep =
	(id: string, ...kinds: readonly Facts['kind'][]) =>
	(evidence: ExerciseEvidence) =>
		kindIn(evidence, id, ...kinds);

/** A check of the service rejected the request, by one of these causes. */
export const rejectedBy =
	(check: string, ...causes: readonly string[]): Shows =>
	({ entry }) =>
		failedAt(entry, check) && (causes.length === 0 || causes.includes(checkOf(entry, check)?.cause ?? ''));

/** Whether the service rejected a request: by its status, or by a redirect with an error. */
export const isRejection: Shows = ({ ok, status }) => !ok && status !== undefined;

/** Whether a request has no such value in its URL. */
export const lacks =
	(name: string): Shows =>
	({ entry }) =>
		queryParameter(entry, name) === undefined;

/** A promise or another object became text. */
export const objectSent: NamedMiss = {
	shownBy: (facts) => {
		const { request } = facts.entry;
		const sent = [request.target, request.body, requestHeader(facts.entry, 'authorization')].join(' ');
		return isRejection(facts) && /(?:%5B|\[)object(?:\+|%20| )\w+(?:%5D|\])/.test(sent);
	},
	title: 'an object as text',
	text: 'A value of this request is the text that objects and promises become. Only the result of a promise can be sent.'
};

/** Whatever else the service rejected. @param isMeant of which requests */
export const rejectionsWhere = (isMeant: Shows): Readonly<Record<'object' | 'rejected', NamedMiss>> => ({
	object: { ...objectSent, shownBy: (facts) => isMeant(facts) && objectSent.shownBy(facts) },
	rejected: {
		shownBy: (facts) => isMeant(facts) && isRejection(facts),
		title: 'a rejected request',
		text: 'The service rejected this request. The check that failed is below, with what it found and what it expected.'
	}
});
export const rejections = rejectionsWhere(() => true);

/** Whether the URL of a request has a credential of the client, under whatever name. */
export const hasInUrl =
	(name: string, label: string): Shows =>
	({ entry }) =>
		queryParameter(entry, name) !== undefined ||
		entry.references.some(
			({ pointer, value }) => pointer === '/request/target' && entry.values[value]?.label.startsWith(label) === true
		);
const hasSecret = hasInUrl('client_secret', 'client secret');

/** No URL has the client secret. @param requestsOf of the program, oldest first. @param isRight of which requests one is needed */
export const withoutSecret = (
	requestsOf: (evidence: ExerciseEvidence) => readonly Facts[],
	isRight: Shows
): ConditionCode =>
	condition(['sent'], (evidence, fail) => {
		const requests = requestsOf(evidence);
		const sent = requests.filter((facts) => hasSecret(facts) || evidence.hasSecretInUrl(facts.entry));
		return sent.length > 0 ? fail('sent', sent) : metBy(requests.filter(isRight));
	});

/** Whether a request led to an access token. */
export const gotToken: Shows = ({ entry }) => issued(entry, 'access_token') !== undefined;

/** The program works: a step led to an access token. Exercises about what comes after it begin with that. */
export const signsIn = (step = 'sign_in'): ConditionCode =>
	judged(inStep(step, 'authorization', 'exchange', 'other_token_request'), rejections, gotToken);
