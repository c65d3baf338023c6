import { dialects } from '#api/dialect.ts';
import type { ContextInit } from '#service/core/context.ts';
import { AddressRate } from '#service/core/address-limits.ts';
import { createQueues } from '#service/core/fair-queue.ts';
import { findRoute } from '#service/core/routes.ts';
import { noWeaknesses } from '#service/core/weaknesses.ts';
import { Pauses } from '#service/pause/pauses.ts';
import { Sandbox } from '#service/sandbox/sandbox.ts';
import { Seed } from '#service/world/seed.ts';
import { ByteBudget } from '#store/byte-budget.ts';
import { createTestService } from './test-service.ts';

/** What the service opens a context with, for a request to its front page. @param headers names and values in turn */
export function contextInit(headers: readonly string[] = []): ContextInit {
	const { options } = createTestService();
	const sandbox = new Sandbox('root', options, new Seed(options), '', undefined, new ByteBudget(Infinity));
	const request = {
		method: 'GET',
		target: '/',
		headers,
		body: new Uint8Array(0),
		bodyTooLarge: false as const,
		peer: ''
	};
	return {
		request,
		received: request,
		dialect: dialects.specification,
		surface: undefined,
		id: 'id',
		sandbox,
		store: sandbox.store,
		options,
		queues: createQueues({ waitingPasswords: 1 }),
		issued: new AddressRate(1, 1000),
		pauses: new Pauses(options),
		classService: undefined,
		weaknesses: noWeaknesses,
		path: '/',
		query: '',
		networkAddress: '',
		clientAddress: '',
		route: findRoute('/', 'GET'),
		credentialOverrides: new Map()
	};
}
