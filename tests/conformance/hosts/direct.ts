import { createNodeService } from '#hosts/node-service.server.ts';
import { bodyLimit, type Service } from '#service/service.ts';
import type { WireResult } from '#wire/message.ts';
import type { TestRequest, RawStream, Transport } from '../transport.ts';

const noBody = new Uint8Array(0);

/** The service called directly, the test being its host. */
export function startDirect(origin = 'https://tollgate.test'): Promise<Transport> {
	return Promise.resolve(
		directTransport(createNodeService({ origin, report: (fault) => console.error(fault) }), origin)
	);
}

/**
 * The same with a clock on which time passes with each request and at no other moment, as on a slow machine.
 * @param step how much, in milliseconds
 */
export function startSlow(step: number): Promise<Transport> {
	const origin = 'https://tollgate.test';
	let now = 1_780_000_000_000;
	const service = createNodeService({ origin, report: (fault) => console.error(fault), now: () => now });
	const direct = directTransport(service, origin);
	return Promise.resolve({
		...direct,
		send(sent) {
			now += step;
			return direct.send(sent);
		}
	});
}

/** The way to a service without any host. */
export function directTransport(service: Service, origin: string): Transport {
	const call = ({
		method = 'GET',
		target,
		headers = [],
		body = '',
		from = '127.0.0.1'
	}: TestRequest): Promise<WireResult> => {
		const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
		const bodyTooLarge = bytes.length > bodyLimit(target);
		return service.handle({ method, target, headers, body: bodyTooLarge ? noBody : bytes, bodyTooLarge, peer: from });
	};
	return {
		origin,
		async send(sent) {
			const result = await call(sent);
			if (result.kind === 'stream') throw new Error('The response is a stream.');
			if (result.kind === 'no_response') return undefined;
			const { status, headers, body } = result;
			return { status, headers, body: sent.method === 'HEAD' ? '' : body };
		},
		async stream(sent): Promise<RawStream> {
			const result = await call(sent);
			if (result.kind !== 'stream') throw new Error(`The response is not a stream: ${result.kind}`);
			const pieces = result.body[Symbol.asyncIterator]();
			return {
				status: result.status,
				headers: result.headers,
				async next() {
					const piece = await pieces.next();
					return piece.done === true ? undefined : piece.value;
				},
				close: () => void pieces.return?.()
			};
		},
		close: () => Promise.resolve()
	};
}
