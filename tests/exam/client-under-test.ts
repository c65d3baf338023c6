import { createHostlessService } from '../conformance/hosts/direct.ts';
import type { Fetch } from '#exam/browser.ts';
import type { Driver } from '#exam/driver.ts';
import { createExamSandbox, type ExamSandbox } from '#exam/sandbox.ts';
import { realTimers, type Timers } from '#exam/timers.ts';
import { actionsOf, createWebDriver } from '#exam/web-driver.ts';
import { fetchOf } from './in-process.ts';
import type { Mistake } from './mutants.ts';
import { ReferenceClient } from './reference-client.ts';

/** The origin of the client. It has no server: `fetch` leads there. */
export const clientOrigin = 'http://client.test';

/** A clock that runs five times as fast: a service in this process needs no longer pauses. */
export const fastTimers: Timers = {
	now: () => Date.now() * 5,
	sleep: (milliseconds, signal) => realTimers.sleep(milliseconds / 5, signal)
};

type TestService = ReturnType<typeof createHostlessService>;

/** A client in this process, and the sandbox of its exam. */
export type ClientUnderTest = {
	readonly service: TestService;
	readonly sandbox: ExamSandbox;
	readonly driver: Driver;
	readonly fetch: Fetch;
};

/** A `fetch` that also reaches the client. */
export function fetchWith(send: Fetch, client: () => ReferenceClient): Fetch {
	return async (url, init) => {
		if (!url.startsWith(clientOrigin)) return send(url, init);
		const headers = new Headers(init.headers);
		const { status, body, location, cookie } = await client().handle({
			target: url.slice(clientOrigin.length),
			cookie: headers.get('cookie') ?? undefined
		});
		const sent = new Headers({ 'content-type': 'text/html; charset=utf-8' });
		if (location !== undefined) sent.set('location', location);
		if (cookie !== undefined) sent.append('set-cookie', cookie);
		return new Response(body, { status, headers: sent });
	};
}

/** Creates a service, and the sandbox and the driver for an exam of the reference client. */
export async function prepareClient({
	mistakes = [],
	service = createHostlessService()
}: { readonly mistakes?: readonly Mistake[]; readonly service?: TestService } = {}): Promise<ClientUnderTest> {
	const send = fetchOf(service.handle);
	const serviceFetch: Fetch = (url, init) => send(url, init);
	const redirectUri = `${clientOrigin}/callback`;
	const sandbox = await createExamSandbox({
		rootUrl: service.origin,
		fetch: serviceFetch,
		kind: 'web',
		redirectUri
	});
	const { api, client_id, client_secret } = sandbox;
	const client = new ReferenceClient({
		baseUrl: api.baseUrl,
		clientId: client_id,
		clientSecret: client_secret,
		redirectUri,
		mistakes,
		fetch: send
	});
	const fetch = fetchWith(serviceFetch, () => client);
	const urls = { signIn: `${clientOrigin}/login`, use: `${clientOrigin}/me`, signOut: `${clientOrigin}/logout` };
	const driver = createWebDriver(actionsOf(urls), {
		baseUrl: api.baseUrl,
		origins: [clientOrigin],
		fetch,
		now: Date.now
	});
	return { service, sandbox, driver, fetch };
}
