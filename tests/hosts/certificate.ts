import { type Certificate, createAuthority, createCertificate } from '#hosts/tls/create-certificate.server.ts';

let made: Promise<{ authority: Certificate; certificate: Certificate }> | undefined;

/** A certificate for localhost and the authority behind it, made once per test file. */
export function testCertificate(): Promise<{ authority: Certificate; certificate: Certificate }> {
	return (made ??= make());
}

async function make(): Promise<{ authority: Certificate; certificate: Certificate }> {
	const names = ['localhost', '127.0.0.1', '::1'];
	const authority = await createAuthority(names, Date.now());
	return { authority, certificate: await createCertificate(authority, names, Date.now()) };
}
