import { TLSSocket } from 'node:tls';
import { Agent, buildConnector } from 'undici';
import { UntrustedCertificate } from '#exam/browser.ts';
import { isLoopbackAddress } from '#hosts/node/special-addresses.ts';

const connect = buildConnector({ rejectUnauthorized: false, maxCachedSessions: 0 });

/** Connects to clients. Developers have no trusted certificate for their own machine, so it needs none at a loopback address. */
export const clientAgent = new Agent({
	connect: (options, callback) =>
		connect(options, (...result) => {
			const [, socket] = result;
			if (!(socket instanceof TLSSocket) || socket.authorized || isLoopbackAddress(socket.remoteAddress ?? ''))
				return callback(...result);
			socket.destroy();
			callback(new UntrustedCertificate(`${options.protocol}//${options.host}`), null);
		})
});
