import type { Draft, Parameter } from './draft.ts';
import { pastedCode } from './pasted-code.ts';

/**
 * Changes a parameter of a request that is shown with a mistake.
 * @param correct the request without the mistake
 * @param shown the request with it
 * @returns the new correct request. `isMistakeKept`: false where the mistake had changed the same parameter, so that it is now a part
 *   of the request
 */
export function editDraft(
	correct: Draft,
	shown: Draft,
	index: number,
	part: Partial<Parameter>
): { readonly draft: Draft; readonly isMistakeKept: boolean } {
	const isMistakeKept = isSame(correct.parameters[index], shown.parameters[index]);
	const edited = isMistakeKept ? correct : shown;
	const parameters = edited.parameters.map((one, at) => {
		if (at !== index) return one;
		const value = part.value ?? one.value;
		return { ...one, ...part, value: one.name === 'code' ? pastedCode(value) : value };
	});
	return { draft: { ...edited, parameters }, isMistakeKept };
}

function isSame(one: Parameter | undefined, other: Parameter | undefined): boolean {
	return one?.name === other?.name && one?.value === other?.value && one?.isOn === other?.isOn;
}
