const invisible =
	// eslint-disable-next-line no-control-regex -- these are what is replaced
	/[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufffe\uffff]|[\ud800-\udfff]/gu;

/**
 * Untrusted text for display: without invisible and direction-changing characters, and shortened.
 * @param longest in characters
 */
export function sanitizeText(text: string, longest = 80): string {
	const clean = text.slice(0, longest * 4).replace(invisible, '\ufffd');
	const letters = [...clean];
	return letters.length > longest ? `${letters.slice(0, longest - 1).join('')}…` : clean;
}

/** The same for text of several lines. */
export function sanitizeLines(text: string, longest: number): string {
	const lines = text.slice(0, longest).replace(/\r\n?/g, '\n').split('\n');
	return lines
		.map((line) => sanitizeText(line, longest))
		.join('\n')
		.trim();
}
