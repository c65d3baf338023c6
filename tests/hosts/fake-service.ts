import type { Outlook, Service } from '#service/service.ts';
import type { WireResult, WireRequest } from '#wire/message.ts';

/** A service that remembers what it was asked and answers as a test says. */
export type FakeService = Service & {
	readonly seen: WireRequest[];
	answer: (request: WireRequest) => Promise<WireResult>;
	/** What it says beforehand that a request will get; `an answer` by default. */
	outlook: (request: WireRequest) => Outlook;
};

/** @param answer by default an echo: method, target, headers, length of the body, as JSON; 413 for an oversized body */
export function fakeService(answer: FakeService['answer'] = echo): FakeService {
	const service: FakeService = {
		seen: [],
		answer,
		outlook: () => 'an answer',
		handle(request) {
			service.seen.push(request);
			return service.answer(request);
		},
		foresee: async (request) => service.outlook(request),
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
