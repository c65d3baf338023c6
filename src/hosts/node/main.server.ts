import { join } from 'node:path';
import { defaultSandboxes } from '#service/sandbox/record-limits.ts';
import { createNodeService, setSharedService } from '../node-service.server.ts';
import { readConfig, type ServerConfig } from '../config.server.ts';
import { loadCertificate, watchCertificate, type ServedCertificate } from '../tls/load-certificate.server.ts';
import { limitGarbage } from './collect-garbage.server.ts';
import { loadPages } from './kit-pages.server.ts';
import { startManagement } from './management.server.ts';
import type { Metrics } from './metrics.server.ts';
import { openStore, type OpenedStore } from './open-store.server.ts';
import { createServerOutput, type ServerOutput } from './server-output.server.ts';
import { type RunningServer, startServer } from './server.server.ts';
import { limitsFor } from './connection-limits.ts';
import { sentenceFor, startupMessage } from './startup-message.ts';

export { settingsHelp } from '../settings.ts';
export { checkWorld } from './check-world.server.ts';

/** What a server has besides its listener, depending on its settings. */
type Parts = {
	readonly store: OpenedStore;
	readonly metrics: Metrics | undefined;
	readonly output: ServerOutput;
};

/**
 * Runs the server until SIGINT or SIGTERM. `npm start` calls it after the build.
 * @param root the folder with `build/`: the project's, or the package's
 * @param folder the folder that relative paths in settings start at
 * @returns false where it could not start, after printing why
 */
export async function main(root: string, folder = root): Promise<boolean> {
	/** In the order in which they are called. */
	const closers: (() => Promise<void>)[] = [];
	const close = async () => {
		for (const closer of closers) await closer();
	};
	try {
		const settings = readConfig(process.env, folder);
		const { management } = settings;
		const output = outputTo(settings.log);
		const { report } = output;
		const certificate = settings.isPlainHttp ? undefined : await loadCertificate(settings);
		const store = await openStore(settings, report);
		closers.unshift(() => store.close());
		let server: RunningServer | undefined = undefined;
		let isEnding = false;
		const notReady = (excluded?: 'store') => {
			if (isEnding) return 'The server is stopping.';
			return excluded === 'store' ? undefined : store.problem();
		};
		const metrics =
			management === undefined
				? undefined
				: (await import('./metrics.server.ts')).createMetrics({
						load: () => server?.load() ?? { connections: 0, streams: 0 },
						sandboxes: async () => (await store.options.store.sandboxes()).length,
						maxSandboxes: (settings.world?.sandboxes.most ?? defaultSandboxes) + settings.classSeats,
						isReady: async () => (await notReady()) === undefined
					});
		const started = await start(root, settings, certificate, { store, metrics, output });
		server = started;
		closers.unshift(() => started.close());
		if (management !== undefined && metrics !== undefined) await startManagement({ ...management, metrics, notReady });
		const unwatch = settings.isPlainHttp
			? () => undefined
			: watchCertificate(settings, started.replaceCertificate, report);
		limitGarbage();
		// An error outside any request must not end all of them.
		process.on('unhandledRejection', report);
		onSignal(output, async () => {
			isEnding = true;
			unwatch();
			await close();
		});
		if (settings.log === 'json') output.note('Tollgate is listening.', { origin: started.origin });
		else {
			const { adminKey, world } = settings;
			output.note(startupMessage(started.origin, certificate?.caFile, adminKey !== undefined, world));
		}
		if (store.warning !== undefined) output.note(`  ${store.warning}\n`);
		return true;
	} catch (error) {
		// The settings may be what is wrong.
		outputTo(process.env.LOG === 'json' ? 'json' : 'text').fail(sentenceFor(error));
		await close().catch(() => undefined); // The first error is the one to explain.
		return false;
	}
}

function start(
	root: string,
	settings: ServerConfig,
	certificate: ServedCertificate | undefined,
	{ store, metrics, output }: Parts
): Promise<RunningServer> {
	const { port, host, trustedProxies, adminKey, sandboxPerVisitor, classSeats, world, lessons, fetchesDocuments } =
		settings;
	const { report, note, onExchange } = output;
	return startServer({
		port,
		host,
		// Behind a proxy all connections have its address, and the proxy limits those of each client.
		limits: {
			...limitsFor(classSeats),
			...(trustedProxies > 0 && { maxConnectionsPerAddress: Infinity, maxBodyBytesPerAddress: Infinity })
		},
		// The port is not known yet where the system chooses it.
		origin: port === 0 && !process.env.ORIGIN ? undefined : settings.origin,
		certificate,
		report,
		note,
		service: (origin) => {
			const service = createNodeService({
				origin,
				trustedProxies,
				sandboxPerVisitor,
				classSeats,
				fetchesDocuments,
				report,
				adminKey,
				world,
				lessons,
				caFile: certificate?.caFile,
				ca: certificate?.ca,
				...store.options,
				onLogged: onExchange,
				observe: metrics && ((exchange) => metrics.observe(exchange))
			});
			setSharedService(service);
			return service;
		},
		pages: (origin) => loadPages(join(root, 'build/kit'), origin)
	});
}

/** Ends the process at a signal, at once at the second one. */
function onSignal({ note, report, flush }: ServerOutput, close: () => Promise<void>): void {
	const exit = (code: number) => {
		flush();
		process.exit(code);
	};
	let isEnding = false;
	const end = () => {
		if (isEnding) exit(1);
		isEnding = true;
		note('Stopping. Requests in progress can finish.');
		close().then(
			() => exit(0),
			(fault: unknown) => {
				report(fault);
				exit(1);
			}
		);
	};
	process.on('SIGINT', end).on('SIGTERM', end);
}

function outputTo(format: ServerConfig['log']): ServerOutput {
	const { stdout, stderr } = process;
	// A reader that is gone must not end the server.
	for (const stream of [stdout, stderr]) stream.on('error', () => undefined);
	const write = (text: string) => void stdout.write(text);
	return createServerOutput(format, write, (text) => void stderr.write(text), Date.now);
}
