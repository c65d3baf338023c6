// One keep-alive TLS connection of the load generator: as little work per request as Node allows.
import { connect } from 'node:tls';

/** @typedef {{ status: number, head: string, body: string }} Response */

/**
 * Opens a connection that calls `onResponse` for each response in turn.
 * @param {{ host: string, port: number, localAddress?: string }} server
 * @param {(response: Response) => void} onResponse
 * @param {(fault: Error) => void} failed
 */
export function openConnection(server, onResponse, failed) {
	/** @type {Buffer} */
	let pending = Buffer.alloc(0);
	const socket = connect({
		...server,
		servername: 'localhost',
		rejectUnauthorized: false,
		ALPNProtocols: ['http/1.1']
	});
	socket.setNoDelay(true);
	socket.on('error', failed);
	socket.on('end', () => failed(new Error('the server closed the connection')));
	socket.on('data', (chunk) => {
		pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
		for (let next = readResponse(pending); next !== undefined; next = readResponse(pending)) {
			pending = pending.subarray(next.length);
			onResponse(next.response);
		}
	});
	return {
		/** @param {string | Buffer} bytes */
		send: (bytes) => socket.write(bytes),
		close: () => {
			socket.removeAllListeners('end');
			socket.destroy();
		}
	};
}

/**
 * The first whole response in a buffer.
 * @param {Buffer} bytes
 * @returns {{ response: Response, length: number } | undefined} undefined while it is incomplete
 */
function readResponse(bytes) {
	const headEnd = bytes.indexOf('\r\n\r\n');
	if (headEnd < 0) return undefined;
	const head = bytes.toString('latin1', 0, headEnd);
	const status = Number(head.slice(9, 12));
	const start = headEnd + 4;
	const stated = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
	if (stated === undefined && /\r\ntransfer-encoding: *chunked/i.test(head))
		return readChunks(bytes, status, head, start);
	const end = start + Number(stated ?? 0);
	if (bytes.length < end) return undefined;
	return { response: { status, head, body: bytes.toString('utf8', start, end) }, length: end };
}

/**
 * @param {Buffer} bytes
 * @param {number} status
 * @param {string} head
 * @param {number} start where the first chunk begins
 */
function readChunks(bytes, status, head, start) {
	let body = '';
	for (let at = start; ;) {
		const lineEnd = bytes.indexOf('\r\n', at);
		if (lineEnd < 0) return undefined;
		const size = parseInt(bytes.toString('latin1', at, lineEnd), 16);
		const end = lineEnd + 2 + size + 2;
		if (bytes.length < end) return undefined;
		if (size === 0) return { response: { status, head, body }, length: end };
		body += bytes.toString('utf8', lineEnd + 2, end - 2);
		at = end;
	}
}
