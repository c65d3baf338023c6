import { existsSync, statSync } from 'node:fs';
import { request } from 'node:https';
import type { Page } from '@playwright/test';
import { expect, test, type Home, type Running } from './companion-process.ts';

const address = /https:\/\/localhost:\d+\S*\/ws\/oauth2\/auth\/\?\S+/;

/** Opens the address that a login has printed, and signs a demo person in there as far as the consent page. */
async function signInAt(page: Page, login: Running, username: string): Promise<URL> {
	const printed = await login.said(address);
	await page.goto(printed);
	const account = page.getByRole('button', { name: username });
	const consent = page.locator('button[value=approve]');
	await expect(account.or(consent)).toBeVisible();
	if (await account.isVisible()) await account.click();
	await expect(consent).toBeVisible();
	return new URL(printed);
}

/** The whole way, for the tests that are about something else. */
async function signedIn(page: Page, home: Home, words: readonly string[] = []) {
	const login = home.start(['login', '--json', ...words]);
	await signInAt(page, login, 'player-one');
	await page.locator('button[value=approve]').click();
	const ended = await login.ended;
	expect(ended.code, ended.err).toBe(0);
}

test('login, show, limits, logout', async ({ page, home, picture }) => {
	const login = home.start(['login', '--scope', 'character_read location_read']);
	const asked = await signInAt(page, login, 'player-one');
	expect(asked.searchParams.get('redirect_uri')).toMatch(/^http:\/\/localhost:\d+$/);
	expect(asked.searchParams.get('code_challenge_method')).toBe('S256');
	expect(asked.searchParams.has('access_type')).toBe(false);
	await page.locator('button[value=approve]').click();
	await expect(page.getByRole('heading', { name: 'You are signed in' })).toBeVisible();
	expect(page.url()).toBe(`${asked.searchParams.get('redirect_uri') ?? ''}/signed-in`);
	await picture('companion-cli-signed-in');
	const { code, out, err } = await login.ended;
	expect(code, err).toBe(0);
	expect(out).toContain('Signed in. Allowed: character_read, location_read.');

	const [file = ''] = home.files();
	expect(statSync(file).mode & 0o777).toBe(0o600);
	expect(statSync(home.shelf).mode & 0o777).toBe(0o700);
	expect(out).toContain(file);
	const kept = home.kept();
	expect(kept).not.toContain(asked.searchParams.get('state'));
	const token = /"refresh_token": "([^"]+)"/.exec(kept)?.[1] ?? '';
	expect(token).not.toBe('');

	const shown = await home.run(['show', 'Mara', 'Vell']);
	expect(shown.code, shown.err).toBe(0);
	expect(shown.out).toMatch(/^Mara Vell\n {2}race +Human\n/);
	expect(shown.out).toContain('Lantern Quay');
	expect(shown.err).toContain('Asking for Mara Vell …');
	expect(shown.err).toContain('login --scope "character_read location_read inventory_read credits_read"');
	expect(shown.err).toMatch(/599 of 600 calls left, reset in (?:60|59) min/);
	for (const text of [shown.out, shown.err, out, err]) {
		expect(text).not.toContain(token);
		expect(text).not.toContain('\u001b');
	}

	const table = await home.run(['limits']);
	expect(table.code).toBe(0);
	expect(table.out.split('\n')[0]).toMatch(/^PATTERN +LIMIT +LEFT +RESETS +AT$/);
	expect(table.out).toMatch(/\/ws\/v2\.0\/character\/\* +600 +599 +in \d+ min +\S.* \+0000\n/);

	const logout = await home.run(['logout']);
	expect(logout.code, logout.err).toBe(0);
	expect(logout.out).toBe('Signed out. The service ended the access, and the tokens are deleted here.\n');
	expect(existsSync(file)).toBe(false);
	expect((await home.run(['show', 'Mara Vell'])).code).toBe(3);
	expect((await home.run(['logout', '--json'])).out).toContain('"access":"nobody"');
});

test('--json: one line of JSON on standard output, and nothing else', async ({ page, home, server }) => {
	const login = home.start(['login', '--json', '--no-open']);
	await signInAt(page, login, 'player-two');
	await page.locator('button[value=approve]').click();
	const { out } = await login.ended;
	expect(JSON.parse(out)).toMatchObject({
		...{ signed_in: true, base_url: server.origin, permissions: ['character_read'], offline: true, replaced: false },
		stored_in: home.files()[0]
	});
	const shown = await home.run(['show', '--json', 'Half/Life']);
	expect(JSON.parse(shown.out)).toMatchObject({
		character: { name: 'Half/Life' },
		limit: { limit: 600, remaining: 599 }
	});
	const limits = await home.run(['limits', '--json']);
	expect(JSON.parse(limits.out)).toMatchObject({ ratelimits: [{ limit: 600, remaining: 599 }, { limit: 150 }] });
	const missing = await home.run(['show', 'Nobody At All', '--json']);
	expect(missing.code).toBe(1);
	expect(JSON.parse(missing.out)).toMatchObject({ error: { code: 'not_found', status: 404 } });
	const logout = await home.run(['logout', '--json']);
	expect(JSON.parse(logout.out)).toMatchObject({ signed_in: false, access: 'revoked' });
});

test('the person refuses: exit code 4, nothing stored', async ({ page, home }) => {
	const login = home.start(['login']);
	await signInAt(page, login, 'player-one');
	await page.locator('button[value=deny]').click();
	await expect(page.getByRole('heading', { name: 'You did not agree' })).toBeVisible();
	const { code, out, err } = await login.ended;
	expect(code).toBe(4);
	expect(out).toBe('');
	expect(err).toContain('✗ You did not agree');
	expect(home.files()).toEqual([]);
});

test('an answer with a wrong state is refused, and the right one still counts', async ({ page, home }) => {
	const login = home.start(['login']);
	const asked = await signInAt(page, login, 'player-one');
	const listener = asked.searchParams.get('redirect_uri') ?? '';
	const stranger = await page.context().newPage();
	for (const query of ['code=stolen&state=wrong', 'code=stolen', 'error=access_denied']) {
		expect((await stranger.goto(`${listener}/?${query}`))?.status()).toBe(400);
	}
	await expect(stranger.getByRole('heading', { name: 'The answer carries no state' })).toBeVisible();
	expect((await stranger.goto(`${listener}/elsewhere`))?.status()).toBe(404);
	await login.said(/state was not made here/);
	expect(home.files()).toEqual([]);

	await page.locator('button[value=approve]').click();
	await expect(page.getByRole('heading', { name: 'You are signed in' })).toBeVisible();
	expect((await login.ended).code).toBe(0);
});

test('a second login replaces the first; the browser is opened at the address', async ({ page, home }) => {
	await signedIn(page, home);
	const before = home.kept();
	const { program, address: opened } = home.fakeBrowser();
	const login = home.start(['login', '--json'], { BROWSER: program });
	const printed = await login.said(address);
	await expect.poll(opened).toBe(printed);
	await page.goto(opened());
	// An installed application can't be authenticated: consent is asked again.
	await page.locator('button[value=approve]').click();
	const { out, err } = await login.ended;
	expect(JSON.parse(out)).toMatchObject({ replaced: true, offline: true });
	expect(err).toContain('The earlier sign-in was forgotten here.');
	expect(home.kept()).not.toBe(before);
	expect(home.kept().match(/"refresh_token"/g)).toHaveLength(1);
	expect((await home.run(['show', 'Mara Vell'])).code).toBe(0);
});

test('the token is renewed when it has expired, and an access that was taken away is one clear message', async ({
	page,
	home,
	server
}) => {
	await signedIn(page, home);
	await server.control('POST', '/control/clock', { advance: 4000 });
	const renewed = await home.run(['show', '100% Orc']);
	expect(renewed.code, renewed.err).toBe(0);
	expect(renewed.err).toContain('renewing the access token');

	await page.goto('/account');
	await page.getByRole('button', { name: 'Take the access away' }).click();
	await expect(page.getByText('No application has access to this account.')).toBeVisible();
	for (const words of [['show', '100% Orc'], ['limits']]) {
		const over = await home.run(words);
		expect(over.code).toBe(3);
		expect(over.err).toContain('✗ The access was taken away');
		expect(over.err).toContain('Sign in again: npm run companion -- login --base-url');
	}
	expect(home.kept()).toContain('"refresh_token": null');
});

test('logout revokes: the tokens that were there are dead', async ({ page, home, server }) => {
	await signedIn(page, home);
	const token = /"access_token": "([^"]+)"/.exec(home.kept())?.[1] ?? '';
	expect(await statusOf(server.origin, server.authority, token)).toBe(200);
	expect((await home.run(['logout'])).code).toBe(0);
	expect(await statusOf(server.origin, server.authority, token)).toBe(401);
});

test('a sandbox is a service of its own', async ({ page, home, server }) => {
	await signedIn(page, home);
	const made = await server.control('POST', '/control/sandboxes');
	const base_url = /"base_url":"([^"]+)"/.exec(JSON.stringify(made))?.[1] ?? '';
	expect((await home.run(['show', 'Mara Vell', '--base-url', base_url])).code).toBe(3);
	await signedIn(page, home, ['--base-url', `${base_url}/`]);
	expect(home.files()).toHaveLength(2);
	expect((await home.run(['show', 'Mara Vell', '--base-url', base_url])).code).toBe(0);
});

test('nobody answers in the browser, or somebody presses Ctrl-C: nothing is left behind', async ({ home }) => {
	const late = await home.run(['login', '--timeout', '0.2']);
	expect(late.code).toBe(5);
	expect(late.err).toContain('✗ No answer from the browser');

	const login = home.start(['login']);
	const listener = new URL(await login.said(address)).searchParams.get('redirect_uri') ?? '';
	login.child.kill('SIGINT');
	expect((await login.ended).code).toBe(130);
	await expect(fetch(listener)).rejects.toThrow();
	expect(home.files()).toEqual([]);
});

test('a certificate that nobody vouches for is not trusted', async ({ page, home }) => {
	await signedIn(page, home);
	const untrusted = await home.run(['show', 'Mara Vell', '--json'], { DATA_DIR: home.shelf });
	expect(untrusted.code).toBe(5);
	expect(JSON.parse(untrusted.out)).toMatchObject({ error: { code: 'untrusted' } });
	const ca = `${home.folder}/data/tls/ca.pem`;
	expect((await home.run(['show', 'Mara Vell', '--ca', ca], { DATA_DIR: home.shelf })).code).toBe(0);
	expect((await home.run(['show', 'Mara Vell'], { DATA_DIR: home.shelf, NODE_EXTRA_CA_CERTS: ca })).code).toBe(0);
});

test('--help, and a command line that makes no sense', async ({ home }) => {
	for (const words of [['--help'], ['login', '--help'], ['show', '-h'], ['limits', '--help'], ['logout', '--help']]) {
		const { code, out, err } = await home.run(words);
		expect(code).toBe(0);
		expect(err).toBe('');
		expect(out).toContain('USAGE npm run companion --');
		expect(out).toContain('EXIT CODES');
	}
	for (const words of [[], ['sing'], ['show'], ['limits', '--jsno'], ['logout', 'now'], ['--ca', 'x', 'limits']]) {
		expect(await home.run(words), words.join(' ')).toMatchObject({ code: 2, out: '' });
	}
	for (const url of ['nonsense', 'ftp://x.example', 'http://tollgate.example', 'https://x.example/?a=b']) {
		expect(await home.run(['limits', '--base-url', url])).toMatchObject({ code: 2, out: '' });
	}
});

/** The status of one call of a character. */
function statusOf(origin: string, ca: string, token: string): Promise<number | undefined> {
	return new Promise((resolve, reject) => {
		const headers = { authorization: `OAuth ${token}` };
		request(`${origin}/ws/v2.0/character/Mara%20Vell`, { ca, headers }, (answer) => {
			answer.resume();
			resolve(answer.statusCode);
		})
			.once('error', reject)
			.end();
	});
}
