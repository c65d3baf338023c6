import { curlFor } from '#ui/console/snippets/local-authority.ts';

/** Replaces `{curl}` and `{base_url}` in a command or a program of a lesson. */
export function fillIn(text: string, baseUrl: string): string {
	return text.replaceAll('{curl}', curlFor(baseUrl)).replaceAll('{base_url}', baseUrl);
}
