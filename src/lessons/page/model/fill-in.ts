/** Replaces `{base_url}` in a command or a program of a lesson. */
export function fillIn(text: string, baseUrl: string): string {
	return text.replaceAll('{base_url}', baseUrl);
}
