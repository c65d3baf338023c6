import type { AddressInfo, Server } from 'node:net';

/**
 * Makes servers listen on an address.
 * @param host `localhost` is 127.0.0.1 and, where the machine has it, ::1: a server for each
 * @param port 0 takes a free one, the same for both
 * @param make creates a server that does not listen yet
 * @throws NodeJS.ErrnoException where the address cannot be listened on (`EADDRINUSE`, `EACCES`, `EADDRNOTAVAIL`)
 */
export async function bind<S extends Server>(host: string, port: number, make: () => S): Promise<S[]> {
	if (host !== 'localhost') return [await listenOn(make(), host, port)];
	for (let attempt = 1; ; attempt += 1) {
		const first = await listenOn(make(), '127.0.0.1', port);
		try {
			return [first, await listenOn(make(), '::1', portOf(first))];
		} catch (error) {
			const code = error instanceof Error && 'code' in error ? error.code : undefined;
			if (code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT') return [first];
			first.close();
			// A free port of one address need not be free on the other.
			if (port !== 0 || attempt === 5) throw error;
		}
	}
}

function listenOn<S extends Server>(server: S, host: string, port: number): Promise<S> {
	return new Promise((resolve, reject) => {
		server.once('error', reject);
		server.listen(port, host, 4096, () => {
			server.off('error', reject);
			resolve(server);
		});
	});
}

/** The port that a server listens on; 0 where it does not. */
export function portOf(server: Server | undefined): number {
	const address: AddressInfo | string | null | undefined = server?.address();
	return typeof address === 'object' && address !== null ? address.port : 0;
}
