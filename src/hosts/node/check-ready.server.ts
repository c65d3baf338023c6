import { isIP } from 'node:net';
import type { ServerConfig } from '../config.server.ts';

/** How long the server may take to respond, in milliseconds. */
const timeout = 2_000;

/**
 * Asks the management port of a server on this machine whether the server accepts requests.
 * @param settings those of the server
 * @returns why not; undefined where it does
 */
export async function checkReady({ management }: ServerConfig): Promise<string | undefined> {
	if (management === undefined) return 'Set MANAGEMENT_PORT to the management port of the server.';
	const url = `http://${loopbackName(management.host)}:${management.port}/readyz`;
	try {
		const response = await fetch(url, { signal: AbortSignal.timeout(timeout) });
		return response.ok ? undefined : `The server is not ready: ${await response.text()}`;
	} catch {
		return `No server responds at ${url}.`;
	}
}

/** A name of this machine for an address to listen on. */
function loopbackName(host: string): string {
	if (host === '0.0.0.0') return '127.0.0.1';
	if (host === '::') return '[::1]';
	return isIP(host) === 6 ? `[${host}]` : host;
}
