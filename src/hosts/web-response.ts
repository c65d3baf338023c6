import type { WireResponse, WireStream } from '#api/message.ts';

/**
 * Converts a response of the service to a `Response`.
 * @param method of the request: HEAD gets no body
 */
export function toWebResponse(response: WireResponse | WireStream, method: string): Response {
	const headers = new Headers();
	for (let at = 0; at + 1 < response.headers.length; at += 2) {
		headers.append(response.headers[at] ?? '', encodeHeaderValue(response.headers[at + 1] ?? ''));
	}
	const { status } = response;
	if (response.kind === 'stream') return new Response(streamOf(response.body), { status, headers });
	if (response.isTruncated === true) return new Response(truncatedBody(response.body), { status, headers });
	// A client that reads a response without a body has no stream to cancel.
	const isBodiless = [204, 205, 304].includes(status) || method === 'HEAD' || response.body === '';
	return new Response(isBodiless ? null : response.body, { status, headers });
}

/** How long the body waits before it fails, in milliseconds: a host that pipes it sends the first half in that time. */
const flushTime = 20;

/** The body fails once it has been read, as it does on a connection that ends too early. */
function truncatedBody(text: string): ReadableStream<Uint8Array> {
	let isSent = false;
	const source: UnderlyingDefaultSource<Uint8Array> = {
		async pull(controller) {
			if (!isSent) {
				isSent = true;
				controller.enqueue(new TextEncoder().encode(text));
				return;
			}
			await new Promise((resolve) => setTimeout(resolve, flushTime));
			controller.error(new TypeError('The response is truncated.'));
		}
	};
	// Without a queue, the stream does not fail before the first piece is read.
	return new ReadableStream(source, { highWaterMark: 0 });
}

function streamOf(body: AsyncIterable<string>): ReadableStream<Uint8Array> {
	const iterator = body[Symbol.asyncIterator]();
	const encoder = new TextEncoder();
	return new ReadableStream({
		async pull(controller) {
			const next = await iterator.next();
			if (next.done === true) controller.close();
			else controller.enqueue(encoder.encode(next.value));
		},
		cancel() {
			void iterator.return?.().catch(() => undefined);
		}
	});
}

/**
 * Percent-encodes everything except printable ASCII and tabs in a header value as UTF-8 (a lone surrogate as U+FFFD), so that no
 * value can split or break a response (HT-11).
 */
export function encodeHeaderValue(value: string): string {
	return isPlain.test(value) ? value : value.replace(/[^\t\x20-\x7e]+/g, percentEncoded);
}

const isPlain = /^[\t\x20-\x7e]*$/;

function percentEncoded(text: string): string {
	const hex = (byte: number) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
	return Array.from(new TextEncoder().encode(text), hex).join('');
}
