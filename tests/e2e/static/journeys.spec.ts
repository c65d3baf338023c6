import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import * as v from 'valibot';
import { providerFilesPath } from '#hosts/browser/load-providers.ts';
import { offlineFiles, offlineFilesPath } from '#hosts/browser/offline-files.ts';
import { openViewer, showCharacter, signIn } from '../demo-clients.ts';
import { layoutShift } from '../layout-shift.ts';
import {
	authorizationUrl,
	authorize,
	call,
	control,
	expect,
	failedResources,
	keptForOffline,
	openServed,
	test,
	whenServed
} from './fixtures.ts';

test.describe('below a base path', () => {
	test.use({ base: '/demo' });

	test('a user signs in, allows access, and the viewer reads with the token', async ({ served, site }) => {
		await openViewer(served, site.base);
		await signIn(served, 'player-one');
		await showCharacter(served, 'Mara Vell');
		await expect(served.getByText('Lantern Quay').or(served.getByText('The Long Road')).first()).toBeVisible();
		// The last row of the log.
		await expect(served.getByRole('link', { name: /^Show checks of GET .*character/ })).toBeVisible();
		await served.getByRole('link', { name: /^Show checks of POST/ }).click();
		await served.getByRole('region', { name: 'Both ends' }).getByRole('button', { name: 'Share' }).click();
		await served.goto(await served.getByLabel('Link').inputValue());
		await expect(served.getByRole('heading', { level: 1, name: 'Tokens issued' })).toBeVisible();
		await expect(served.getByRole('main').getByRole('button', { name: /^code_verifier/ })).toBeVisible();
		const account = await served.goto(`${site.url}account`);
		expect(account?.headers()['content-security-policy']).toContain("default-src 'none'");
		await expect(served.getByText('player-one').first()).toBeVisible();
		expect(await served.evaluate(() => document.cookie)).toBe('');
		await served.getByRole('link', { name: 'Tollgate' }).click();
		await expect(served).toHaveURL(site.url);
		await served.goBack();
		await expect(served.getByText('player-one').first()).toBeVisible();
		expect(site.leaks()).toEqual([]);
	});

	test('BR-01 opens at a page of the service, of a sandbox, and of no sandbox', async ({ page, site }) => {
		const deepLink = authorizationUrl(site, { state: 's1' });
		await page.goto(deepLink);
		await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
		await expect(page).toHaveURL(deepLink);
		await expect(page.getByText('enter real passwords')).toBeVisible();
		await page.goto(site.url);
		const made: unknown = await control(page, site, 'POST', 'sandboxes');
		const sandbox = String(Reflect.get(Object(made), 'base_url'));
		expect(sandbox).toMatch(new RegExp(`^${site.url}~[\\w-]{20}$`));
		await page.goto(`${sandbox}/account`);
		await expect(page.getByLabel('Username')).toBeVisible();
		await page.goto(`${sandbox}/viewer`);
		await expect(page.getByRole('heading', { level: 1, name: 'Character Viewer' })).toBeVisible();
		for (const path of ['viewer', 'account']) {
			const missing = await page.goto(`${site.url}~no-such-sandbox/${path}`);
			expect(missing?.status()).toBe(404);
			await expect(page.getByRole('link', { name: 'Open the Character Viewer' })).toBeVisible();
		}
	});

	test('works offline a few seconds after the first visit', async ({ served, site }) => {
		await keptForOffline(served, site);
		expect(await layoutShift(served)).toBeLessThan(0.005);
		// A sandbox that speaks like a provider loads the files of the providers, and keeps them.
		const requested = () => site.requests.filter(({ target }) => target.endsWith(providerFilesPath)).length;
		const failAtGitHub = () => call(served, `${site.base}/as/github/login/oauth/access_token`, { method: 'POST' });
		expect(requested()).toBe(0);
		expect((await failAtGitHub()).text).toContain('error=incorrect_client_credentials');
		expect(requested()).toBe(1);
		await site.close();
		await served.reload();
		await whenServed(served, site);
		expect((await failAtGitHub()).status).toBe(200);
		// The nightly tests open the others.
		for (const path of ['viewer', 'docs/errors/', 'nothing-here']) {
			await served.goto(site.url + path);
			await expect(served.getByRole('heading', { level: 1 })).toBeVisible();
		}
		await served.goto(`${site.url}console/application?client_id=character-viewer&tab=connect`);
		await expect(served.getByText('Other programs cannot reach this service')).toBeVisible();
		expect(await authorize(served, site)).not.toBe('');
		expect(await failedResources(served)).toEqual([]);
	});
});

test('a first visit costs less than 276 kB, and less than 870 kB with the files for use offline', async ({
	page,
	site
}) => {
	await page.clock.install();
	await page.clock.pauseAt(Date.now() + 60_000);
	await openServed(page, site);
	let first = 0;
	// Until the page has all its files: the clock is paused, so the rest is not requested yet.
	const isStill = () => first === (first = site.transferred());
	await expect.poll(isStill, { intervals: [500] }).toBe(true);
	await page.clock.fastForward(6_000);
	await keptForOffline(page, site);
	console.log(`first visit: ${first} bytes, then ${site.transferred() - first}`);
	// Half of it is the service.
	expect(first).toBeLessThan(276_000);
	// The lessons that need no lab, the inspector and the request builder work offline too: they are loaded after the page, in the background.
	expect(site.transferred()).toBeLessThan(870_000);
});

test('the editor of exercises and what runs its programs cost less than 230 kB', ({ folders }) => {
	const chunks = join(folders[''], '_app/immutable/chunks');
	// The parser that finds the place of a mistake is loaded for programs that the engine cannot read.
	const parts = { editor: 'cm-content', compiler: 'Unterminated JSX contents' };
	const texts = readdirSync(chunks).map((name) => readFileSync(join(chunks, name)));
	const sizes = Object.entries(parts).map(([part, mark]) => {
		const files = texts.filter((text) => text.includes(mark));
		expect(files, part).toHaveLength(1);
		return files.reduce((sum, file) => sum + gzipSync(file).length, 0);
	});
	console.log(`editor and compiler: ${sizes.join(' + ')} bytes`);
	expect(sizes.reduce((sum, size) => sum + size)).toBeLessThan(230_000);
});

test('what is kept for use offline imports only what is kept too', ({ folders }) => {
	const root = folders[''];
	const { paths } = v.parse(offlineFiles, JSON.parse(readFileSync(root + offlineFilesPath, 'utf8')));
	const scripts = paths.filter((path) => path.endsWith('.js'));
	expect(scripts.length).toBeGreaterThan(100);
	for (const path of scripts) {
		const imports = readFileSync(root + path, 'utf8').matchAll(/(?:from|import)"(\.{1,2}\/[^"]+\.js)"/g);
		for (const [, imported = ''] of imports)
			expect(paths, path).toContain(new URL(imported, `http://x${path}`).pathname);
	}
});

test('GitHub Pages serves every file', ({ folders }) => {
	for (const folder of Object.values(folders)) expect(existsSync(join(folder, '.nojekyll'))).toBe(true);
});
