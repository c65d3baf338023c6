import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Agent, fetch as undiciFetch } from 'undici';
import { ClientError } from '../oauth/client-error.ts';
import type { Fetch } from '../oauth/send-request.ts';
import { isLoopbackUrl } from '../oauth/provider.ts';
import type { CliEnvironment } from './terminal.server.ts';

const maxResponseSize = 4 * 1024 * 1024;

/**
 * Returns the CA certificates to trust instead of Node's own: the file of `--ca`, or for a service on this machine the CA that
 * a local Tollgate created. A file in `NODE_EXTRA_CA_CERTS` stays trusted.
 * @param baseUrl of the service
 * @param file of `--ca`, in PEM format
 * @returns PEM texts; undefined for Node's own
 * @throws {ClientError} `ca_unreadable`
 */
export function caCertificates(
	baseUrl: string,
	file: string | undefined,
	{ env, root }: Pick<CliEnvironment, 'env' | 'root'>
): readonly string[] | undefined {
	const ca = file === undefined ? localCa(baseUrl, env, root) : readCa(resolve(file));
	if (ca === undefined) return undefined;
	const extra = env.NODE_EXTRA_CA_CERTS ? readIfExists(env.NODE_EXTRA_CA_CERTS) : undefined;
	return extra === undefined ? [ca] : [ca, extra];
}

/**
 * Creates a `fetch` that trusts the given CA certificates. It follows no redirects.
 * @param ca PEM texts; undefined for those of Node
 */
export function createTrustingFetch(ca: readonly string[] | undefined): Fetch {
	const dispatcher = new Agent({ maxResponseSize, connect: ca === undefined ? {} : { ca: [...ca] } });
	return async (url, init) => {
		const request = new Request(url, init);
		const response = await undiciFetch(url, {
			method: request.method,
			headers: [...request.headers],
			body: request.body === null ? null : await request.text(),
			signal: request.signal,
			redirect: 'manual',
			dispatcher
		});
		const text = await response.text();
		return new Response(text === '' ? null : text, { status: response.status, headers: [...response.headers] });
	};
}

function localCa(baseUrl: string, env: CliEnvironment['env'], root: string): string | undefined {
	if (!isLoopbackUrl(baseUrl)) return undefined;
	return readIfExists(join(resolve(root, env.DATA_DIR || '.tollgate'), 'tls', 'ca.pem'));
}

function readCa(path: string): string {
	const text = readIfExists(path);
	if (text?.includes('-----BEGIN CERTIFICATE-----') !== true) throw new ClientError('ca_unreadable', path);
	return text;
}

function readIfExists(path: string): string | undefined {
	try {
		return readFileSync(path, 'utf8');
	} catch {
		return undefined;
	}
}
