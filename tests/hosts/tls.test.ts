import { X509Certificate } from 'node:crypto';
import { mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { expect, onTestFinished, test } from 'vitest';
import { createAuthority, createCertificate } from '#hosts/tls/create-certificate.server.ts';
import { localCertificate } from '#hosts/tls/local-certificate.server.ts';
import { testCertificate } from './certificate.ts';
import { head, openWire } from './raw-connection.ts';
import { serve } from './node/serve.ts';

const now = Date.UTC(2026, 10, 21);
const day = 24 * 60 * 60 * 1000;

async function folder(): Promise<string> {
	const path = await mkdtemp(join(tmpdir(), 'tollgate-'));
	onTestFinished(() => rm(path, { recursive: true }));
	return path;
}

test('the leaf is for servers, signed by the authority, with SHA-256 and the three names of this machine', async () => {
	const made = await localCertificate(await folder(), [], now);
	const leaf = new X509Certificate(made.cert);
	const authority = new X509Certificate(await readFile(made.caFile));
	expect(leaf.verify(authority.publicKey)).toBe(true);
	expect(leaf.checkIssued(authority)).toBe(true);
	expect([leaf.ca, authority.ca]).toEqual([false, true]);
	expect(leaf.subjectAltName).toBe('DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1');
	expect(leaf.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1']);
	expect(leaf.publicKey.asymmetricKeyDetails).toEqual({ namedCurve: 'prime256v1' });
	expect(Date.parse(leaf.validTo) - now).toBeLessThan(398 * day);
	expect(Date.parse(leaf.validFrom)).toBeLessThan(now);
	// ecdsa-with-SHA256, and both key identifiers, which strict verifiers ask for
	for (const oid of ['06082a8648ce3d040302', '0603551d0e', '0603551d23'])
		expect(leaf.raw.toString('hex')).toContain(oid);
});

test("it is made once, and its keys are their owner's alone", async () => {
	const path = await folder();
	const first = await localCertificate(join(path, 'data'), [], now);
	expect(await localCertificate(join(path, 'data'), [], now + 300 * day)).toEqual(first);
	for (const name of ['ca-key.pem', 'server-key.pem'])
		expect((await stat(join(path, 'data/tls', name))).mode & 0o777).toBe(0o600);
	expect((await stat(join(path, 'data'))).mode & 0o777).toBe(0o700);
});

test('the leaf is renewed before it expires, and when a name is new; the authority stays', async () => {
	const path = await folder();
	const first = await localCertificate(path, [], now);
	const authority = await readFile(first.caFile, 'utf8');
	const renewed = await localCertificate(path, [], now + 370 * day);
	expect(renewed.cert).not.toBe(first.cert);
	const named = await localCertificate(path, ['tollgate.example', '192.168.1.7'], now + 370 * day);
	expect(new X509Certificate(named.cert).checkHost('tollgate.example')).toBe('tollgate.example');
	expect(new X509Certificate(named.cert).checkIP('192.168.1.7')).toBe('192.168.1.7');
	expect(await readFile(first.caFile, 'utf8')).toBe(authority);
});

test.each(['ca.pem', 'ca-key.pem', 'server.pem', 'server-key.pem'])('a broken %s is replaced', async (name) => {
	const path = await folder();
	await localCertificate(path, [], now);
	await writeFile(join(path, 'tls', name), 'rubbish');
	const made = await localCertificate(path, [], now);
	const authority = new X509Certificate(await readFile(made.caFile));
	expect(new X509Certificate(made.cert).verify(authority.publicKey)).toBe(true);
});

test('several that start at once end with one certificate that fits together', async () => {
	const path = await folder();
	const all = await Promise.all(Array.from({ length: 8 }, () => localCertificate(path, [], now)));
	const made = await localCertificate(path, [], now);
	expect(new Set(all.map(({ cert }) => cert))).toEqual(new Set([made.cert]));
	expect(await readdir(path)).toEqual(['tls']);
	const authority = new X509Certificate(await readFile(made.caFile));
	expect(new X509Certificate(made.cert).verify(authority.publicKey)).toBe(true);
});

test('HT-02: TLS 1.2 and 1.3 with modern ciphers only', async () => {
	const { port } = await serve();
	const attempt = (options: object) =>
		new Promise<string>((resolve) => {
			const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false, ...options }, () => {
				resolve(`${socket.getProtocol()} ${socket.getCipher().name}`);
				socket.destroy();
			});
			socket.on('error', () => resolve('refused'));
		});
	expect(await attempt({})).toMatch(/^TLSv1\.3 TLS_/);
	expect(await attempt({ maxVersion: 'TLSv1.2' })).toMatch(/^TLSv1\.2 ECDHE-ECDSA-(AES\d+-GCM|CHACHA20)/);
	expect(await attempt({ minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: 'ALL:@SECLEVEL=0' })).toBe('refused');
	for (const ciphers of [
		'AES128-GCM-SHA256',
		'ECDHE-ECDSA-AES128-SHA256',
		'ECDHE-ECDSA-AES128-SHA',
		'NULL:@SECLEVEL=0'
	]) {
		expect(await attempt({ maxVersion: 'TLSv1.2', ciphers }), ciphers).toBe('refused');
	}
});

test('HT-02: another certificate is served without a restart', async () => {
	const server = await serve();
	const before = await openWire(server.port);
	const authority = await createAuthority(Date.now());
	const next = await createCertificate(authority, ['localhost'], Date.now());
	server.replaceCertificate(next);
	const served = await new Promise((resolve, reject) => {
		const socket = connect(
			{ port: server.port, host: '127.0.0.1', servername: 'localhost', ca: authority.cert },
			() => {
				resolve(socket.getPeerCertificate().fingerprint256);
				socket.destroy();
			}
		).on('error', reject);
	});
	expect(served).toBe(new X509Certificate(next.cert).fingerprint256);
	before.send(head('GET /ws/x', server.port));
	await before.until('"/ws/x"');
	before.close();
	expect((await testCertificate()).certificate.cert).not.toBe(next.cert);
});
