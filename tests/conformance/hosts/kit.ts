import { createNodeService } from '#hosts/node-service.server.ts';
import type { Service } from '#service/service.ts';
import { serveBuiltKit } from '../../hosts/kit/serve-built.ts';
import type { Transport } from '../transport.ts';
import { fastScrypt } from './fast-scrypt.ts';
import { socketTransport } from './sockets.ts';

/** The built kit host, without our node host in front, over TLS sockets, with a service whose passwords have a fast hash. */
export function startKit(): Promise<Transport> {
	const report = (fault: unknown) => console.error(fault);
	return start((origin) => createNodeService({ report, origin, scrypt: fastScrypt }));
}

/** The same with the service of the build, and scrypt. */
export function startWholeKit(): Promise<Transport> {
	return start();
}

async function start(service?: (origin: string) => Service): Promise<Transport> {
	const { origin, close } = await serveBuiltKit(service);
	return socketTransport(origin, close);
}
