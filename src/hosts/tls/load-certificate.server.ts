import { X509Certificate, createPrivateKey } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { unwatchFile, watchFile } from 'node:fs';
import type { Certificate } from './create-certificate.server.ts';
import { localCertificate } from './local-certificate.server.ts';
import type { ServerConfig } from '../config.server.ts';
import { ConfigError } from '../read-setting.server.ts';

const hour = 60 * 60 * 1000;

export type ServedCertificate = Certificate & {
	/** The file of the certificate authority created on this machine. Undefined if TLS_CERT is set. */
	readonly caFile?: string;
	/** Its certificate in PEM. */
	readonly ca?: string;
};

/**
 * Loads the files in `TLS_CERT` and `TLS_KEY`, or the certificate created on this machine.
 * @throws ConfigError where the files cannot be read or do not match
 */
export async function loadCertificate(settings: ServerConfig): Promise<ServedCertificate> {
	const { tls } = settings;
	if (!tls) {
		const names = [settings.host, new URL(settings.origin).hostname].map((name) => name.replace(/^\[|\]$/g, ''));
		return localCertificate(
			settings.dataFolder,
			names.filter((name) => name !== '0.0.0.0' && name !== '::'),
			Date.now()
		);
	}
	const cert = await readText('TLS_CERT', tls.cert);
	const key = await readText('TLS_KEY', tls.key);
	try {
		if (new X509Certificate(cert).checkPrivateKey(createPrivateKey(key))) return { cert, key };
	} catch (error) {
		throw new ConfigError(`TLS_CERT or TLS_KEY is not a PEM file: ${error instanceof Error ? error.message : ''}`);
	}
	throw new ConfigError(`The key in ${tls.key} (TLS_KEY) is not the key of the certificate in ${tls.cert} (TLS_CERT).`);
}

/**
 * Reloads the certificate when its files change, on SIGHUP, and once an hour, which renews the one created on this machine.
 * @param replace gets each new certificate
 * @param report gets the error where a new one cannot be loaded; the old one stays
 * @returns stops watching
 */
export function watchCertificate(
	settings: ServerConfig,
	replace: (certificate: Certificate) => void,
	report: (fault: unknown) => void
): () => void {
	const reload = () => void loadCertificate(settings).then(replace).catch(report);
	const files = settings.tls ? [settings.tls.cert, settings.tls.key] : [];
	for (const file of files) watchFile(file, { interval: 2000, persistent: false }, reload);
	process.on('SIGHUP', reload);
	const timer = setInterval(reload, hour).unref();
	return () => {
		for (const file of files) unwatchFile(file, reload);
		process.off('SIGHUP', reload);
		clearInterval(timer);
	};
}

async function readText(name: string, path: string): Promise<string> {
	try {
		return await readFile(path, 'utf8');
	} catch (error) {
		const reason = error instanceof Error && 'code' in error ? String(error.code) : String(error);
		throw new ConfigError(`Cannot read ${path}, the file in ${name} (${reason}).`);
	}
}
