import { parseOobTitle } from '../viewer/oob-title.ts';

/**
 * The code in what a user pasted: a code, the title of the page that shows it (section 3.2), or the URL that a browser was sent to.
 * Other text is unchanged.
 */
export function pastedCode(text: string): string {
	const trimmed = text.trim();
	const title = parseOobTitle(trimmed);
	if (title?.name === 'code') return title.value;
	const [, inUrl] = /^https?:.*[?&]code=([\w.~-]+)/i.exec(trimmed) ?? [];
	return inUrl ?? trimmed;
}
