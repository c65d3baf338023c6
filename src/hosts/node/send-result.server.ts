import type { IncomingMessage } from 'node:http';
import { headerValue } from '#api/headers.ts';
import type { WireResponse, WireResult } from '#api/message.ts';
import { encodeHeaderValue } from '../web-response.ts';
import { endAfterDrain, sendError } from './error-response.server.ts';
import type { Limits } from './connection-limits.ts';
import type { SecureResponse } from './response-headers.server.ts';
import { cancel, type Streams } from './streams.server.ts';
import type { HttpError } from './validate-request.ts';

/** Longer bodies are written in pieces at the client's pace, so that stalled clients are noticed. */
const pieceLength = 64 * 1024;

const tooManyStreams: HttpError = { status: 503, text: 'Too many event streams are open.' };

/**
 * Sends what the service returned.
 * @returns resolves when an event stream has ended and rejects where it fails; undefined for everything else
 */
export function sendResult(
	request: IncomingMessage,
	response: SecureResponse,
	result: WireResult,
	streams: Streams,
	limits: Limits
): Promise<void> | undefined {
	const { socket } = request;
	if (result.kind === 'no_response') {
		socket.destroy();
		return undefined;
	}
	if (result.kind === 'response') {
		if (!socket.destroyed) sendResponse(request, response, result, limits);
		return undefined;
	}
	if (socket.destroyed || !streams.hasCapacity) {
		cancel(result.body);
		if (!socket.destroyed) sendError(request, response, tooManyStreams, limits);
		return undefined;
	}
	response.sendHead(result.status, encoded(result.headers));
	return streams.pipe(response, result.body);
}

function sendResponse(request: IncomingMessage, response: SecureResponse, result: WireResponse, limits: Limits): void {
	const { status, body } = result;
	const headers = encoded(result.headers);
	const isBodiless = status === 204 || status === 304;
	if (!isBodiless && headerValue(headers, 'content-length') === undefined)
		headers.push('content-length', String(Buffer.byteLength(body)));
	if (!request.complete) response.shouldKeepAlive = false;
	response.sendHead(status, headers);
	const sent = isBodiless || request.method === 'HEAD' ? '' : body;
	if (result.isTruncated === true) response.write(sent, () => request.socket.destroy());
	else if (!request.complete) endAfterDrain(request, response, sent, limits);
	else if (sent.length <= pieceLength) response.end(sent);
	else writePieces(response, Buffer.from(sent));
}

function encoded(headers: readonly string[]): string[] {
	const flat = [...headers];
	for (let at = 1; at < flat.length; at += 2) flat[at] = encodeHeaderValue(flat[at] ?? '');
	return flat;
}

function writePieces(response: SecureResponse, bytes: Buffer): void {
	let at = 0;
	const next = () => {
		while (at < bytes.length) {
			const piece = bytes.subarray(at, (at += pieceLength));
			if (!response.write(piece)) {
				response.once('drain', next);
				return;
			}
		}
		response.end();
	};
	next();
}
