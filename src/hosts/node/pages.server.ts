import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import type { ValidRequest } from './validate-request.ts';
import type { Connection } from './connections.server.ts';
import type { GuardedResponse } from './guarded-response.server.ts';
import type { Limits } from './limits.ts';
import { sendError } from './error-response.server.ts';

/** Answers everything that is not the service's: SvelteKit's handler, as adapter-node builds it. */
export type PageHandler = (request: IncomingMessage, response: ServerResponse, next: () => void) => unknown;

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);
const allow = [...methods].join(', ');
const bodyLimit = 512 * 1024;

/**
 * Makes the way to the pages: hands on what SvelteKit can take, and cleans up behind it.
 * @returns answers one admitted request; `expects` is true where the client waits for `100 Continue`
 */
export function pageServer(pages: PageHandler, limits: Limits, report: (fault: unknown) => void) {
	return async (
		request: IncomingMessage,
		response: GuardedResponse,
		connection: Connection,
		admission: ValidRequest,
		expects: boolean
	): Promise<void> => {
		const { target, length } = admission;
		if (!methods.has(request.method ?? '')) {
			sendError(request, response, { status: 405, text: 'No page takes this method.', allow }, limits);
			return;
		}
		if (length !== Infinity && length > bodyLimit) {
			sendError(request, response, { status: 413, text: 'The body is longer than any page takes.' }, limits);
			return;
		}
		request.url = target;
		connection.firstByteDeadline = performance.now() + limits.page;
		// SvelteKit leaves the rest of a body that it did not want unread, and the connection would wait for it for ever (HT-06).
		response.once('finish', () => request.removeAllListeners('data').resume());
		// Whoever pipes a file into a response hears nothing of a file that has gone meanwhile, and an error unheard ends the process.
		response.on('pipe', (source: Readable) => {
			source.once('error', (fault) => {
				report(fault);
				response.destroy();
			});
		});
		if (expects) response.writeContinue();
		try {
			await pages(request, response, () => {
				sendError(request, response, { status: 404, text: 'There is nothing here.' }, limits);
			});
		} catch (fault) {
			report(fault);
			sendError(request, response, { status: 500, text: 'The page failed.' }, limits);
		}
	};
}
