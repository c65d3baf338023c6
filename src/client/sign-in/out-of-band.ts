/** What a page of the service says in its title: a code, a refusal, or that it could not serve the request at all. */
export type TitleAnswer = { readonly name: 'code' | 'error' | 'fault'; readonly value: string };

/**
 * Reads the title of the page that carries the answer (specification, sections 2.2 and 3.2). The service writes
 * `Success,code=…` and `Denied,error=…`, and `Error, …` where it can't serve the request.
 * @param title of the window
 * @returns undefined while it is another page
 */
export function answerInTitle(title: string): TitleAnswer | undefined {
	const code = /^Success,code=(\S+)$/.exec(title)?.[1];
	if (code !== undefined) return { name: 'code', value: code };
	const error = /^Denied,error=(\S+)$/.exec(title)?.[1];
	if (error !== undefined) return { name: 'error', value: error };
	const fault = /^Error, (\S+)$/.exec(title)?.[1];
	return fault === undefined ? undefined : { name: 'fault', value: fault };
}

/**
 * Reads what a person has pasted: the code alone, or the whole title.
 * @param text as pasted, with whatever blanks came along
 * @returns undefined where it can't be a code
 */
export function answerByHand(text: string): TitleAnswer | undefined {
	const trimmed = text.trim();
	const inTitle = answerInTitle(trimmed);
	if (inTitle !== undefined) return inTitle;
	return /^[\w.~+/-]{8,512}=*$/.test(trimmed) ? { name: 'code', value: trimmed } : undefined;
}
