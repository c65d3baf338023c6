import { join } from 'node:path';
import { createNodeService, setSharedService } from '../node-service.server.ts';
import { ConfigError, readConfig, type ServerConfig } from '../config.server.ts';
import { recordLimits } from '#service/record-limits.ts';
import type { Records } from '#service/records.ts';
import { DiskError } from './disk/disk-error.ts';
import { openDiskStore, type DiskStore } from './disk/disk-store.server.ts';
import { loadCertificate, watchCertificate } from '../tls/load-certificate.server.ts';
import { loadKitHandler } from './kit-handler.server.ts';
import { startServer, type RunningServer } from './server.server.ts';
import { startupMessage } from './startup-message.ts';

/**
 * Runs the server until SIGINT or SIGTERM. `npm start` calls it after the build.
 * @param root the project's folder
 * @returns false where it could not start, after printing why
 */
export async function main(root: string): Promise<boolean> {
	try {
		const settings = readConfig(process.env, root);
		const certificate = await loadCertificate(settings);
		const disk =
			settings.store === 'disk' ? await openDiskStore<Records>(settings.dataFolder, recordLimits, report) : undefined;
		const server = await start(root, settings, certificate, disk);
		const unwatch = watchCertificate(settings, server.replaceCertificate, report);
		// An error outside any request must not end all of them.
		process.on('unhandledRejection', report);
		endOnSignal(server, unwatch, disk);
		console.log(startupMessage(server.origin, certificate.caFile, settings.adminKey !== undefined));
		return true;
	} catch (error) {
		console.error(sentenceFor(error));
		return false;
	}
}

function start(
	root: string,
	settings: ServerConfig,
	certificate: { readonly key: string; readonly cert: string },
	store: DiskStore<Records> | undefined
): Promise<RunningServer> {
	const { port, host, trustedProxies, adminKey, sandboxPerVisitor } = settings;
	return startServer({
		port,
		host,
		// Behind a proxy all connections have its address, and the proxy limits those of each client.
		limits: trustedProxies > 0 ? { maxConnectionsPerAddress: Infinity, maxBodyBytesPerAddress: Infinity } : {},
		// The port is not known yet where the system chooses it.
		...(port === 0 && !process.env.ORIGIN ? {} : { origin: settings.origin }),
		certificate,
		report,
		service: (origin) => {
			const service = createNodeService({
				origin,
				trustedProxies,
				sandboxPerVisitor,
				report,
				...(adminKey === undefined ? {} : { adminKey }),
				...(store === undefined ? {} : { store })
			});
			setSharedService(service);
			return service;
		},
		pages: (origin) => loadKitHandler(join(root, 'build/kit/handler.js'), origin)
	});
}

function endOnSignal(server: RunningServer, unwatch: () => void, disk: DiskStore<Records> | undefined): void {
	let isEnding = false;
	const end = () => {
		if (isEnding) process.exit(1); // the second signal stops at once
		isEnding = true;
		unwatch();
		console.log('Stopping. Requests in progress can finish.');
		void server
			.close()
			.then(() => disk?.close())
			.then(
				() => process.exit(0),
				(fault: unknown) => {
					report(fault);
					process.exit(1);
				}
			);
	};
	process.on('SIGINT', end).on('SIGTERM', end);
}

function report(fault: unknown): void {
	console.error(fault instanceof Error ? (fault.stack ?? fault.message) : 'An unknown error.');
}

function sentenceFor(error: unknown): string {
	if (error instanceof ConfigError || error instanceof DiskError) return error.message;
	if (!(error instanceof Error)) return 'Tollgate could not start.';
	const code = 'code' in error ? error.code : undefined;
	const at = 'port' in error ? `port ${String(error.port)}` : 'the port';
	const host = 'address' in error ? String(error.address) : 'HOST';
	if (code === 'EADDRINUSE')
		return `Tollgate could not start: ${at} is already in use. Stop the other program or choose another port: PORT=8444 npm start`;
	if ('path' in error)
		return `Tollgate could not start: it cannot write ${String(error.path)} (${String(code)}). Free some space, change the permissions or choose another folder: DATA_DIR=/path npm start`;
	if (code === 'EACCES' && 'port' in error)
		return `Tollgate could not start: this user may not open ${at}. Choose one above 1023: PORT=8443 npm start`;
	if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
		return `Tollgate could not start: this machine has no address ${host} (HOST).`;
	return `Tollgate could not start: ${error.stack ?? error.message}`;
}
