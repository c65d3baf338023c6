import { hidden } from '#api/redact.ts';
import type { OwnApplication } from '#features/shell/own-applications.ts';
import { authorityWord, curlFor } from '#features/console/snippets/local-authority.ts';

/**
 * The settings of a client as the lines of an `.env` file: as a page shows them, with a mask in place of the secret, and for the clipboard.
 * @param caFile `SandboxStatusMonitor.caFile`
 */
export function envBlock(
	baseUrl: string,
	{ client_id, client_secret = '' }: OwnApplication,
	caFile: string | undefined
): { readonly shown: string; readonly copied: string } {
	const linesWith = (secret: string) =>
		[
			['TOLLGATE_BASE_URL', baseUrl],
			['TOLLGATE_CLIENT_ID', client_id],
			['TOLLGATE_CLIENT_SECRET', secret],
			...(caFile === undefined ? [] : [['NODE_EXTRA_CA_CERTS', authorityWord(caFile)]])
		]
			.map((pair) => pair.join('='))
			.join('\n');
	return { shown: linesWith(client_secret === '' ? '' : hidden), copied: linesWith(client_secret) };
}

/** The command that shows whether a program reaches the seat. For `caFile` see `envBlock`. */
export function testCommand(baseUrl: string, caFile: string | undefined): string {
	return `${caFile === undefined ? 'curl' : curlFor(baseUrl, caFile)} -v ${baseUrl}/control/health`;
}
