import type { IncomingMessage } from 'node:http';
import { bodyLimit, type Service } from '#service/service.ts';
import type { WireResult, WireResponse } from '#wire/message.ts';
import type { ValidRequest } from './validate-request.ts';
import { noBody, readBody } from './body.server.ts';
import type { Connection } from './connections.server.ts';
import type { GuardedResponse } from './guarded-response.server.ts';
import type { headWriter } from './head.ts';
import type { Limits } from './limits.ts';
import { endAfterDrain, sendError } from './error-response.server.ts';
import { rounds } from './batch.ts';
import { cancel, type Streams } from './streams.server.ts';
import { unlessSilent } from './blacklist-guard.server.ts';

/** What an exchange with the service needs of its server. */
export type ServiceHandlerOptions = {
	readonly service: Service;
	readonly limits: Limits;
	readonly streams: Streams;
	readonly writeHead: ReturnType<typeof headWriter>;
	readonly report: (fault: unknown) => void;
};

/** What goes out in one piece; longer bodies go at the reader's pace, so that it can be seen whether there is one. */
const pieceLength = 64 * 1024;
/** A body up to this length needs no place in the budget of all bodies: the connections bound them. */
const shortBody = 16 * 1024;

const tooManyLong = { status: 503, text: 'Too many long requests at once. Try again in a moment.' };

/**
 * Makes the shortest way from socket to service and back: plain data in, one write out.
 * @returns `begin` answers one admitted request (`expects` is true where the client waits for `100 Continue`); `own` says
 * something in the host's own name
 */
export function createServiceHandler(parts: ServiceHandlerOptions) {
	const { service, limits, streams, writeHead, report } = parts;
	const own = unlessSilent(
		service,
		(request, response, connection) =>
			begin(request, response, connection, { target: request.url ?? '', length: 0 }, false),
		report
	);
	const putOff = rounds();
	/** Bytes that the long bodies under way may come to. */
	let held = 0;

	function begin(
		request: IncomingMessage,
		response: GuardedResponse,
		connection: Connection,
		admission: ValidRequest,
		expects: boolean
	): void {
		const { target, length } = admission;
		const ask = (body: Uint8Array, bodyTooLarge: boolean) => {
			const { method = 'GET', rawHeaders: headers } = request;
			putOff(() => {
				service
					.handle({ method, target, headers, body, bodyTooLarge, peer: connection.peer })
					.then((answer) => deliver(request, response, answer))
					.catch((fault: unknown) => {
						report(fault);
						sendError(request, response, { status: 500, text: 'The service failed.' }, limits);
					});
			});
		};
		if (length === 0) {
			ask(noBody, false);
			return;
		}
		const limit = bodyLimit(target);
		if (length !== Infinity && length > limit) {
			ask(noBody, true);
			return;
		}
		const reserved = Math.min(length, limit);
		if (reserved > shortBody) {
			if (held + reserved > limits.bodies) {
				own(request, response, connection, () => sendError(request, response, tooManyLong, limits));
				return;
			}
			held += reserved;
			request.once('close', () => {
				held -= reserved;
			});
		}
		if (!expects) {
			readBody(request, limit, ask);
			return;
		}
		own(request, response, connection, () => {
			response.writeContinue();
			readBody(request, limit, ask);
		});
	}

	function deliver(request: IncomingMessage, response: GuardedResponse, answer: WireResult): Promise<void> | undefined {
		const { socket } = request;
		if (answer.kind === 'no_response') {
			// In a pipeline, earlier requests still get their answers: Node lends the socket to one response at a time.
			if (response.socket === null) response.once('socket', () => socket.destroy());
			else socket.destroy();
			return undefined;
		}
		if (answer.kind === 'response') {
			if (!socket.destroyed) respond(request, response, answer);
			return undefined;
		}
		if (socket.destroyed) {
			cancel(answer.body);
			return undefined;
		}
		if (!streams.hasCapacity) {
			cancel(answer.body);
			sendError(request, response, { status: 503, text: 'Too many event streams are open.' }, limits);
			return undefined;
		}
		response.sendHead(answer.status, writeHead(answer.headers, undefined));
		return streams.pipe(response, answer.body);
	}

	function respond(request: IncomingMessage, response: GuardedResponse, answer: WireResponse): void {
		const { status, headers, body } = answer;
		const bodiless = status === 204 || status === 304;
		if (!request.complete) response.shouldKeepAlive = false;
		response.sendHead(status, writeHead(headers, bodiless ? undefined : Buffer.byteLength(body)));
		const sent = bodiless || request.method === 'HEAD' ? '' : body;
		if (!request.complete) endAfterDrain(request, response, sent, limits);
		else if (sent.length <= pieceLength) response.end(sent);
		else writePieces(response, Buffer.from(sent));
	}

	return { begin, own };
}

function writePieces(response: GuardedResponse, bytes: Buffer): void {
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
