import type { Service } from '#service/service.ts';
import type { WireResult, WireRequest } from '#wire/message.ts';

/** A service that remembers what it was asked and answers as a test says. */
export type FakeService = Service & {
	readonly seen: WireRequest[];
	answer: (request: WireRequest) => Promise<WireResult>;
	/** False by default. */
	isBlacklisted: Service['isBlacklisted'];
	/** True by default. */
	hasSandbox: Service['hasSandbox'];
};

/** @param answer by default an echo: method, target, headers, length of the body, as JSON; 413 for an oversized body */
export function fakeService(answer: FakeService['answer'] = echo): FakeService {
	const service: FakeService = {
		seen: [],
		answer,
		isBlacklisted: async () => false,
		hasSandbox: async () => true,
		handle(request) {
			service.seen.push(request);
			return service.answer(request);
		},
		purge: async () => undefined
	};
	return service;
}

/** An answer in JSON. */
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
