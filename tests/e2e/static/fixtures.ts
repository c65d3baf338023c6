import { expect, test as base, type BrowserContext, type Page } from '@playwright/test';
import { isServicePath } from '#api/service-path.ts';
import { staticBuild } from '../../run/builds.js';
import { serveStatic, type StaticServer } from '../../run/static-server.js';

/** The static build on a server of static files. */
export type Site = StaticServer & {
	/** The path of the base URL. */
	readonly base: '' | '/demo';
	/** Of the home page, with a trailing slash. */
	readonly url: string;
	/** Requests that must never reach the network: those of the service, and all that can have a body. */
	leaks(): string[];
};

type Fixtures = {
	site: Site;
	/** The home page, controlled by the service worker. */
	served: Page;
};
type WorkerFixtures = { folders: Record<Site['base'], string> };
type Options = { base: Site['base'] };

export const test = base.extend<Fixtures & Options, WorkerFixtures>({
	base: ['', { option: true }],
	folders: [
		// eslint-disable-next-line no-empty-pattern -- Playwright reads the dependencies of a fixture from this pattern
		async ({}, use) => use({ '': staticBuild(''), '/demo': staticBuild('/demo') }),
		{ scope: 'worker' }
	],
	baseURL: async ({ site }, use) => use(site.origin),
	async site({ base, folders }, use) {
		const site = await openSite(base, folders[base]);
		await use(site);
		await site.close();
	},
	async served({ page, site }, use) {
		await openServed(page, site);
		await use(page);
	}
});

export { expect };

type Shared = { readonly site: Site; readonly context: BrowserContext };

/**
 * For tests that need no new browser: those of one worker share a site and a browser context whose service worker is installed.
 * Each begins with the demo data and ends with all pages closed.
 */
export const sharedTest = test.extend<object, { shared: Shared }>({
	shared: [
		async ({ browser, folders }, use) => {
			const [site, context] = await Promise.all([openSite('', folders['']), browser.newContext()]);
			await use({ site, context });
			await context.close();
			await site.close();
		},
		{ scope: 'worker' }
	],
	site: ({ shared }, use) => use(shared.site),
	async context({ shared: { context } }, use) {
		await use(context);
		for (const page of context.pages()) await page.close();
	},
	page: async ({ context }, use) => use(await context.newPage()),
	async served({ page, site }, use) {
		await openServed(page, site);
		await control(page, site, 'POST', 'reset');
		await use(page);
	}
});

/** Serves a folder of a static build. */
export async function openSite(base: Site['base'], folder: string): Promise<Site> {
	const server = await serveStatic(folder, base);
	const leaks = () =>
		server.requests
			.filter(({ method, target }) => !/^(GET|HEAD)$/.test(method) || isServicePath(target.slice(base.length)))
			.map(({ method, target, body }) => `${method} ${target} ${body}`);
	return { ...server, base, url: `${server.origin}${base}/`, leaks };
}

/** Opens a page, and waits until the service worker controls it. */
export async function openServed(page: Page, site: Site, path = ''): Promise<Page> {
	await page.goto(site.url + path);
	await whenServed(page, site);
	return page;
}

/** Waits until the service worker controls a page and responds. An uncontrolled page reloads, which ends what runs in it. */
export async function whenServed(page: Page, site: Site): Promise<void> {
	const status = () => sendSecret(page, site).catch(() => 'reloading');
	// A browser and its worker start many times slower beside other programs.
	await expect.poll(status, { timeout: 90_000 }).toBe(unknownToken);
}

/** Waits until the service worker has all files for use offline. */
export async function keptForOffline(page: Page, site: Site): Promise<void> {
	const isKept = (path: string) => caches.match(path).then((response) => response !== undefined);
	// The document is kept last.
	await expect.poll(() => page.evaluate(isKept, `${site.base}/`).catch(() => false), { timeout: 60_000 }).toBe(true);
}

/** The files that the document of a page requested and did not get. */
export function failedResources(page: Page): Promise<string[]> {
	return page.evaluate(() =>
		performance.getEntriesByType('resource').flatMap((entry) => {
			const status: unknown = Reflect.get(entry, 'responseStatus');
			return status === 200 || status === 0 ? [] : [entry.name];
		})
	);
}

/** The status of `sendSecret`'s request. */
export const unknownToken = 400;

/** Sends a token request with a secret in it. Returns its status, or the name of the error. */
export function sendSecret(page: Page, { base }: Site): Promise<number | string> {
	return page.evaluate(async (base) => {
		const fields = {
			grant_type: 'refresh_token',
			refresh_token: 'refresh-secret',
			client_id: 'character-viewer',
			client_secret: 'viewer-secret'
		};
		try {
			return (await fetch(`${base}/ws/oauth2/token/`, { method: 'POST', body: new URLSearchParams(fields) })).status;
		} catch (fault) {
			return fault instanceof Error ? fault.name : 'thrown';
		}
	}, base);
}

/** The address of an authorization request of the demo world's viewer, or of the installed application. */
export function authorizationUrl(site: Site, more: Record<string, string> = {}): string {
	const asked = new URLSearchParams({
		response_type: 'code',
		client_id: 'character-viewer',
		redirect_uri: `${site.url}viewer/callback`,
		scope: 'character_read',
		...more
	});
	return `${site.url}ws/oauth2/auth/?${asked.toString()}`;
}

/** Calls the control API from a page. */
export async function control(
	page: Page,
	{ base }: Site,
	method: string,
	path: string,
	body?: object
): Promise<unknown> {
	const { status, text } = await call(page, `${base}/control/${path}`, { method, body: body && JSON.stringify(body) });
	if (status >= 400) throw new Error(`${method} ${path}: ${status} ${text}`);
	const data: unknown = JSON.parse(text);
	return data;
}

/** Sends a request from a page. */
export function call(
	page: Page,
	url: string,
	{ method = 'GET', body, token }: { method?: string; body?: string | undefined; token?: string } = {}
): Promise<{ status: number; text: string }> {
	return page.evaluate(
		async ({ url, method, body, token }) => {
			const headers = new Headers(body === undefined ? {} : { 'Content-Type': 'application/json' });
			if (token !== undefined) headers.set('Authorization', `OAuth ${token}`);
			const response = await fetch(url, { method, headers, ...(body === undefined ? {} : { body }) });
			return { status: response.status, text: await response.text() };
		},
		{ url, method, body, token }
	);
}

export type Tokens = { readonly access_token: string; readonly refresh_token: string };

const installedApp = { client_id: 'pocket-companion', client_secret: 'companion-secret' };
const outOfBand = 'urn:ietf:wg:oauth:2.0:oob';

/** Sends a token request of the installed app from a page. */
export function tokenRequest(page: Page, { base }: Site, fields: object): Promise<{ status: number; body: Tokens }> {
	return page.evaluate(
		async ({ base, fields }) => {
			const response = await fetch(`${base}/ws/oauth2/token/`, { method: 'POST', body: new URLSearchParams(fields) });
			const body: Tokens = await response.json();
			return { status: response.status, body };
		},
		{ base, fields: { ...installedApp, ...fields } }
	);
}

export function exchange(page: Page, site: Site, code: string): Promise<{ status: number; body: Tokens }> {
	return tokenRequest(page, site, { grant_type: 'authorization_code', code, redirect_uri: outOfBand });
}

export function refresh(page: Page, site: Site, refresh_token: string): Promise<{ status: number; body: Tokens }> {
	return tokenRequest(page, site, { grant_type: 'refresh_token', refresh_token });
}

/** Authorizes the installed app offline. Returns the code from the title, and goes back to the home page: pages of the service send no requests. */
export async function authorize(page: Page, site: Site): Promise<string> {
	const { client_id } = installedApp;
	await page.goto(authorizationUrl(site, { client_id, redirect_uri: outOfBand, access_type: 'offline' }));
	const user = page.getByRole('button', { name: 'player-one' });
	const approve = page.locator('button[value=approve]');
	await expect(user.or(approve)).toBeVisible();
	if (await user.isVisible()) await user.click();
	await approve.click();
	await expect(page).toHaveTitle(/^Success,code=/);
	const code = (await page.title()).replace('Success,code=', '');
	await page.goto(site.url);
	return code;
}

/** The tokens of `authorize`. */
export async function tokensOf(page: Page, site: Site): Promise<Tokens> {
	return (await exchange(page, site, await authorize(page, site))).body;
}

/** Stops the service worker, as a browser does after 30 s without requests. */
export async function stopWorker(page: Page): Promise<void> {
	const session = await page.context().newCDPSession(page);
	await session.send('ServiceWorker.enable');
	await session.send('ServiceWorker.stopAllWorkers');
	await session.detach();
}

/** A second tab of the same browser. */
export async function anotherTab(context: BrowserContext, site: Site): Promise<Page> {
	return openServed(await context.newPage(), site);
}
