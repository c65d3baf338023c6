import type { DraftEditor } from '#features/request-builder/draft-editor.svelte.ts';
import { isSigned, valueOf } from '#features/request-builder/draft.ts';
import type { Mistake } from '#features/request-builder/mistakes/mistake.ts';
import { mistakesOf } from '#features/request-builder/mistakes/mistakes.ts';
import type { Step } from '../evaluation/step.ts';

/** The ready mistakes that change one claim of what the request of a step signs, and the claim. */
export type ChangedClaim = Mistake & { readonly claim: string };

/**
 * What a learner can change in the proof or the assertion of a step that is done. What an open step sends itself is left to that step.
 * A thief has no key.
 */
export function changedClaims(
	{ isDone, data }: Step,
	steps: readonly Step[],
	{ drafts, context, sandbox }: Pick<DraftEditor, 'drafts' | 'context' | 'sandbox'>
): readonly ChangedClaim[] {
	const tool = data.tools.find(({ kind }) => kind === 'request');
	if (!isDone || tool?.kind !== 'request' || tool.sender === 'thief') return [];
	const { sets = {}, request } = tool;
	const name = Object.keys(sets).find((one) => sets[one] === 'new' && isSigned(one, 'new'));
	if (name === undefined) return [];
	const open = steps.flatMap((step) =>
		step.isDone ? [] : step.data.tools.map((one) => (one.kind === 'request' ? one.sets?.[name] : undefined))
	);
	const draft = drafts[request];
	return mistakesOf(request, sandbox.dialect).flatMap((mistake) => {
		const value = valueOf(mistake.change(draft, context), name);
		const isOffered = value !== valueOf(draft, name) && !open.includes(value);
		return mistake.claim === undefined || !isOffered ? [] : [{ ...mistake, claim: mistake.claim }];
	});
}
