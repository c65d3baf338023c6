import { curlFor } from '#features/console/snippets/local-authority.ts';

/**
 * Replaces `{curl}` and `{base_url}` in a command or a program of a lesson.
 * @param caFile `SandboxStatusMonitor.caFile`
 */
export function fillIn(text: string, baseUrl: string, caFile: string | undefined): string {
	return text.replaceAll('{curl}', () => curlFor(baseUrl, caFile)).replaceAll('{base_url}', baseUrl);
}

/**
 * The instruction of a step, with the names that the buttons and addresses have here: `{brand}` is the service, `{base_url}` its base URL,
 * `{scheme}` that of its URLs, and `{other_scheme}` the one that is not registered.
 */
export function instruction(text: string, brand: string, baseUrl: string): string {
	const [scheme, other] = baseUrl.startsWith('https:') ? ['https', 'http'] : ['http', 'https'];
	return text
		.replaceAll('{brand}', brand)
		.replaceAll('{scheme}', scheme)
		.replaceAll('{other_scheme}', other)
		.replaceAll('{base_url}', baseUrl);
}
