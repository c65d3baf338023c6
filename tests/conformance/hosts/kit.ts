import { serveBuiltKit } from '../../hosts/kit/serve-built.ts';
import type { Transport } from '../transport.ts';
import { socketTransport } from './sockets.ts';

/** The built kit host, without our node host in front, over TLS sockets. */
export async function startKit(): Promise<Transport> {
	const { origin, close } = await serveBuiltKit();
	return socketTransport(origin, close);
}
