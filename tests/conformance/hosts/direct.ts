import { readWorld } from '#service/world/read-world.ts';
import { createWebService } from '#hosts/web-service.ts';
import type { Records } from '#service/sandbox/records.ts';
import { recordLimits } from '#service/sandbox/record-limits.ts';
import { bodyLimit, type Service } from '#service/service.ts';
import type { Store } from '#store/store.ts';
import { createMemoryStore } from '#store/memory.ts';
import type { WireResult } from '#api/message.ts';
import type { TestRequest, RawStream, Transport } from '../transport.ts';
import { fastScrypt } from './fast-scrypt.ts';

const noBody = new Uint8Array(0);

const origin = 'https://tollgate.test';

/** A service without a host. */
export function createHostlessService(
	now = Date.now,
	store: Store<Records> = createMemoryStore(recordLimits),
	file?: object
): Service & { readonly origin: string } {
	const report = (fault: unknown) => console.error(fault);
	const world = file && readWorld(JSON.stringify(file), { digest: String });
	return { ...createWebService({ origin, store, now, report, scrypt: fastScrypt, ...(world && { world }) }), origin };
}

/** The service, called directly. */
export async function startDirect(): Promise<Transport> {
	return { ...directTransport(createHostlessService(), origin), rounds: 200, isExhaustive: true };
}

/**
 * The service on a slow machine: its clock advances with each request, and only then.
 * @param step in milliseconds
 */
export async function startSlow(step: number): Promise<Transport> {
	let now = 1_780_000_000_000;
	const direct = directTransport(
		createHostlessService(() => now),
		origin
	);
	return {
		...direct,
		send(sent) {
			now += step;
			return direct.send(sent);
		}
	};
}

/** Calls a service without a host. */
export function directTransport(service: Service, origin: string): Transport {
	const call = ({
		method = 'GET',
		target,
		headers = [],
		body = '',
		from = '127.0.0.1'
	}: TestRequest): Promise<WireResult> => {
		const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
		const bodyTooLarge = bytes.length > bodyLimit({ method, target });
		return service.handle({ method, target, headers, body: bodyTooLarge ? noBody : bytes, bodyTooLarge, peer: from });
	};
	return {
		origin,
		async send(sent) {
			const result = await call(sent);
			if (result.kind === 'stream') throw new Error('The response is a stream.');
			if (result.kind === 'no_response') return undefined;
			return { ...result, body: sent.method === 'HEAD' ? '' : result.body };
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
