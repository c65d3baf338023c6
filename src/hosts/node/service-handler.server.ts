import { IncomingMessage } from 'node:http';
import { AddressQuota } from '#service/core/address-limits.ts';
import { bodyLimit, type Service } from '#service/service.ts';
import { isServicePath } from '#api/service-path.ts';
import { noBody, readBody } from './body.server.ts';
import type { Connection, RejectedRequest } from './connections.server.ts';
import { sendError } from './error-response.server.ts';
import type { Limits } from './connection-limits.ts';
import type { SecureResponse } from './response-headers.server.ts';
import { sendResult } from './send-result.server.ts';
import type { Streams } from './streams.server.ts';
import { createTurnScheduler } from './turn-scheduler.ts';
import type { HttpError, ValidRequest } from './validate-request.ts';

export type ServiceHandlerOptions = {
	readonly service: Service;
	readonly limits: Limits;
	readonly streams: Streams;
	readonly report: (fault: unknown) => void;
};

const tooManyBodies: HttpError = { status: 503, text: 'Too many long requests at once. Try again in a moment.' };
const serviceFailed: HttpError = { status: 500, text: 'The service failed.' };

/**
 * Makes the handler of the service's requests: plain data in, one write out.
 * @returns `handle` handles one valid request (`expectsContinue`: the client waits for `100 Continue`); `unlessBlacklisted` calls
 * `send`, which writes a response of the host itself, unless the service sends this client no response
 */
export function createServiceHandler({ service, limits, streams, report }: ServiceHandlerOptions) {
	const schedule = createTurnScheduler();
	const bodies = new AddressQuota(limits.maxBodyBytes, limits.maxBodyBytesPerAddress);

	function handle(
		request: IncomingMessage,
		response: SecureResponse,
		connection: Connection,
		{ target, length }: ValidRequest,
		expectsContinue: boolean
	): void {
		const serve = (body: Uint8Array, bodyTooLarge: boolean) =>
			schedule(connection.address, () => callService(request, response, connection, target, body, bodyTooLarge));
		if (length === 0) {
			serve(noBody, false);
			return;
		}
		const limit = bodyLimit({ method: request.method ?? '', target });
		if (length !== Infinity && length > limit) {
			serve(noBody, true);
			return;
		}
		const { address } = connection;
		let kept = 0;
		const keep = (bytes: number) => {
			if (!bodies.take(address, bytes)) return false;
			if (kept === 0) request.once('close', () => bodies.release(address, kept));
			kept += bytes;
			return true;
		};
		const reject = () =>
			unlessBlacklisted(request, connection, () => sendError(request, response, tooManyBodies, limits));
		const read = () => readBody(request, limit, keep, serve, reject);
		if (!expectsContinue) {
			read();
			return;
		}
		unlessBlacklisted(request, connection, () => {
			response.writeContinue();
			read();
		});
	}

	/**
	 * A blacklisted client's request goes to the service without its body, which logs it and sends no response (RL-08). Of an
	 * unreadable one only the connection is closed.
	 */
	function unlessBlacklisted(request: RejectedRequest, connection: Connection, send: () => void): void {
		const { method = 'GET', url: target = '', rawHeaders: headers, socket } = request;
		const { response, peer } = connection;
		if (!isServicePath(target)) {
			send();
			return;
		}
		service
			.isBlacklisted({ method, target, headers, peer })
			.then((isBlacklisted) => {
				if (socket.destroyed) return;
				if (!isBlacklisted) send();
				else if (response !== undefined && request instanceof IncomingMessage)
					callService(request, response, connection, target, noBody, false);
				else socket.destroy();
			})
			.catch((fault: unknown) => {
				report(fault);
				socket.destroy();
			});
	}

	function callService(
		request: IncomingMessage,
		response: SecureResponse,
		{ peer }: Connection,
		target: string,
		body: Uint8Array,
		bodyTooLarge: boolean
	): void {
		const { method = 'GET', rawHeaders: headers } = request;
		service
			.handle({ method, target, headers, body, bodyTooLarge, peer })
			.then((result) => sendResult(request, response, result, streams, limits))
			.catch((fault: unknown) => {
				report(fault);
				sendError(request, response, serviceFailed, limits);
			});
	}

	return { handle, unlessBlacklisted };
}
