import type { WireResult } from '#api/message.ts';
import { toWebResponse } from '../web-response.ts';

/**
 * Converts a result of the service to a `Response`. No response becomes a body that fails before its first byte: SvelteKit then
 * closes the connection and sends nothing.
 * @param method of the request: HEAD gets no body
 */
export function toResponse(result: WireResult, method: string): Response {
	return result.kind === 'no_response' ? new Response(failingBody()) : toWebResponse(result, method);
}

function failingBody(): ReadableStream<Uint8Array> {
	return new ReadableStream({ start: (controller) => controller.error(new Error('no response')) });
}
