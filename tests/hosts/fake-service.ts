import type { Service } from '#service/service.ts';
import type { WireResult, WireRequest } from '#api/message.ts';

/** A service that records its requests and responds as a test says. */
export type FakeService = Service & {
	readonly seen: WireRequest[];
	respond: (request: WireRequest) => Promise<WireResult>;
	/** False by default. */
	isBlacklisted: Service['isBlacklisted'];
	/** True by default. */
	hasSandbox: Service['hasSandbox'];
	/** Empty by default. */
	worldVersion: Service['worldVersion'];
};

/** @param respond by default an echo: method, target, headers, length of the body, as JSON; 413 for an oversized body */
export function fakeService(respond: FakeService['respond'] = echo): FakeService {
	const service: FakeService = {
		seen: [],
		respond,
		isBlacklisted: async () => false,
		hasSandbox: async () => true,
		worldVersion: async () => '',
		handle(request) {
			service.seen.push(request);
			return service.respond(request);
		},
		purge: async () => undefined
	};
	return service;
}

/** A response in JSON. */
export function json(status: number, value: unknown, headers: string[] = []): WireResult {
	return {
		kind: 'response',
		status,
		headers: ['Content-Type', 'application/json; charset=utf-8', ...headers],
		body: JSON.stringify(value)
	};
}

export async function echo(request: WireRequest): Promise<WireResult> {
	if (request.bodyTooLarge) return json(413, { error: 'invalid_request' });
	const { method, target, headers, body, peer } = request;
	return json(200, { method, target, headers, peer, length: body.length, body: Buffer.from(body).toString('latin1') });
}
