import { X509Certificate } from 'node:crypto';
import files, { chmod, readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createAuthority, createCertificate } from '#hosts/tls/create-certificate.server.ts';
import { localCertificate } from '#hosts/tls/local-certificate.server.ts';
import { testCertificate } from './certificate.ts';
import { head, openWire } from './raw-connection.ts';
import { temporaryFolder } from './temporary-folder.ts';
import { serve } from './node/serve.ts';

const now = Date.UTC(2026, 10, 21);
const day = 24 * 60 * 60 * 1000;

test('the leaf is for servers, signed by the authority, with SHA-256 and the three names of this machine', async () => {
	const made = await localCertificate(await temporaryFolder(), [], now);
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

test('it is made once, and only its owner may read its keys', async () => {
	const path = await temporaryFolder();
	const first = await localCertificate(join(path, 'data'), [], now);
	const modes = () =>
		Promise.all(['', 'tls', 'tls/ca-key.pem', 'tls/server-key.pem'].map((name) => modeOf(join(path, 'data', name))));
	expect(await modes()).toEqual([0o700, 0o700, 0o600, 0o600]);
	await chmod(join(path, 'data/tls'), 0o777);
	for (const name of ['ca-key.pem', 'server-key.pem']) await chmod(join(path, 'data/tls', name), 0o644);
	expect(await localCertificate(join(path, 'data'), [], now + 300 * day)).toEqual(first);
	expect(await modes()).toEqual([0o700, 0o700, 0o600, 0o600]);
});

async function modeOf(path: string): Promise<number> {
	return (await stat(path)).mode & 0o777;
}

test('the leaf is renewed before it expires; the authority stays', async () => {
	const path = await temporaryFolder();
	const first = await localCertificate(path, [], now);
	const authority = await readFile(first.caFile, 'utf8');
	expect((await localCertificate(path, [], now + 370 * day)).cert).not.toBe(first.cert);
	expect(await readFile(first.caFile, 'utf8')).toBe(authority);
});

test('both are replaced when a name is new, since the authority may not sign for it', async () => {
	const path = await temporaryFolder();
	await localCertificate(path, [], now);
	const named = await localCertificate(path, ['tollgate.example', '192.168.1.7'], now);
	const leaf = new X509Certificate(named.cert);
	expect([leaf.checkHost('tollgate.example'), leaf.checkIP('192.168.1.7')]).toEqual([
		'tollgate.example',
		'192.168.1.7'
	]);
	expect(await localCertificate(path, ['tollgate.example'], now)).toEqual(named);
});

test('clients reject a certificate of the authority for any other name', async () => {
	const { authority } = await testCertificate();
	const rows = [
		['localhost', 'connected'],
		['bank.example', 'permitted subtree violation'],
		['127.0.0.2', 'permitted subtree violation']
	];
	for (const [name = '', outcome] of rows) {
		const { port } = await serve({ certificate: await createCertificate(authority, [name], Date.now()) });
		const result = await new Promise((resolve) => {
			const options = { port, host: '127.0.0.1', ca: authority.cert, checkServerIdentity: () => undefined };
			const socket = connect(options, () => resolve('connected')).once('error', ({ message }) => resolve(message));
			onTestFinished(() => void socket.destroy());
		});
		expect(result, name).toBe(outcome);
	}
});

test('a full disk leaves nothing behind', async () => {
	const path = await temporaryFolder();
	vi.spyOn(files, 'writeFile').mockRejectedValueOnce(new Error('ENOSPC'));
	syncBuiltinESMExports();
	onTestFinished(() => {
		vi.restoreAllMocks();
		syncBuiltinESMExports();
	});
	await expect(localCertificate(path, [], now)).rejects.toThrow('ENOSPC');
	expect(await readdir(path)).toEqual([]);
	await localCertificate(path, [], now);
	expect(await readdir(path)).toEqual(['tls']);
});

test.each(['ca.pem', 'ca-key.pem', 'server.pem', 'server-key.pem'])('a broken %s is replaced', async (name) => {
	const path = await temporaryFolder();
	await localCertificate(path, [], now);
	await writeFile(join(path, 'tls', name), 'rubbish');
	const made = await localCertificate(path, [], now);
	const authority = new X509Certificate(await readFile(made.caFile));
	expect(new X509Certificate(made.cert).verify(authority.publicKey)).toBe(true);
});

test('several that start at once end with one certificate that fits together', async () => {
	const path = await temporaryFolder();
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
			socket.on('error', () => resolve('rejected'));
		});
	expect(await attempt({})).toMatch(/^TLSv1\.3 TLS_/);
	expect(await attempt({ maxVersion: 'TLSv1.2' })).toMatch(/^TLSv1\.2 ECDHE-ECDSA-(AES\d+-GCM|CHACHA20)/);
	expect(await attempt({ minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: 'ALL:@SECLEVEL=0' })).toBe('rejected');
	for (const ciphers of [
		'AES128-GCM-SHA256',
		'ECDHE-ECDSA-AES128-SHA256',
		'ECDHE-ECDSA-AES128-SHA',
		'NULL:@SECLEVEL=0'
	]) {
		expect(await attempt({ maxVersion: 'TLSv1.2', ciphers }), ciphers).toBe('rejected');
	}
});

test('HT-02: key exchange over elliptic curves only', async () => {
	const server = await serve();
	const accepted = async () => {
		const groups = ['X25519', 'P-256', 'P-384', 'ffdhe2048', 'ffdhe8192'];
		const results = groups.map(async (ecdhCurve) => ((await connects(server.port, ecdhCurve)) ? [ecdhCurve] : []));
		return (await Promise.all(results)).flat();
	};
	expect(await accepted()).toEqual(['X25519', 'P-256', 'P-384']);
	server.replaceCertificate((await testCertificate()).certificate);
	expect(await accepted()).toEqual(['X25519', 'P-256', 'P-384']);
});

function connects(port: number, ecdhCurve: string): Promise<boolean> {
	return new Promise((resolve) => {
		const socket = connect({ port, host: '127.0.0.1', rejectUnauthorized: false, ecdhCurve, minVersion: 'TLSv1.3' });
		socket.once('secureConnect', () => resolve(true)).once('error', () => resolve(false));
		socket.once('close', () => resolve(false));
		socket.once('secureConnect', () => socket.destroy());
	});
}

test('HT-02: another certificate is served without a restart', async () => {
	const server = await serve();
	const before = await openWire(server.port);
	const authority = await createAuthority(['localhost'], Date.now());
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
