import { vi } from 'vitest';
import { ControlApi } from '#client/control-api/control-api.ts';
import { createTestService, type TestService } from '../../service/test-service.ts';

/** The real service behind the `fetch` of a page, and responses that a test can hold back. */
export type ControlService = TestService & {
	/** The control API of the root sandbox. */
	readonly api: ControlApi;
	/** The requests that the page sent: `GET /control/clock`. */
	readonly requests: string[];
	/** Called before the page gets a response. A test can hold it back. */
	deliver: (request: string) => Promise<void> | void;
	/** Requests with this path get no response. */
	lost: string | undefined;
};

/** Starts a service. Requests of the page go there until the test has ended. */
export function startControlService(): ControlService {
	const tested = createTestService();
	const { origin } = tested.options;
	const service: ControlService = Object.assign(tested, {
		api: new ControlApi(origin),
		requests: [],
		deliver: () => undefined,
		lost: undefined
	});
	vi.stubGlobal('fetch', async (url: string, init: RequestInit = {}) => {
		const { method = 'GET', body, signal } = init;
		const target = url.slice(origin.length);
		const name = `${method} ${target}`;
		service.requests.push(name);
		if (target === service.lost) throw new TypeError('fetch failed');
		const headers = [...new Headers(init.headers)].flat();
		const sent = { method, target, headers, body: typeof body === 'string' ? body : '' };
		const received = await service.transport.send(sent);
		await service.deliver(name);
		signal?.throwIfAborted();
		return new Response(received?.body, { status: received?.status ?? 500 });
	});
	return service;
}
