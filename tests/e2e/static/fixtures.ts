import { expect, test as base, type BrowserContext, type Page } from '@playwright/test';
import { isServicePath } from '#service/service.ts';
import { staticBuild } from '../../run/builds.js';
import { serveStatic, type StaticServer } from '../../run/static-server.js';

/** The static build on a plain server of files. */
export type Site = StaticServer & {
	/** The path below which it stands. */
	readonly base: '' | '/demo';
	/** Of the front page, with a slash at its end. */
	readonly url: string;
	/** What came over the network that should never leave the browser: requests for the service, and all that are not GET. */
	leaks(): string[];
};

type Fixtures = {
	site: Site;
	/** A page that shows the front page, its requests answered through the worker. */
	served: Page;
};
type WorkerFixtures = { folders: Record<Site['base'], string> };
type Options = { base: Site['base'] };

export const test = base.extend<Fixtures & Options, WorkerFixtures>({
	base: ['', { option: true }],
	folders: [
		// eslint-disable-next-line no-empty-pattern -- Playwright reads what a fixture needs off this very pattern
		async ({}, use) => use({ '': staticBuild(''), '/demo': staticBuild('/demo') }),
		{ scope: 'worker' }
	],
	baseURL: async ({ site }, use) => use(site.origin),
	async site({ base, folders }, use) {
		const server = await serveStatic(folders[base], base);
		const leaks = () =>
			server.asked
				.filter(({ method, target }) => method !== 'GET' || isServicePath(target.slice(base.length)))
				.map(({ method, target, body }) => `${method} ${target} ${body}`);
		await use({ ...server, base, url: `${server.origin}${base}/`, leaks });
		await server.close();
	},
	async served({ page, site }, use) {
		await openServed(page, site);
		await use(page);
	}
});

export { expect };

/** Opens the front page, and waits until the worker answers its requests. */
export async function openServed(page: Page, site: Site, path = ''): Promise<Page> {
	await page.goto(site.url + path);
	await whenServed(page);
	return page;
}

/** Waits until this page has a worker, and is ready to answer it. */
export async function whenServed(page: Page): Promise<void> {
	await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
	await page
		.waitForFunction(async () => (await fetch('control/health')).status === 200, undefined, { polling: 100 })
		.catch(() => undefined);
}

/** A token request with a secret in it, as a script of the page sends it. */
export async function sendSecret(page: Page, base: string): Promise<number | string> {
	return page.evaluate(async (base) => {
		// What is run from outside may come before the page's first script, in its head; nothing inside the page can.
		if (document.querySelector('body') === null) return 'not begun';
		const fields = {
			...{ grant_type: 'refresh_token', refresh_token: 'refresh-secret' },
			...{ client_id: 'character-viewer', client_secret: 'viewer-secret' }
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

/** Calls the control API by the page's own fetch. */
export function control(page: Page, base: string, method: string, path: string, body?: object): Promise<unknown> {
	return page.evaluate(
		async ({ url, method, body }) => {
			const headers = { 'Content-Type': 'application/json' };
			const init = body === undefined ? { method } : { method, headers, body: JSON.stringify(body) };
			const response = await fetch(url, init);
			if (!response.ok) throw new Error(`${method} ${url}: ${response.status} ${await response.text()}`);
			const data: unknown = await response.json();
			return data;
		},
		{ url: `${base}/control/${path}`, method, body }
	);
}

/** Signs in and consents in a page; gives the tokens of the code that came of it. */
export async function tokensOf(page: Page, site: Site): Promise<{ access_token: string; refresh_token: string }> {
	const code = await codeOf(page, site);
	return page.evaluate(
		async ({ base, code }) => {
			const fields = {
				...{ grant_type: 'authorization_code', code, redirect_uri: 'urn:ietf:wg:oauth:2.0:oob' },
				...{ client_id: 'pocket-companion', client_secret: 'companion-secret' }
			};
			const response = await fetch(`${base}/ws/oauth2/token/`, { method: 'POST', body: new URLSearchParams(fields) });
			const tokens: { access_token: string; refresh_token: string } = await response.json();
			return tokens;
		},
		{ base: site.base, code }
	);
}

/** Signs in where need be, and allows the installed application; gives the code that the page shows in its title. */
export async function codeOf(page: Page, site: Site): Promise<string> {
	const installed = {
		client_id: 'pocket-companion',
		redirect_uri: 'urn:ietf:wg:oauth:2.0:oob',
		access_type: 'offline'
	};
	await page.goto(authorizationUrl(site, installed));
	const demo = page.getByRole('button', { name: 'player-one' });
	const allow = page.getByRole('button', { name: 'Allow', exact: true });
	await expect(demo.or(allow)).toBeVisible();
	if (await demo.isVisible()) await demo.click();
	await allow.click();
	await expect(page).toHaveTitle(/^Success,code=/);
	return (await page.title()).replace('Success,code=', '');
}

/** A second tab of the same browser. */
export async function anotherTab(context: BrowserContext, site: Site): Promise<Page> {
	return openServed(await context.newPage(), site);
}
