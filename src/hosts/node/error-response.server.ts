import { randomBytes } from 'node:crypto';
import { STATUS_CODES, type IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { HttpError } from './validate-request.ts';
import type { Connections } from './connections.server.ts';
import type { GuardedResponse } from './guarded-response.server.ts';
import type { Limits } from './limits.ts';
import type { UnlessSilent } from './blacklist-guard.server.ts';

/** How much of a refused body is read and thrown away, so that the refusal is seen. */
const lingerBytes = 1024 * 1024;

/** What was wrong with a request that could not be read. */
const reasons = {
	400: 'This is no HTTP request that can be read. Bytes above 127 in its target must be percent-encoded.',
	408: 'The rest of this request did not come in time.',
	413: 'The chunks of this body carry more extensions than any client needs.',
	431: 'The first line and the headers of this request are too long.'
} as const;

/** Answers a request in the host's own name, in plain text. */
export function sendError(
	request: IncomingMessage,
	response: GuardedResponse,
	refusal: HttpError,
	limits: Limits
): void {
	if (response.headersSent || response.destroyed) {
		response.destroy();
		return;
	}
	const head = ['content-type', 'text/plain; charset=utf-8', 'cache-control', 'no-store'];
	head.push('content-length', String(Buffer.byteLength(refusal.text)));
	if (refusal.allow !== undefined) head.push('allow', refusal.allow);
	if (refusal.location !== undefined) head.push('location', refusal.location);
	if (!request.complete) response.shouldKeepAlive = false;
	response.writeHead(refusal.status, head);
	endAfterDrain(request, response, request.method === 'HEAD' ? '' : refusal.text, limits);
}

/**
 * Ends a response whose request has not been read to its end. The connection closes; before that the rest of the body is
 * thrown away for a moment, since closing upon unread bytes may take the answer away from the client (HT-05, HT-06).
 */
export function endAfterDrain(request: IncomingMessage, response: GuardedResponse, body: string, limits: Limits): void {
	if (request.complete) {
		response.end(body);
		return;
	}
	let left = lingerBytes;
	const finish = () => {
		clearTimeout(timer);
		response.end();
	};
	const timer = setTimeout(finish, limits.linger);
	request.on('data', (chunk: Buffer) => {
		left -= chunk.length;
		if (left < 0) finish();
	});
	request.once('end', finish).once('close', finish);
	if (body === '') response.flushHeaders();
	else response.write(body);
}

/**
 * Makes the handler of `clientError`: what could not be parsed gets 400, 408 or 431 and is ended and destroyed (HT-04); a
 * failed handshake is destroyed without a byte (HT-01).
 * @param own says it, unless the service leaves the client without a response
 */
export function clientErrorHandler(
	connections: Connections,
	limits: Limits,
	security: readonly (readonly [name: string, value: string])[],
	own: UnlessSilent
) {
	const lines = security.map(([name, value]) => `${name}: ${value}\r\n`).join('');
	return (error: NodeJS.ErrnoException, duplex: Duplex): void => {
		const status = statusOf(error.code ?? '');
		if (status === undefined || !(duplex instanceof Socket) || !duplex.writable) {
			duplex.destroy();
			return;
		}
		const connection = connections.of(duplex);
		if (connection.refused) return;
		connection.refused = true;
		const send = () => {
			const text = JSON.stringify({ error: 'invalid_request', error_description: reasons[status] });
			duplex.end(
				`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nconnection: close\r\ncontent-type: application/json; charset=utf-8\r\n` +
					`cache-control: no-store\r\nx-request-id: ${randomBytes(12).toString('base64url')}\r\n` +
					`content-length: ${text.length}\r\n${lines}\r\n${text}`
			);
			setTimeout(() => duplex.destroy(), limits.linger).unref();
		};
		const { response } = connection;
		if (!response || response.writableFinished) send();
		// A whole request before the unreadable one still gets its answer, and in its turn.
		else if (response.req.complete && status !== 408) response.once('finish', send);
		else if (response.headersSent) duplex.destroy();
		else own(response.req, response, connection, send);
	};
}

function statusOf(code: string): keyof typeof reasons | undefined {
	if (code === 'HPE_HEADER_OVERFLOW') return 431;
	if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return 408;
	if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') return 413;
	return code.startsWith('HPE_') ? 400 : undefined;
}
