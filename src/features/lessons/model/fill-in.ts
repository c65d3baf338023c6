import { curlFor } from '../../console/snippets/local-authority.ts';

/**
 * Replaces `{curl}` and `{base_url}` in a command or a program of a lesson.
 * @param caFile `SandboxStatusMonitor.caFile`
 */
export function fillIn(text: string, baseUrl: string, caFile: string | undefined): string {
	return text.replaceAll('{curl}', () => curlFor(baseUrl, caFile)).replaceAll('{base_url}', baseUrl);
}
