import { createServer, type Server } from 'node:http';
import { chromium, type Browser } from '@playwright/test';
import { setupServer } from 'msw/node';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { handlers } from '#hosts/library/msw.ts';
import { simulateProviders } from '#hosts/library/playwright.ts';
import { createService, type TollgateService } from '#hosts/library/tollgate.ts';
import { findHeadlessBrowser, launchArguments } from '../../run/browser.js';

let app: Server;
let home = '';
let service: TollgateService;
let browser: Browser;
const back = setupServer();

beforeAll(async () => {
	app = createServer((request, response) => {
		void respond(request.url ?? '').then(([status, headers, body]) => response.writeHead(status, headers).end(body));
	});
	await new Promise<void>((resolve) => void app.listen(0, '127.0.0.1', resolve));
	const address = app.address();
	home = `http://localhost:${typeof address === 'object' && address !== null ? address.port : 0}`;
	service = createService({
		world: {
			format: 'tollgate-world',
			version: 1,
			applications: [
				{
					client_id: 'my-app',
					name: 'My app',
					kind: 'web',
					redirect_uris: [`${home}/callback`, '{base_url}/viewer/callback'],
					secret: 'my-secret'
				}
			]
		}
	});
	back.listen({ onUnhandledRequest: 'bypass' });
	back.use(...handlers(service, { as: 'github' }));
	const executablePath = findHeadlessBrowser();
	browser = await chromium.launch({
		chromiumSandbox: false,
		// A request that is not routed fails at once.
		args: [...launchArguments, '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost'],
		...(executablePath !== undefined && { executablePath })
	});
});
afterAll(async () => {
	back.close();
	await browser.close();
	app.close();
});

/** An application that knows the real URLs of two providers. */
async function respond(path: string): Promise<[number, Record<string, string>, string]> {
	const url = new URL(path, home);
	const redirectUri = `${home}/callback`;
	const query = new URLSearchParams({ client_id: 'my-app', redirect_uri: redirectUri, state: 'github-state' });
	if (url.pathname === '/login')
		return [302, { location: '/login/start', 'set-cookie': 'state=github-state; HttpOnly; SameSite=Lax' }, ''];
	if (url.pathname === '/login/start')
		return [303, { location: `https://github.com/login/oauth/authorize?${query}&scope=user` }, ''];
	if (url.pathname !== '/callback') return [200, { 'content-type': 'text/html' }, '<a href="/login">Sign in</a>'];
	const response = await fetch('https://github.com/login/oauth/access_token', {
		method: 'POST',
		headers: { accept: 'application/json' },
		body: new URLSearchParams({
			client_id: 'my-app',
			client_secret: 'my-secret',
			code: url.searchParams.get('code') ?? ''
		})
	});
	const { access_token } = await response.json();
	const user = await fetch('https://api.github.com/user', {
		headers: { authorization: `Bearer ${access_token}`, 'user-agent': 'app' }
	});
	const { login } = await user.json();
	return [200, { 'content-type': 'text/html' }, `<h1>Hello ${login}</h1><p>${url.searchParams.get('state')}</p>`];
}

it('signs a user in at the real URL of GitHub, and comes back to the application', async () => {
	const context = await browser.newContext();
	await simulateProviders(context, { as: ['github'], service });
	const page = await context.newPage();
	await page.goto(home);
	await page.getByRole('link', { name: 'Sign in' }).click();
	await expect.poll(() => page.url()).toMatch(/^https:\/\/github\.com\/login\/oauth\/authorize\?/);
	const main = page.getByRole('main');
	expect(await main.textContent()).toContain('Simulated. Not affiliated with GitHub.');
	await page.getByLabel('Username').fill('player-one');
	await page.getByLabel('Password').fill('demo');
	await page.getByRole('button', { name: 'Sign in' }).click();
	await page.getByRole('button', { name: 'Allow' }).click();
	expect(await page.getByRole('heading').textContent()).toBe('Hello player-one');
	expect(page.url()).toMatch(new RegExp(`^${home}/callback\\?`));
	expect(await page.getByText('github-state').count()).toBe(1);
	// The sign-in page has its cookie at the real host, and the application has its own.
	const cookies = await context.cookies();
	expect(cookies.map(({ domain, name }) => `${domain} ${name}`).toSorted()).toEqual([
		'github.com __Host-tollgate-session',
		'localhost state'
	]);
	// The user is still signed in there.
	await page.goto(`${home}/login`);
	expect(await page.getByRole('heading').textContent()).toBe('Hello player-one');
	await context.close();
});

it('calls an API of a provider from a page, and reaches no other host of the providers', async () => {
	const context = await browser.newContext();
	await simulateProviders(context, { as: 'github', service });
	const page = await context.newPage();
	const unknown = await page.goto('https://github.com/octocat');
	expect(unknown?.status()).toBe(404);
	expect(await page.textContent('body')).toContain('Not simulated by the file github');
	await expect(page.goto('https://accounts.google.com.example/')).rejects.toThrow(/ERR_NAME_NOT_RESOLVED/);
	await context.close();
});

it('names the providers where one is unknown', async () => {
	const context = await browser.newContext();
	await expect(simulateProviders(context, { as: 'gitlab', service })).rejects.toThrow(/No provider "gitlab"/);
	await context.close();
});
