import type { RequestDraft, Parameter } from './draft.ts';
import { parseOobTitle } from '../viewer/oob-title.ts';

/**
 * Changes a parameter of a request that is shown with a mistake.
 * @param correct the request without the mistake
 * @param shown the request with it
 * @returns the new correct request. `isMistakeKept`: false where the mistake had changed the same parameter, so that it is now a part
 *   of the request
 */
export function editDraft(
	correct: RequestDraft,
	shown: RequestDraft,
	index: number,
	part: Partial<Parameter>
): { readonly draft: RequestDraft; readonly isMistakeKept: boolean } {
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

/**
 * The code in what a user pasted: a code, the title of the page that shows it (section 3.2), or the URL that a browser was sent to.
 * Other text is unchanged.
 */
export function pastedCode(text: string): string {
	const trimmed = text.trim();
	const title = parseOobTitle(trimmed);
	if (title?.name === 'code') return title.value;
	const url = /^https?:/i.test(trimmed) && URL.canParse(trimmed) ? new URL(trimmed) : undefined;
	return url?.searchParams.get('code') ?? trimmed;
}
