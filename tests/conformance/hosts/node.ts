import { fileURLToPath } from 'node:url';
import { loadPages } from '#hosts/node/kit-pages.server.ts';
import { type RunningServer, startServer } from '#hosts/node/server.server.ts';
import type { Limits } from '#hosts/node/connection-limits.ts';
import { createNodeService, setSharedService } from '#hosts/node-service.server.ts';
import type { Service } from '#service/service.ts';
import { testCertificate } from '../../hosts/certificate.ts';
import type { Transport } from '../transport.ts';
import { fastScrypt } from './fast-scrypt.ts';
import { socketTransport } from './sockets.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** The node host, over TLS sockets. Passwords have a fast hash: `node-service.test.ts` tests that of Node. */
export async function startNode(): Promise<Transport> {
	const { certificate } = await testCertificate();
	const report = (fault: unknown) => console.error(fault);
	const server = await startServer({
		certificate,
		report,
		service: (origin) => createNodeService({ report, origin, scrypt: fastScrypt })
	});
	return socketTransport(server.origin, () => server.close());
}

/**
 * The node host whole: the built pages behind the service. One a process, as SvelteKit's bundle has one service.
 * @param limits where they differ from the host's own
 * @param report called with every unexpected error
 */
export async function startWhole(limits: Partial<Limits>, report: (fault: unknown) => void): Promise<RunningServer> {
	const { certificate } = await testCertificate();
	const service = (origin: string): Service => {
		const made = createNodeService({ report, origin });
		setSharedService(made);
		return made;
	};
	const pages = (origin: string) => loadPages(`${root}build/kit`, origin);
	return startServer({ certificate, report, limits, service, pages });
}
