import { X509Certificate, createPrivateKey } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { dirname, join } from 'node:path';
import { makeFolder } from '../make-folder.server.ts';
import type { Certificate } from './create-certificate.server.ts';

/** A certificate, and the authority that signed it: the path of its file, and its certificate in PEM. */
export type LocalCertificate = Certificate & { readonly caFile: string; readonly ca: string };

const renewBefore = 30 * 24 * 60 * 60 * 1000;

/**
 * The certificate of this machine: created once and stored in a folder, and replaced a month before it expires or when it lacks a
 * name. The authority stays while it is valid and may sign for all names, so that users trust it only once.
 * @param dataFolder created where missing; the files are in its `tls/`, the keys readable by their owner only
 * @param names host names and addresses, beside localhost, 127.0.0.1 and ::1
 * @param now milliseconds since 1970
 * @throws Error where the folder cannot be written
 */
export async function localCertificate(
	dataFolder: string,
	names: readonly string[],
	now: number
): Promise<LocalCertificate> {
	const folder = join(dataFolder, 'tls');
	const wanted = [...new Set(['localhost', '127.0.0.1', '::1', ...names])];
	for (let attempt = 0; attempt < 5; attempt += 1) {
		const kept = await keptCertificate(folder, wanted, now);
		if (kept) return kept;
		await make(folder, wanted, now);
	}
	throw new Error(`The certificate in ${folder} is being changed by another process.`);
}

async function keptCertificate(
	folder: string,
	names: readonly string[],
	now: number
): Promise<LocalCertificate | undefined> {
	const authority = await readPair(folder, 'ca', now);
	const leaf = await readPair(folder, 'server', now);
	if (!authority || !leaf) return undefined;
	const certificate = new X509Certificate(leaf.cert);
	const good =
		certificate.verify(new X509Certificate(authority.cert).publicKey) &&
		names.every((name) => covers(certificate, name));
	if (!good) return undefined;
	await restrict(folder, 0o700);
	for (const name of ['ca-key.pem', 'server-key.pem']) await restrict(join(folder, name), 0o600);
	return { ...leaf, caFile: join(folder, 'ca.pem'), ca: authority.cert };
}

/** Takes all rights to a file from other users. Warns where it cannot. */
async function restrict(path: string, mode: number): Promise<void> {
	if (((await stat(path)).mode & 0o077) === 0) return;
	await chmod(path, mode).catch(() =>
		process.emitWarning(`Other users of this machine have rights to ${path}. Run: chmod ${mode.toString(8)} ${path}`)
	);
}

function covers(certificate: X509Certificate, name: string): boolean {
	return (isIP(name) === 0 ? certificate.checkHost(name) : certificate.checkIP(name)) !== undefined;
}

/** Writes all files to another folder and renames it, so that processes that start together end with matching files. */
async function make(folder: string, names: readonly string[], now: number): Promise<void> {
	// Loaded only here: a start that finds its certificate does without the library.
	const { createAuthority, createCertificate, permits } = await import('./create-certificate.server.ts');
	const kept = await readPair(folder, 'ca', now);
	const authority = kept && permits(kept, names) ? kept : await createAuthority(names, now);
	const certificate = await createCertificate(authority, names, now);
	const hadFiles = existsSync(folder);
	await makeFolder(dirname(folder));
	const aside = await mkdtemp(`${folder}-`);
	try {
		await writePair(aside, 'ca', authority);
		await writePair(aside, 'server', certificate);
		if (hadFiles) await rename(folder, join(aside, 'old')).catch(() => undefined);
		await rename(aside, folder).catch((error: unknown) => {
			if (!existsSync(folder)) throw error; // otherwise another process was first
		});
		await rm(join(folder, 'old'), { recursive: true, force: true });
	} finally {
		await rm(aside, { recursive: true, force: true });
	}
}

async function readPair(folder: string, name: string, now: number): Promise<Certificate | undefined> {
	try {
		const cert = await readFile(join(folder, `${name}.pem`), 'utf8');
		const key = await readFile(join(folder, `${name}-key.pem`), 'utf8');
		const parsed = new X509Certificate(cert);
		if (Date.parse(parsed.validTo) - now < renewBefore) return undefined;
		return parsed.checkPrivateKey(createPrivateKey(key)) ? { cert, key } : undefined;
	} catch {
		return undefined; // missing or unreadable: replaced
	}
}

async function writePair(folder: string, name: string, pair: Certificate): Promise<void> {
	await writeFile(join(folder, `${name}-key.pem`), pair.key, { mode: 0o600 });
	await writeFile(join(folder, `${name}.pem`), pair.cert, { mode: 0o644 });
}
