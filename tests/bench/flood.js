// Connections that send bytes and do not read the responses.
import { connect as connectTcp } from 'node:net';
import { connect as connectTls } from 'node:tls';

/**
 * @typedef {object} Flood
 * @property {number} port
 * @property {string} localAddress the client address
 * @property {number} connections
 * @property {string} bytes what each connection sends, in base64
 * @property {boolean} isTls
 * @property {number} [lifetime] after how many milliseconds the client closes a connection. Default: never
 */

/**
 * Keeps so many connections open until this process ends.
 * @param {Flood} job
 */
export function flood({ port, localAddress, connections, bytes, isTls, lifetime }) {
	const payload = Buffer.from(bytes, 'base64');
	const address = { host: '127.0.0.1', port, localAddress };
	const open = () => {
		const socket = isTls
			? connectTls({ ...address, servername: 'localhost', rejectUnauthorized: false })
			: connectTcp(address);
		socket.pause().on('error', () => undefined);
		socket.once('close', () => setTimeout(open, 20));
		socket.write(payload);
		if (lifetime !== undefined) setTimeout(() => socket.destroy(), lifetime);
	};
	for (let count = 0; count < connections; count += 1) open();
}
