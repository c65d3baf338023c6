import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { chromium, type Browser, type Page } from '@playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Sandbox } from '../conformance/sandbox.ts';
import { startNode } from '../conformance/hosts/node.ts';
import type { Transport } from '../conformance/transport.ts';
import { showsFlows } from '../client-flows.ts';
import { ensureHeadlessBrowser, launchArguments } from '../run/browser.js';

// A single-page application with `oidc-client-ts` as it is on npm: it knows the issuer, its client_id and its redirect URIs.

const run = promisify(execFile);
const project = mkdtempSync(join(tmpdir(), 'openid-browser-client-'));
const script = join(import.meta.dirname, '../../static/service.js');
let transport: Transport;
let at: Sandbox;
let server: Server;
let browser: Browser;
let origin: string;

beforeAll(async () => {
	await run('npm', ['install', '--no-audit', '--no-fund', 'oidc-client-ts@3.5.0'], { cwd: project });
	const library = readFileSync(join(project, 'node_modules/oidc-client-ts/dist/browser/oidc-client-ts.min.js'));
	server = createServer(({ url }, response) => {
		const isLibrary = url === '/oidc.js';
		response.setHeader('Content-Type', isLibrary ? 'text/javascript' : 'text/html');
		response.end(isLibrary ? library : '<!doctype html><title>App</title><script src="/oidc.js"></script>');
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const address = server.address();
	origin = `http://127.0.0.1:${typeof address === 'object' ? (address?.port ?? 0) : 0}`;
	transport = await startNode();
	at = await Sandbox.create(transport);
	await at.changeSettings({ dialect: 'standard' });
	browser = await chromium.launch({
		executablePath: ensureHeadlessBrowser(),
		args: launchArguments,
		chromiumSandbox: false
	});
}, 300_000);

afterAll(async () => {
	await browser.close();
	server.close();
	await transport.close();
	rmSync(project, { recursive: true, force: true });
});

/** Runs code of the application, which has `manager`. */
function inApp<T>(page: Page, client_id: string, code: string, more = ''): Promise<T> {
	return page.evaluate<T>(`(async () => {
		const manager = new oidc.UserManager({
			authority: ${JSON.stringify(at.base_url)}, client_id: ${JSON.stringify(client_id)},
			redirect_uri: ${JSON.stringify(`${origin}/callback`)}, scope: 'openid profile character_read offline_access',
			post_logout_redirect_uri: ${JSON.stringify(`${origin}/signed-out`)}, loadUserInfo: true, ${more}
		});
		${code}
	})()`);
}

test(
	'oidc-client-ts signs in, renews silently, reads the user and a resource, revokes and signs out',
	{ timeout: 120_000 },
	async () => {
		const wanted = {
			name: 'Single-page application',
			kind: 'installed',
			redirect_uris: [`${origin}/callback`],
			post_logout_redirect_uris: [`${origin}/signed-out`]
		};
		const { client_id } = Object((await at.controlled('POST', 'applications', wanted)).json());
		const page = await (await browser.newContext({ ignoreHTTPSErrors: true })).newPage();
		await page.goto(origin);
		await inApp(page, client_id, 'void manager.signinRedirect()');
		await page.getByLabel('Username').fill('player-one');
		await page.getByLabel('Password').fill('demo');
		await page.getByRole('button', { name: 'Sign in', exact: true }).click();
		await page.getByRole('button', { name: 'Allow' }).click();
		await page.waitForURL(`${origin}/callback?**`);
		const user = await inApp<{ name: string; token: string }>(
			page,
			client_id,
			'const user = await manager.signinRedirectCallback(); return { name: user.profile.name, token: user.access_token };'
		);
		expect(user.name).toBe('player-one');
		const renewed = await inApp<string>(page, client_id, 'return (await manager.signinSilent()).access_token;');
		expect(renewed).not.toBe(user.token);
		const character = `${at.base_url}/ws/v2.0/character/Mara%20Vell`;
		const status = await inApp<number>(
			page,
			client_id,
			`const { access_token } = await manager.getUser();
		return (await fetch(${JSON.stringify(character)}, { headers: { authorization: 'Bearer ' + access_token } })).status;`
		);
		expect(status).toBe(200);
		await inApp(page, client_id, "await manager.revokeTokens(['access_token'])");
		await inApp(page, client_id, "void manager.signoutRedirect({ state: 'bye' })");
		await page.waitForURL(`${origin}/signed-out?**`);
		await inApp(page, client_id, 'await manager.signoutRedirectCallback()');
		await page.goto(`${at.base_url}/account`);
		expect(await page.getByLabel('Password').count()).toBe(1);
		showsFlows('oidc-client-ts 3', 'discovery', 'code', 'refresh', 'revocation', 'sign-out');
	}
);

test('oidc-client-ts binds its code and its tokens to a key', { timeout: 60_000 }, async () => {
	const { client_id } = await at.register('installed', [`${origin}/callback`]);
	// It sends no proof to user info.
	const dpop = 'loadUserInfo: false, dpop: { bind_authorization_code: true, store: new oidc.IndexedDbDPoPStore() }';
	const page = await (await browser.newContext({ ignoreHTTPSErrors: true })).newPage();
	await page.goto(origin);
	await inApp(page, client_id, 'void manager.signinRedirect()', dpop);
	await page.getByLabel('Username').fill('player-one');
	await page.getByLabel('Password').fill('demo');
	await page.getByRole('button', { name: 'Sign in', exact: true }).click();
	await page.getByRole('button', { name: 'Allow' }).click();
	await page.waitForURL(`${origin}/callback?**`);
	const character = JSON.stringify(`${at.base_url}/ws/v2.0/character/Mara%20Vell`);
	const called = await inApp<unknown>(
		page,
		client_id,
		`const user = await manager.signinRedirectCallback();
		const proof = await manager.dpopProof(new URL(${character}), user);
		const bound = { authorization: 'DPoP ' + user.access_token, DPoP: proof };
		const { status } = await fetch(${character}, { headers: bound });
		const stolen = await fetch(${character}, { headers: { authorization: 'Bearer ' + user.access_token } });
		return [user.token_type, status, stolen.status];`,
		dpop
	);
	expect(called).toEqual(['DPoP', 200, 401]);
	showsFlows('oidc-client-ts 3', 'DPoP');
});

test('a form_post response reaches the client with and without scripts', { timeout: 60_000 }, async () => {
	const redirect_uri = `${origin}/callback`;
	const app = await at.register('web', [redirect_uri]);
	for (const javaScriptEnabled of [true, false]) {
		const page = await (await browser.newContext({ ignoreHTTPSErrors: true, javaScriptEnabled })).newPage();
		// The host of this test has no static files.
		await page.route('**/service.js', (route) => route.fulfill({ path: script, contentType: 'text/javascript' }));
		const query = {
			response_type: 'code',
			client_id: app.client_id,
			redirect_uri,
			scope: 'openid',
			nonce: 'n',
			state: 's'
		};
		await page.goto(
			`${at.base_url}/ws/oauth2/auth/?${new URLSearchParams({ ...query, response_mode: 'form_post' }).toString()}`
		);
		await page.getByLabel('Username').fill('player-one');
		await page.getByLabel('Password').fill('demo');
		await page.getByRole('button', { name: 'Sign in', exact: true }).click();
		const posted = page.waitForRequest((request) => request.url() === redirect_uri && request.method() === 'POST');
		// The first run allowed the application already.
		if (javaScriptEnabled) await page.getByRole('button', { name: 'Allow' }).click();
		else await page.getByRole('button', { name: 'Continue' }).click();
		const body = new URLSearchParams((await posted).postData() ?? '');
		expect([body.get('state'), body.get('iss'), body.has('code')]).toEqual(['s', at.base_url, true]);
	}
});
