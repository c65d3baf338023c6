import type { Fetch } from '#exam/browser.ts';
import type { Driver } from '#exam/driver.ts';
import { createExamSandbox, type ExamSandbox } from '#exam/sandbox.ts';
import { actionsOf, createWebDriver } from '#exam/web-driver.ts';
import { createHostlessService } from '../conformance/hosts/direct.ts';
import { fetchOf } from './in-process.ts';
import type { Mistake } from './mistakes.ts';
import { ReferenceClient } from './reference-client.ts';

/** The origin of the client. It has no server. */
const clientOrigin = 'http://client.test';

/** How the exam and the client reach a service. */
export type ServiceAccess = {
	/** Of the root sandbox. */
	readonly rootUrl: string;
	readonly fetch: Fetch;
	/** Of the client. Default: `fetch`. */
	readonly clientFetch?: typeof fetch;
};

/** The reference client in this process, and the sandbox of its exam. */
export type ClientUnderTest = { readonly sandbox: ExamSandbox; readonly driver: Driver };

/** A service in this process. */
export function inProcess(service: Pick<ReturnType<typeof createHostlessService>, 'handle' | 'origin'>): ServiceAccess {
	const clientFetch = fetchOf(service.handle);
	return { rootUrl: service.origin, fetch: (url, init) => clientFetch(url, init), clientFetch };
}

/**
 * Creates the sandbox and the driver for an exam of the reference client.
 * @param service default: a new one in this process
 */
export async function prepareClient({
	mistakes = [],
	service: { rootUrl, fetch, clientFetch } = inProcess(createHostlessService())
}: { readonly mistakes?: readonly Mistake[]; readonly service?: ServiceAccess } = {}): Promise<ClientUnderTest> {
	const redirectUri = `${clientOrigin}/callback`;
	const sandbox = await createExamSandbox({ rootUrl, fetch, kind: 'web', redirectUris: [redirectUri] });
	const { api, client_id, client_secret } = sandbox;
	const client = new ReferenceClient({
		baseUrl: api.baseUrl,
		clientId: client_id,
		clientSecret: client_secret,
		redirectUri,
		mistakes,
		...(clientFetch === undefined ? {} : { fetch: clientFetch })
	});
	const urls = { signIn: `${clientOrigin}/login`, use: `${clientOrigin}/me`, signOut: `${clientOrigin}/logout` };
	const driver = createWebDriver(actionsOf(urls), {
		baseUrl: api.baseUrl,
		origins: [clientOrigin],
		fetch: (url, init) => (url.startsWith(`${clientOrigin}/`) ? openPage(client, url, init) : fetch(url, init)),
		now: Date.now
	});
	return { sandbox, driver };
}

async function openPage(client: ReferenceClient, url: string, init: RequestInit): Promise<Response> {
	const target = url.slice(clientOrigin.length);
	const sent = new Headers(init.headers).get('cookie') ?? undefined;
	const { status, body, location, cookie } = await client.handle({ target, cookie: sent });
	const headers = new Headers({ 'content-type': 'text/html; charset=utf-8' });
	if (location !== undefined) headers.set('location', location);
	if (cookie !== undefined) headers.append('set-cookie', cookie);
	return new Response(body, { status, headers });
}
