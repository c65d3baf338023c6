import type { CauseOf, CheckId, checks, SharedCause } from '#api/checks.ts';
import type { HistoryCause, SoughtKinds } from '../value-history.ts';

/** Why a check failed, what to change in the client, and one line of code for it. */
export type CheckExplanation = readonly [why: string, advice: string, code?: string];

/** Checks that can respond with an error of their own, and fail for several causes, too. */
type Responding = 'character.not_a_test_card' | 'consent.not_declined_by_test_account';

/** The explanations that a check needs: one for each of its causes, or one if it has none. */
type KeyOf<Id extends CheckId> = (typeof checks)[Id] extends { readonly cannotFail: true }
	? never
	: [CauseOf<Id>] extends [never]
		? Id
		: | `${Id} ${CauseOf<Id>}`
			| (Id extends Responding ? Id : never)
			| ((typeof checks)[Id] extends { readonly failed: string } ? Id : never);

/** The log may know why a code or token is unknown. */
type HistoryKey = { [Id in keyof SoughtKinds]: `${Id} ${HistoryCause<SoughtKinds[Id]>}` }[keyof SoughtKinds];

/** A check (`token.code_known`), or a check and a cause (`token.code_not_used already_used`). */
export type ExplanationKey = { [Id in CheckId]: KeyOf<Id> }[CheckId] | HistoryKey;

export type CheckExplanations = Readonly<Partial<Record<ExplanationKey, CheckExplanation>>>;

/** Explanations of the causes that any check can have. */
export type SharedExplanations = Readonly<Record<SharedCause, CheckExplanation>>;

/** Methods of the form `token.method_is_post`. */
export function wrongMethod(expected: string, advice: string): CheckExplanation {
	return [`This path takes ${expected} only.`, advice, `method: '${expected}'`];
}
