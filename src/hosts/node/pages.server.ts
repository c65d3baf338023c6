import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { FairQueue } from '#service/core/fair-queue.ts';
import { sendError } from './error-response.server.ts';
import type { Limits } from './connection-limits.ts';
import type { SecureResponse } from './response-headers.server.ts';
import type { HttpError, ValidRequest } from './validate-request.ts';

/** Handles every request that is not the service's. */
export type PageHandler = (request: IncomingMessage, response: ServerResponse, next: () => void) => unknown;

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
const allow = [...methods].join(', ');
/** The longest body of a request to a page, in bytes. */
export const bodyLimit = 512 * 1024;

const badMethod: HttpError = { status: 405, text: 'Pages do not support this method.', allow };
const bodyTooLarge: HttpError = { status: 413, text: 'The body is too large.' };
const notFound: HttpError = { status: 404, text: 'Not found.' };
const pageFailed: HttpError = { status: 500, text: 'The page failed.' };

/**
 * Makes the handler of page requests: passes on what SvelteKit can handle, and cleans up after it.
 * @returns handles one valid request; `expectsContinue` is true where the client waits for `100 Continue`
 */
export function createPageHandler(pages: PageHandler, limits: Limits, report: (fault: unknown) => void) {
	const turns = new FairQueue(1, Infinity);
	return async (
		request: IncomingMessage,
		response: SecureResponse,
		{ target, length }: ValidRequest,
		expectsContinue: boolean
	): Promise<void> => {
		if (!methods.has(request.method ?? '')) {
			sendError(request, response, badMethod, limits);
			return;
		}
		if (length !== Infinity && length > bodyLimit) {
			sendError(request, response, bodyTooLarge, limits);
			return;
		}
		// One page each turn of the event loop: libuv accepts one connection a turn, and a flood of pages makes turns long.
		await turns.run(request.socket.remoteAddress ?? '', nextTurn);
		if (response.destroyed) return;
		request.url = target;
		const timeout = setTimeout(() => response.headersSent || request.socket.destroy(), limits.pageTimeout);
		response.once('close', () => clearTimeout(timeout));
		// SvelteKit leaves the rest of an unwanted body unread, which would block the connection's next request (HT-06).
		response.once('finish', () => request.removeAllListeners('data').resume());
		// SvelteKit handles neither the error of a file that was deleted after it was listed, which would end the process, nor a
		// client that leaves before the end of a file, which would stay open.
		response.on('pipe', (source: Readable) => {
			source.once('error', (fault) => {
				report(fault);
				response.destroy();
			});
			response.once('close', () => source.destroy());
		});
		if (expectsContinue) response.writeContinue();
		try {
			await pages(request, response, () => sendError(request, response, notFound, limits));
		} catch (fault) {
			report(fault);
			sendError(request, response, pageFailed, limits);
		}
	};
}
