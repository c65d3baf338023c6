import { authorityWord, curlFor } from '../../console/snippets/local-authority.ts';

/** An application of the seat. The secret is undefined where this browser has not been shown it. */
export type SeatApplication = {
	readonly client_id: string;
	readonly name: string;
	readonly client_secret?: string | undefined;
};

/**
 * The settings of a client as the lines of an `.env` file.
 * @param caFile `SandboxStatusMonitor.caFile`
 */
export function envBlock(
	baseUrl: string,
	{ client_id, client_secret = '' }: SeatApplication,
	caFile: string | undefined
): string {
	const lines = [
		['TOLLGATE_BASE_URL', baseUrl],
		['TOLLGATE_CLIENT_ID', client_id],
		['TOLLGATE_CLIENT_SECRET', client_secret],
		...(caFile === undefined ? [] : [['NODE_EXTRA_CA_CERTS', authorityWord(caFile)]])
	];
	return lines.map((pair) => pair.join('=')).join('\n');
}

/** The command that shows whether a program reaches the seat. For `caFile` see `envBlock`. */
export function testCommand(baseUrl: string, caFile: string | undefined): string {
	return `${caFile === undefined ? 'curl' : curlFor(baseUrl, caFile)} -v ${baseUrl}/control/health`;
}
