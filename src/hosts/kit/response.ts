import type { WireResult } from '#wire/message.ts';
import { toWebResponse } from '../web-response.ts';

/**
 * Turns the service's answer into a `Response`. Silence, which a `Response` cannot say, becomes a body that fails before its
 * first byte: SvelteKit then destroys the connection with nothing sent.
 * @param method of the request; HEAD gets no body
 */
export function toResponse(answer: WireResult, method: string): Response {
	return answer.kind === 'no_response' ? new Response(failingBody()) : toWebResponse(answer, method);
}

function failingBody(): ReadableStream<Uint8Array> {
	return new ReadableStream({ start: (controller) => controller.error(new Error('no response')) });
}
