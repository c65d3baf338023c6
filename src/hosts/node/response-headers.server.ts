import { ServerResponse, type IncomingMessage, type OutgoingHttpHeader, type OutgoingHttpHeaders } from 'node:http';
import { headerValue } from '#api/headers.ts';
import { missingHeaders } from '../security-headers.ts';

type Headers = OutgoingHttpHeaders | OutgoingHttpHeader[];

/** A response that never leaves without the security headers. */
export type SecureResponse = InstanceType<ReturnType<typeof secureResponse>>;

/**
 * Makes the response class of a server. It adds the security headers that a response does not set itself, for pages, static
 * files, the service and the host's own errors alike (HT-12).
 * @param security `[lower-case name, value]`
 */
export function secureResponse(security: readonly (readonly [name: string, value: string])[]) {
	// A browser would put the policy of a 304 in place of the one of the page that it has (RFC 9111 section 3.2).
	const ofKept = security.filter(([name]) => name !== 'content-security-policy' && name !== 'x-frame-options');
	const toAdd = (status: number, valueOf: (name: string) => string | undefined) =>
		missingHeaders(status === 304 ? ofKept : security, valueOf);
	return class<Request extends IncomingMessage = IncomingMessage> extends ServerResponse<Request> {
		/** Called by SvelteKit, and by Node where nothing else writes the head. */
		override writeHead(status: number, reason?: string | Headers, headers?: Headers): this {
			const valueOf = (name: string) => (this.hasHeader(name) ? String(this.getHeader(name)) : undefined);
			for (const [name, value] of toAdd(status, valueOf)) this.setHeader(name, value);
			return typeof reason === 'string' ? super.writeHead(status, reason, headers) : super.writeHead(status, reason);
		}

		/**
		 * Writes a head from a flat list. Unlike `writeHead` after `setHeader`, it keeps repeated headers.
		 * @param headers `[name, value, …]`
		 */
		sendHead(status: number, headers: readonly string[]): void {
			const all = [...headers];
			for (const header of toAdd(status, (name) => headerValue(headers, name))) all.push(...header);
			super.writeHead(status, all);
		}
	};
}
