import { curlFor } from '#features/console/snippets/local-authority.ts';
import { fillText } from '#lib/fill-text.ts';

/**
 * Replaces `{curl}` and `{base_url}` in a command or a program of a lesson.
 * @param caFile `SandboxStatusMonitor.caFile`
 */
export const fillIn = (text: string, baseUrl: string, caFile: string | undefined): string =>
	fillText(text, (name) => (name === 'curl' ? curlFor(baseUrl, caFile) : name === 'base_url' ? baseUrl : undefined));

/**
 * The instruction of a step, with the names that the buttons and addresses have here: `{brand}` is the service, `{base_url}` its base URL,
 * `{scheme}` that of its URLs, and `{other_scheme}` the one that is not registered.
 */
export function instruction(text: string, brand: string, baseUrl: string): string {
	const [scheme = '', other_scheme = ''] = baseUrl.startsWith('https:') ? ['https', 'http'] : ['http', 'https'];
	const values: Readonly<Record<string, string>> = { brand, base_url: baseUrl, scheme, other_scheme };
	return fillText(text, (name) => values[name]);
}
