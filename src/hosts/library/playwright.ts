import type { BrowserContext, Request as BrowserRequest, Route } from '@playwright/test';
import { providerHostHeader, providerTarget } from '#service/provider/provider-urls.ts';
import { readProviderNames } from '#service/provider/providers.ts';
import { html } from '#lib/html.ts';
import { handleFetch } from '../msw/fetch-adapter.ts';
import type { TollgateService } from './tollgate.ts';

/** Which providers are simulated, and where. */
export type SimulationOptions = {
	/** `'github'`, or `['github', 'google']`. */
	readonly as: string | readonly string[];
} & (
	| {
			/** The service of this process, created by `createService`. */
			readonly service: Pick<TollgateService, 'origin' | 'handle'>;
			readonly url?: undefined;
	  }
	| {
			/** Base URL of a sandbox, such as `TOLLGATE_BASE_URL` of `npx tollgate as`. This process has to trust its certificate. */
			readonly url: string;
			readonly service?: undefined;
	  }
);

/** Where a redirect leads only if the browser sends another request that can be routed. */
const redirects = new Set([301, 302, 303, 307, 308]);
/** Headers of a body that was decoded, and of one connection. */
const ofConnection = new Set(['content-encoding', 'content-length', 'transfer-encoding', 'connection', 'keep-alive']);

/**
 * Lets the pages of a browser context reach simulated providers at their real URLs: sign-in pages, cookies and calls. Other hosts are
 * reached as before. The server of an application needs `npx tollgate as` or `handlers` of `tollgate/msw` as well.
 * @throws TypeError for a provider that is not simulated
 * @example
 * test.beforeEach(({ context }) => simulateProviders(context, { as: 'github', service }));
 */
export async function simulateProviders(context: BrowserContext, options: SimulationOptions): Promise<void> {
	const names = readProviderNames(options.as);
	const isOurs = (url: URL) =>
		providerTarget(url, names) !== undefined ||
		(options.service !== undefined && url.origin === options.service.origin);
	// Playwright routes the first request of a chain of redirects only. So no navigation gets a redirect: the page that the
	// browser gets in its place sends the next request.
	await context.route(
		(url) => !isOurs(url) && /^https?:$/.test(url.protocol),
		(route, request) => (request.isNavigationRequest() ? passNavigation(route, request) : route.fallback())
	);
	await context.route(isOurs, async (route, request) => {
		const url = new URL(request.url());
		const cookies = await context.cookies(request.url());
		const headers = new Headers(request.headers());
		if (cookies.length > 0) headers.set('cookie', cookies.map(({ name, value }) => `${name}=${value}`).join('; '));
		const target = providerTarget(url, names);
		if (target !== undefined) headers.set(providerHostHeader, url.host);
		const body = request.postDataBuffer();
		const init = { method: request.method(), headers, ...(body !== null && { body: new Uint8Array(body) }) };
		const response = await send(options, target ?? url.pathname + url.search, init).catch(() => undefined);
		if (response === undefined || response.type === 'error') return route.abort('connectionreset');
		return fulfill(route, request, response);
	});
}

/** @throws TypeError without a response */
function send({ service, url }: SimulationOptions, target: string, init: RequestInit): Promise<Response> {
	if (service === undefined) return fetch(url.replace(/\/+$/, '') + target, { ...init, redirect: 'manual' });
	return handleFetch(service.handle, new Request(service.origin + target, init), { base: '', peer: '127.0.0.1' });
}

async function fulfill(route: Route, request: BrowserRequest, response: Response): Promise<void> {
	const headers: Record<string, string> = {};
	for (const [name, value] of response.headers) if (!ofConnection.has(name)) headers[name] = value;
	// The form in which Playwright takes more than one.
	const cookies = response.headers.getSetCookie();
	if (cookies.length > 0) headers['set-cookie'] = cookies.join('\n');
	const { status } = response;
	if (await redirect(route, request, status, headers)) return;
	await route.fulfill({ status, headers, body: Buffer.from(await response.arrayBuffer()) });
}

async function passNavigation(route: Route, request: BrowserRequest): Promise<void> {
	const response = await route.fetch({ maxRedirects: 0 }).catch(() => undefined);
	// The browser itself says why there is none.
	if (response === undefined) return route.fallback();
	if (await redirect(route, request, response.status(), response.headers())) return;
	await route.fulfill({ response });
}

/** Sends the browser to the URL of a redirect, by a page. @returns whether the response was one */
async function redirect(
	route: Route,
	request: BrowserRequest,
	status: number,
	{ location, ...headers }: Record<string, string>
): Promise<boolean> {
	const isRepeated = status >= 307 && request.method() !== 'GET';
	if (!request.isNavigationRequest() || location === undefined || !redirects.has(status) || isRepeated) return false;
	const url = URL.canParse(location, request.url()) ? new URL(location, request.url()).href : location;
	const cookies = headers['set-cookie'];
	await route.fulfill({
		status: 200,
		headers: {
			'content-type': 'text/html; charset=utf-8',
			'cache-control': 'no-store',
			'referrer-policy': 'same-origin',
			...(cookies !== undefined && { 'set-cookie': cookies })
		},
		body: redirectPage(url)
	});
	return true;
}

/** A page that takes no place in the history. */
function redirectPage(url: string): string {
	const script = `location.replace(${JSON.stringify(url).replaceAll('<', String.raw`\u003c`)})`;
	return html`<!doctype html>
		<title>Redirect</title>
		<script>${{ html: script }}</script>
		<noscript><meta http-equiv="refresh" content="0;url=${url}" /></noscript>`.html;
}
