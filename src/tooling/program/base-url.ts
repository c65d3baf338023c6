import { caCertificates } from '#client/cli/ca-certificates.server.ts';
import { localService } from '#client/cli/cli-error.ts';
import { ClientError } from '#client/oauth/client-error.ts';
import { isLoopbackUrl } from '#client/oauth/provider.ts';
import { UsageError } from './client-exam/choices.ts';

/**
 * The base URL of an option `--url`, without a trailing slash.
 * @throws UsageError for a URL that needs no TLS
 */
export function baseUrlOf(text: string): string {
	const url = URL.canParse(text) ? new URL(text) : undefined;
	const isSecure = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopbackUrl(text));
	if (url === undefined || !isSecure || url.search || url.hash || url.username || url.password)
		throw new UsageError(`--url must be an https URL, such as ${localService}.`);
	return url.href.replace(/\/+$/, '');
}

/**
 * The certificates that a server is trusted by: those of `--ca`, or of a local Tollgate. Undefined: those of Node.
 * @throws UsageError for a file without a certificate
 */
export function certificatesOf(url: string, file: string | undefined): readonly string[] | undefined {
	try {
		return caCertificates(url, file, { env: process.env, root: process.cwd() });
	} catch (error) {
		if (!(error instanceof ClientError)) throw error;
		throw new UsageError(`--ca: ${error.message} is missing or contains no certificate (PEM).`);
	}
}
