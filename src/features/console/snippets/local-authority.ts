import { shellQuoted } from './snippet.ts';

/** Where a local server keeps the certificate authority that it created, below its folder. Another one can be set. */
export const localAuthority = '.tollgate/tls/ca.pem';

/** Whether a server has this machine's name, and so a certificate of this machine's authority. */
export function isLocal(baseUrl: string): boolean {
	return ['localhost', '127.0.0.1', '[::1]'].includes(new URL(baseUrl).hostname);
}

/** Whether clients have to trust an authority that a server created. For `caFile` see `SandboxStatusMonitor`. */
export function needsAuthority(baseUrl: string, caFile: string | undefined): boolean {
	return caFile !== undefined || isLocal(baseUrl);
}

/**
 * The curl command for a service. It trusts the authority that the server created, in place of accepting any certificate.
 * @param caFile `SandboxStatusMonitor.caFile`
 */
export function curlFor(baseUrl: string, caFile: string | undefined): string {
	return needsAuthority(baseUrl, caFile) ? `curl --cacert ${authorityWord(caFile)}` : 'curl';
}

/**
 * The file of the certificate authority of a local server, as one word of a shell.
 * @param caFile `SandboxStatusMonitor.caFile`; undefined: a path below the folder of the server
 */
export function authorityWord(caFile = localAuthority): string {
	return /^[\w./@:+-]+$/.test(caFile) ? caFile : shellQuoted(caFile);
}
