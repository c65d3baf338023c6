import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { staticBuild } from '../run/builds.js';
import { writeNewVersion } from '../run/new-version.js';
import { serveStatic, type StaticServer } from '../run/static-server.js';
import { isInstalled, openChromium, openFirefox, type FirstTab, type Tab } from './browser-drivers.ts';

// The states of the static build in two engines, at the root and below a path: what the visitor sees is never blank, endless or false.

const folder = mkdtempSync(join(tmpdir(), 'tollgate-next-'));
afterAll(() => rmSync(folder, { recursive: true }));

const browsers = [
	{ name: 'Chromium', open: openChromium, isMissing: false },
	{ name: 'Firefox', open: openFirefox, isMissing: !isInstalled('firefox-esr') }
];

const running = 'Running in your browser';
const slow = 'takes longer than usual';

for (const { name, open, isMissing } of browsers) {
	describe.skipIf(isMissing)(`${name}${isMissing ? ' (skipped: firefox-esr not found)' : ''}`, () => {
		let browser: FirstTab;
		beforeAll(async () => void (browser = await open()));
		afterAll(() => browser.close());

		describe.each(['', '/demo'] as const)('at %s/', (base) => {
			/** Each origin is a first visit. */
			async function visit(run: (place: Place) => Promise<void>): Promise<void> {
				const site = await serveStatic(staticBuild(base), base);
				const tab = await browser.openTab();
				try {
					await run({ site, tab, url: `${site.origin}${base}/` });
				} finally {
					await tab.close();
					await site.close();
				}
			}

			test.each([
				['a script', /\/nodes\//],
				['the service worker', /service-worker\.js$/]
			])(
				'a network that is slow, and then stops in the middle of %s, is named, and the visit continues with it',
				async (_, file) => {
					await visit(async ({ site: { network }, tab, url }) => {
						network.rate = 100_000;
						network.stopAt(file);
						await tab.open('about:blank');
						void tab.open(url).catch(() => undefined);
						await expect.poll(() => network.isStopped, { timeout: 60_000 }).toBe(true);
						await seen(tab, 'Loading…');
						await seen(tab, slow);
						network.resume();
						await seen(tab, running);
						expect(await look(tab)).not.toContain(slow);
					});
				}
			);

			test('a network that is cut while the service is downloaded is named, and the next visit succeeds', async () => {
				await visit(async ({ site: { network }, tab, url }) => {
					network.stopAt(/service-worker\.js$/);
					await tab.open('about:blank');
					void tab.open(url).catch(() => undefined);
					await expect.poll(() => network.isStopped, { timeout: 60_000 }).toBe(true);
					network.cut(true);
					await seen(
						tab,
						/The service does not run\.[^]*Check the network|takes longer than usual\. Check the network/
					);
					network.cut(false);
					await tab.open(url);
					await seen(tab, running);
				});
			});

			test('a network that is cut while files are kept for offline use: they are kept when it is back', async () => {
				await visit(async ({ site: { network }, tab, url }) => {
					await tab.open(url);
					await seen(tab, running);
					network.stopAt(/immutable/);
					await expect.poll(() => network.isStopped, { timeout: 60_000 }).toBe(true);
					network.cut(true);
					await tab.open(`${url}learn`);
					await seen(tab, 'Not kept for offline use');
					network.cut(false);
					await tab.open(`${url}learn`);
					await seen(tab, running);
					await kept(tab);
					network.cut(true);
					await tab.open(`${url}inspector`);
					await seen(tab, running);
					await tab.open(`${url}studio`);
					await seen(tab, 'Not kept for offline use');
					await tab.open(url);
					await seen(tab, running);
				});
			});

			test('a new version replaces one whose files are not all kept, and waits for the visitor where they are', async () => {
				await visit(async ({ site, tab, url }) => {
					const next = join(folder, `${name}${base.replace('/', '-')}`);
					writeNewVersion(staticBuild(base), next);
					await tab.open(url);
					await seen(tab, running);
					site.deploy(next);
					await tab.open(`${url}learn`);
					await seen(tab, running);
					await expect.poll(() => versionOf(tab), { timeout: 60_000 }).toBe('next');
					await kept(tab);
					site.deploy(staticBuild(base));
					await tab.open(`${url}inspector`);
					await seen(tab, 'A new version was installed.');
					await tab.evaluate(`(document.querySelector('aside [role=status] button').click(), '')`);
					await expect.poll(() => versionOf(tab), { timeout: 60_000 }).toBe('immutable');
					await seen(tab, running);
				});
			});

			test('a form after the worker was unregistered sends nothing to the network', async () => {
				await visit(async ({ site, tab, url }) => {
					await tab.open(url);
					await seen(tab, running);
					await tab.open(`${url}account`);
					await seen(tab, 'Username');
					await tab.evaluate(`navigator.serviceWorker.getRegistration().then((one) => one.unregister()).then(String)`);
					const form = `document.querySelector('form:has([type=password])')`;
					await tab.evaluate(`(${form}.password.value = 'my-password', ${form}.username.value = 'player-one', '')`);
					await tab.evaluate(`(${form}.querySelector('button').click(), '')`);
					const isBack = `(${form}?.password.value === '' && navigator.serviceWorker.controller !== null) ? 'done' : ''`;
					await expect.poll(() => tab.evaluate(isBack).catch(String), { timeout: 60_000 }).toBe('done');
					expect(site.requests.filter(({ method }) => method !== 'GET' && method !== 'HEAD')).toEqual([]);
				});
			});
		});
	});
}

type Place = { readonly site: StaticServer; readonly tab: Tab; readonly url: string };

/** What a visitor sees, also before the scripts run. */
function look(tab: Tab): Promise<string> {
	const expression = `(() => {
		const app = document.getElementById('app');
		const styles = app === null ? [] : ['::before', '::after'].map((part) => getComputedStyle(app, part));
		const waiting = styles.filter(({ content, opacity }) => content !== 'none' && opacity === '1').map(({ content }) => content);
		return [...waiting, document.body?.innerText ?? ''].join(' ').trim();
	})()`;
	return tab.evaluate(expression).catch(() => 'The page is being replaced.');
}

async function seen(tab: Tab, text: string | RegExp): Promise<void> {
	await expect.poll(() => look(tab), { timeout: 60_000, interval: 250 }).toMatch(text);
}

/** Waits until all files of the version are kept. */
async function kept(tab: Tab): Promise<void> {
	const expression = `caches.match(new URL('.', navigator.serviceWorker.controller.scriptURL).href).then((found) => found ? 'done' : '')`;
	await expect.poll(() => tab.evaluate(expression).catch(String), { timeout: 60_000 }).toBe('done');
}

/** The folder of the scripts of a page. */
function versionOf(tab: Tab): Promise<string> {
	const expression = `/_app\\/(\\w+)\\//.exec(document.querySelector('link[rel=modulepreload]').href)[1]`;
	return tab.evaluate(expression).catch(String);
}
