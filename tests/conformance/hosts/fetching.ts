import type { RawResponse, TestRequest, RawStream, Transport } from '../transport.ts';

/**
 * The way to a service by `fetch`.
 * @param origin the base URL of the root sandbox
 * @param path the prefix of all targets, below the origin
 * @param send a `fetch` that shows redirects and cookies unchanged
 */
export function fetchTransport(
	origin: string,
	path: string,
	send: (request: Request, sent: TestRequest) => Promise<Response>,
	close: () => Promise<void>
): Transport {
	const host = new URL(origin).origin;
	const call = (sent: TestRequest) => send(toRequest(`${host}${path}`, sent), sent);
	return {
		origin,
		async send(sent) {
			const response = await call(sent).catch(() => undefined);
			if (response === undefined || response.type === 'error') return undefined;
			return { status: response.status, headers: headersOf(response), ...(await readBody(response)) };
		},
		async stream(sent): Promise<RawStream> {
			const response = await call(sent);
			const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
			return {
				status: response.status,
				headers: headersOf(response),
				next: async () => (await reader?.read())?.value,
				close: () => void reader?.cancel()
			};
		},
		close
	};
}

async function readBody(response: Response): Promise<Pick<RawResponse, 'body' | 'isTruncated'>> {
	const decoder = new TextDecoder();
	const reader = response.body?.getReader();
	let body = '';
	try {
		for (let piece = await reader?.read(); piece?.done === false; piece = await reader?.read())
			body += decoder.decode(piece.value, { stream: true });
		return { body: body + decoder.decode() };
	} catch {
		return { body, isTruncated: true };
	}
}

function toRequest(base: string, { method = 'GET', target, headers = [], body = '' }: TestRequest): Request {
	const list = new Headers();
	for (let at = 0; at + 1 < headers.length; at += 2) list.append(headers[at] ?? '', headers[at + 1] ?? '');
	const hasBody = method !== 'GET' && method !== 'HEAD' && body.length > 0;
	const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : Uint8Array.from(body);
	return new Request(base + target, { method, headers: list, redirect: 'manual', ...(hasBody ? { body: bytes } : {}) });
}

function headersOf(response: Response): string[] {
	return [...response.headers].flat();
}
