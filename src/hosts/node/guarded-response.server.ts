import { ServerResponse, type IncomingMessage, type OutgoingHttpHeader, type OutgoingHttpHeaders } from 'node:http';

type Headers = OutgoingHttpHeaders | OutgoingHttpHeader[];

/** The class of a server's responses. */
export type GuardedResponseClass = ReturnType<typeof guardedResponse>;

/** A response that never leaves without the security headers. */
export type GuardedResponse = InstanceType<GuardedResponseClass>;

/**
 * Makes the class of responses that a server uses for everything, Node's own refusals and static files included (HT-12).
 * @param security `[lower-case name, value]`, for answers that don't set the header themselves
 */
export function guardedResponse(security: readonly (readonly [name: string, value: string])[]) {
	return class<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
		override writeHead(status: number, reason?: string | Headers, headers?: Headers): this {
			for (const [name, value] of security) {
				if (!this.hasHeader(name)) this.setHeader(name, value);
			}
			return typeof reason === 'string' ? super.writeHead(status, reason, headers) : super.writeHead(status, reason);
		}

		/**
		 * Writes a head that is complete as it stands.
		 * @param headers flat (name, value, …)
		 */
		sendHead(status: number, headers: string[]): void {
			super.writeHead(status, headers);
		}
	};
}
