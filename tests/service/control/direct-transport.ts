import { bodyLimit, type Service } from '#service/service.ts';
import type { Transport } from '../../conformance/transport.ts';

/** Calls a service directly; for what needs no stream. */
export function transportTo(origin: string, service: Service): Transport {
	return {
		origin,
		async send({ method = 'GET', target, headers = [], body = '', from = '127.0.0.1' }) {
			const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
			const bodyTooLarge = bytes.length > bodyLimit({ method, target });
			const result = await service.handle({ method, target, headers, body: bytes, bodyTooLarge, peer: from });
			return result.kind === 'response' ? result : undefined;
		},
		stream: () => Promise.reject(new Error('no streams here')),
		close: () => Promise.resolve()
	};
}
