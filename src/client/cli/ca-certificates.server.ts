import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { rootCertificates } from 'node:tls';
import { isOnThisMachine } from '../endpoints.ts';
import { Problem } from '../problems.ts';
import type { CliEnvironment } from './environment.server.ts';

/**
 * Which authorities to trust: those that Node trusts, and besides the file of `--ca`, or else, for a Tollgate on this
 * machine, the authority that it made for itself. Certificates are always checked.
 * @param base_url of the service
 * @param chosen the file (PEM) of `--ca`
 * @returns PEM texts; undefined where Node's own will do
 * @throws {Problem} `ca_unreadable`
 */
export function caCertificates(
	base_url: string,
	chosen: string | undefined,
	{ env, root }: Pick<CliEnvironment, 'env' | 'root'>
): readonly string[] | undefined {
	const own = chosen === undefined ? ownAuthority(base_url, env, root) : readChosen(resolve(chosen));
	if (own === undefined) return undefined;
	// Naming authorities replaces Node's, so the file that this variable names has to come along.
	const extra = env.NODE_EXTRA_CA_CERTS ? readIfThere(env.NODE_EXTRA_CA_CERTS) : undefined;
	return [...rootCertificates, own, ...(extra === undefined ? [] : [extra])];
}

function ownAuthority(base_url: string, env: CliEnvironment['env'], root: string): string | undefined {
	if (!isOnThisMachine(base_url)) return undefined;
	const data = env.DATA_DIR ? resolve(root, env.DATA_DIR) : join(root, '.tollgate');
	return readIfThere(join(data, 'tls', 'ca.pem'));
}

function readChosen(path: string): string {
	const text = readIfThere(path);
	if (text?.includes('-----BEGIN CERTIFICATE-----') !== true) throw new Problem('ca_unreadable', path);
	return text;
}

function readIfThere(path: string): string | undefined {
	try {
		return readFileSync(path, 'utf8');
	} catch {
		return undefined;
	}
}
