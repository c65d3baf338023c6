import { createPrivateKey } from 'node:crypto';
import { isIP } from 'node:net';
import * as x509 from '@peculiar/x509';

/** A certificate and its private key, both PEM. */
export type Certificate = { readonly cert: string; readonly key: string };

const curve = { name: 'ECDSA', namedCurve: 'P-256' };
const signingAlgorithm = { name: 'ECDSA', hash: 'SHA-256' };
const day = 24 * 60 * 60 * 1000;
const nameConstraints = '2.5.29.30';

/**
 * Makes a certificate authority: EC P-256, SHA-256, ten years, for server certificates only. It has the key identifiers that
 * strict verifiers require (Python 3.13, OpenSSL's `-x509_strict`), which the package `selfsigned` 5.5 cannot write.
 * @param names the only host names and addresses that it may sign for (RFC 5280, section 4.2.1.10)
 * @param now milliseconds since 1970
 */
export async function createAuthority(names: readonly string[], now: number): Promise<Certificate> {
	const keys = await crypto.subtle.generateKey(curve, true, ['sign', 'verify']);
	const constraints = der(0x30, der(0xa0, Buffer.concat(names.map(subtree))));
	const certificate = await x509.X509CertificateGenerator.createSelfSigned({
		serialNumber: serialNumber(),
		name: 'CN=Tollgate local authority',
		notBefore: new Date(now - day),
		notAfter: new Date(now + 3650 * day),
		signingAlgorithm,
		keys,
		extensions: [
			new x509.BasicConstraintsExtension(true, 0, true),
			new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign, true),
			new x509.Extension(nameConstraints, true, new Uint8Array(constraints)),
			await x509.SubjectKeyIdentifierExtension.create(keys.publicKey)
		]
	});
	return { cert: pem(certificate), key: await keyPem(keys.privateKey) };
}

/** Whether the name constraints of an authority permit all these names. */
export function permits(authority: Certificate, names: readonly string[]): boolean {
	const extension = new x509.X509Certificate(authority.cert).getExtension(nameConstraints);
	return extension !== null && names.every((name) => Buffer.from(extension.value).includes(subtree(name)));
}

/**
 * Makes a server's certificate: EC P-256, SHA-256, 397 days, signed by the authority.
 * @param authority created by `createAuthority`
 * @param names host names and addresses it is good for; the first becomes its common name
 * @param now milliseconds since 1970
 */
export async function createCertificate(
	authority: Certificate,
	names: readonly string[],
	now: number
): Promise<Certificate> {
	const keys = await crypto.subtle.generateKey(curve, true, ['sign', 'verify']);
	const issuer = new x509.X509Certificate(authority.cert);
	const certificate = await x509.X509CertificateGenerator.create({
		serialNumber: serialNumber(),
		subject: `CN=${names[0] ?? 'localhost'}`,
		issuer: issuer.subject,
		notBefore: new Date(now - day),
		notAfter: new Date(now + 397 * day),
		signingAlgorithm,
		publicKey: keys.publicKey,
		signingKey: await signingKey(authority.key),
		extensions: [
			new x509.BasicConstraintsExtension(false, undefined, true),
			new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
			new x509.ExtendedKeyUsageExtension([x509.ExtendedKeyUsage.serverAuth]),
			new x509.SubjectAlternativeNameExtension(names.map((name) => ({ type: typeOf(name), value: name }))),
			await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
			await x509.AuthorityKeyIdentifierExtension.create(issuer.publicKey)
		]
	});
	return { cert: pem(certificate), key: await keyPem(keys.privateKey) };
}

function typeOf(name: string): 'dns' | 'ip' {
	return isIP(name) === 0 ? 'dns' : 'ip';
}

/** A GeneralSubtree of one name, or of one address followed by its mask. */
function subtree(name: string): Buffer {
	const encoded = Buffer.from(new x509.GeneralName(typeOf(name), name).rawData);
	if (typeOf(name) === 'dns') return der(0x30, encoded);
	const address = encoded.subarray(2);
	return der(0x30, der(0x87, Buffer.concat([address, Buffer.alloc(address.length, 0xff)])));
}

/** One value in DER, of less than 64 KiB. */
function der(tag: number, content: Buffer): Buffer {
	const { length } = content;
	const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 255];
	return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function serialNumber(): string {
	const bytes = crypto.getRandomValues(new Uint8Array(16));
	// The first bit would make it negative, and a leading zero byte is not its shortest form.
	bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x40;
	return Buffer.from(bytes).toString('hex');
}

function pem(certificate: x509.X509Certificate): string {
	return `${certificate.toString('pem')}\n`;
}

async function keyPem(key: CryptoKey): Promise<string> {
	const der = Buffer.from(await crypto.subtle.exportKey('pkcs8', key));
	return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
		.export({ type: 'pkcs8', format: 'pem' })
		.toString();
}

async function signingKey(key: string): Promise<CryptoKey> {
	const der = new Uint8Array(createPrivateKey(key).export({ type: 'pkcs8', format: 'der' }));
	return crypto.subtle.importKey('pkcs8', der, curve, false, ['sign']);
}
