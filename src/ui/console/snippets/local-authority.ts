/** Where a local server keeps the certificate authority that it created, below its folder. */
export const localAuthority = '.tollgate/tls/ca.pem';

/** Whether a server has this machine's name, and so a certificate of its own authority. */
export function isLocal(baseUrl: string): boolean {
	return ['localhost', '127.0.0.1', '[::1]'].includes(new URL(baseUrl).hostname);
}

/** The curl command for a service. It trusts the authority of a local server, in place of accepting any certificate. */
export function curlFor(baseUrl: string): string {
	return isLocal(baseUrl) ? `curl --cacert ${localAuthority}` : 'curl';
}
