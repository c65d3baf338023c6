import { randomBytes } from 'node:crypto';
import { STATUS_CODES, type IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Connections, UnlessBlacklisted } from './connections.server.ts';
import type { Limits } from './connection-limits.ts';
import type { SecureResponse } from './response-headers.server.ts';
import type { HttpError } from './validate-request.ts';

/** How much of a rejected body is read and discarded, so that the client sees the response. */
const lingerBytes = 1024 * 1024;

/** Why a request could not be parsed. */
const parseErrors = {
	400: 'This is not a valid HTTP request. Percent-encode bytes above 127 in the request target.',
	408: 'The rest of this request did not arrive in time.',
	413: 'The chunks of this body have too many extensions.',
	431: 'The first line and the headers of this request are too long.'
} as const;

/** Sends an error of the host itself, in plain text. */
export function sendError(request: IncomingMessage, response: SecureResponse, error: HttpError, limits: Limits): void {
	if (response.headersSent || response.destroyed) {
		response.destroy();
		return;
	}
	const headers = ['content-type', 'text/plain; charset=utf-8', 'cache-control', 'no-store'];
	headers.push('content-length', String(Buffer.byteLength(error.text)));
	if (error.allow !== undefined) headers.push('allow', error.allow);
	if (error.location !== undefined) headers.push('location', error.location);
	if (!request.complete) response.shouldKeepAlive = false;
	response.sendHead(error.status, headers);
	endAfterDrain(request, response, request.method === 'HEAD' ? '' : error.text, limits);
}

/**
 * Ends a response whose request may not have been read to its end. Discards the rest of the body for a moment before the
 * connection closes, because closing with unread bytes may discard the response (HT-05, HT-06).
 */
export function endAfterDrain(request: IncomingMessage, response: SecureResponse, body: string, limits: Limits): void {
	if (request.complete) {
		response.end(body);
		return;
	}
	let left = lingerBytes;
	const finish = () => {
		clearTimeout(timer);
		response.end();
	};
	const timer = setTimeout(finish, limits.lingerTimeout);
	request.on('data', (chunk: Buffer) => {
		left -= chunk.length;
		if (left < 0) finish();
	});
	request.once('end', finish).once('close', finish);
	if (body === '') response.flushHeaders();
	else response.write(body);
}

/**
 * Makes the handler of `clientError`. Input that cannot be parsed gets 400, 408, 413 or 431, and its connection is ended and
 * destroyed (HT-04). A failed TLS handshake is destroyed without a byte (HT-01).
 * @param security `[name, value]` of the security headers
 * @param unlessBlacklisted calls `send` unless the client is blacklisted
 */
export function clientErrorHandler(
	connections: Connections,
	limits: Limits,
	security: readonly (readonly [name: string, value: string])[],
	unlessBlacklisted: UnlessBlacklisted
) {
	return (error: NodeJS.ErrnoException & { rawPacket?: Buffer }, socket: Duplex): void => {
		const status = statusOf(error.code ?? '');
		if (status === undefined || !(socket instanceof Socket) || !socket.writable) {
			socket.destroy();
			return;
		}
		const connection = connections.track(socket);
		if (connection.rejected) return;
		connection.rejected = true;
		const send = () => {
			const text = JSON.stringify({ error: 'invalid_request', error_description: parseErrors[status] });
			const headers = [
				['content-type', 'application/json; charset=utf-8'],
				['cache-control', 'no-store'],
				['x-request-id', randomBytes(12).toString('base64url')],
				...security
			] as const;
			endRaw(socket, status, headers, text, limits);
		};
		const { response } = connection;
		const unreadable = { url: targetIn(error.rawPacket), rawHeaders: [], socket };
		const respond = () => unlessBlacklisted(unreadable, connection, send);
		if (!response || response.writableFinished) respond();
		// A complete request before the unreadable one still gets its response first.
		else if (response.req.complete && status !== 408) response.once('finish', respond);
		else if (response.headersSent || response.socket === null) socket.destroy();
		else unlessBlacklisted(response.req, connection, send);
	};
}

/** Makes the handler of `connect`: CONNECT gets 405 (HT-10). */
export function connectHandler(limits: Limits, security: readonly (readonly [name: string, value: string])[]) {
	return (_request: IncomingMessage, socket: Duplex): void =>
		endRaw(socket, 405, [['allow', 'GET, POST'], ...security], '', limits);
}

/** Writes a response where Node has no response object, then ends and destroys the connection. */
function endRaw(
	socket: Duplex,
	status: number,
	headers: readonly (readonly [name: string, value: string])[],
	text: string,
	limits: Limits
): void {
	const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
	socket.end(
		`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nconnection: close\r\n${lines}content-length: ${text.length}\r\n\r\n${text}`
	);
	setTimeout(() => socket.destroy(), limits.lingerTimeout).unref();
}

/** The target of an unreadable request; one of the root sandbox where the packet does not begin with it. */
function targetIn(packet: Buffer | undefined): string {
	return /^[A-Z]+ (\S+)/.exec(packet?.toString('latin1', 0, 2048) ?? '')?.[1] ?? '/ws/';
}

function statusOf(code: string): keyof typeof parseErrors | undefined {
	if (code === 'HPE_HEADER_OVERFLOW') return 431;
	if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 408;
	if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') return 413;
	return code.startsWith('HPE_') ? 400 : undefined;
}
