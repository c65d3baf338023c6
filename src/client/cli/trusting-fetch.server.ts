import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Surroundings } from '../client.ts';

/** An answer of the service is small; anything longer is none. */
const longest = 4 * 1024 * 1024;

/**
 * A fetch for Node that can trust an authority of its own: the platform's takes none while it runs. It follows no redirect
 * (nothing here is ever sent to another address than it was meant for) and asks for no compression.
 * @param authorities PEM texts that certificates are checked against; undefined: those that Node trusts
 */
export function trustingFetch(authorities: readonly string[] | undefined): Surroundings['fetch'] {
	const trust = authorities === undefined ? {} : { ca: [...authorities] };
	return (address, init) =>
		new Promise((resolve, reject) => {
			const send = new URL(address).protocol === 'https:' ? httpsRequest : httpRequest;
			const body = init.body instanceof URLSearchParams ? init.body.toString() : undefined;
			const headers = Object.fromEntries(new Headers(init.headers));
			if (body !== undefined) {
				headers['content-type'] ??= 'application/x-www-form-urlencoded';
				headers['content-length'] = String(Buffer.byteLength(body));
			}
			const request = send(address, {
				...{ method: init.method ?? 'GET', headers, agent: false, ...trust },
				...(init.signal ? { signal: init.signal } : {})
			});
			request.once('error', reject);
			request.once('response', (answer) => {
				read(answer).then(resolve, reject);
			});
			request.end(body);
		});
}

async function read(answer: IncomingMessage): Promise<Response> {
	const chunks: Buffer[] = [];
	let length = 0;
	for await (const chunk of answer) {
		if (!Buffer.isBuffer(chunk)) continue;
		length += chunk.length;
		if (length > longest) throw new Error('The answer is too long.');
		chunks.push(chunk);
	}
	const headers = new Headers();
	for (const [name, value] of Object.entries(answer.headersDistinct)) {
		for (const one of value ?? []) headers.append(name, one);
	}
	const status = answer.statusCode ?? 0;
	const isEmpty = status === 204 || status === 205 || status === 304;
	return new Response(isEmpty ? null : Buffer.concat(chunks).toString(), { status, headers });
}
