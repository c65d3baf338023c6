import type { IncomingMessage } from 'node:http';
import { isServicePath, type Service } from '#service/service.ts';
import type { Connection } from './connections.server.ts';
import type { GuardedResponse } from './guarded-response.server.ts';

/** Says something in the host's own name; to a client that the service leaves without any response, nothing (RL-08). */
export type UnlessSilent = (
	request: IncomingMessage,
	response: GuardedResponse,
	connection: Connection,
	speak: () => void
) => void;

/**
 * Makes the host ask the service before it speaks itself. A request for a page is spoken to at once.
 * @param hush hands a request to the service without its body, so that it is silent and keeps a record
 */
export function unlessSilent(
	service: Service,
	hush: (request: IncomingMessage, response: GuardedResponse, connection: Connection) => void,
	report: (fault: unknown) => void
): UnlessSilent {
	return (request, response, connection, speak) => {
		const { method = 'GET', url: target = '', rawHeaders: headers, socket } = request;
		if (!isServicePath(target)) {
			speak();
			return;
		}
		service
			.isBlacklisted({ method, target, headers, peer: connection.peer })
			.then((isBlacklisted) => {
				if (isBlacklisted) hush(request, response, connection);
				else if (!socket.destroyed) speak();
			})
			.catch((fault: unknown) => {
				report(fault);
				socket.destroy();
			});
	};
}
