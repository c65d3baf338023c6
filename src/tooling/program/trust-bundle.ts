import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';

/** Where systems keep the certificates that OpenSSL trusts: Debian, Fedora, openSUSE, Alpine and macOS. */
const systemFiles = [
	'/etc/ssl/certs/ca-certificates.crt',
	'/etc/pki/tls/certs/ca-bundle.crt',
	'/etc/ssl/ca-bundle.pem',
	'/etc/ssl/cert.pem'
];

/**
 * Writes certificates that programs shall trust. Where a variable replaces what a program trusts already, its file has the
 * certificates of the system, the user and Node as well.
 * @param folder of the files
 * @param added certificates in PEM
 * @returns the variables with which programs in common languages trust them
 */
export function writeTrustBundle(folder: string, added: readonly string[]): Readonly<Record<string, string>> {
	const { NODE_EXTRA_CA_CERTS, SSL_CERT_FILE } = process.env;
	const own = [...added, ...textOf(NODE_EXTRA_CA_CERTS)];
	const known = [...(SSL_CERT_FILE ? [SSL_CERT_FILE] : systemFiles).flatMap(textOf), ...rootCertificates];
	const write = (name: string, certificates: readonly string[]) => {
		const file = join(folder, name);
		writeFileSync(file, certificates.join('\n'));
		return file;
	};
	const [few, all] = [write('own-ca.pem', own), write('all-ca.pem', [...own, ...known])];
	return {
		NODE_EXTRA_CA_CERTS: few,
		DENO_CERT: few,
		SSL_CERT_FILE: all,
		REQUESTS_CA_BUNDLE: all,
		CURL_CA_BUNDLE: all,
		GIT_SSL_CAINFO: all
	};
}

function textOf(file: string | undefined): string[] {
	if (!file) return [];
	try {
		return [readFileSync(file, 'utf8')];
	} catch {
		return [];
	}
}
