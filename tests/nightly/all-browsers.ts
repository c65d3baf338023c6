import { afterAll, beforeAll, describe } from 'vitest';
import { staticBuild } from '../run/builds.js';
import { builtHost, dataFolder, startServer } from '../run/server.js';
import { serveStatic } from '../run/static-server.js';
import { isInstalled, openChromium, openFirefox, openWebKit, type Tab } from './browser-drivers.ts';

const data = dataFolder();
const builds = {
	server: () => startServer([process.execPath, builtHost], { PORT: '0', DATA_DIR: data.path }),
	static: () => serveStatic(staticBuild(''), '')
};
const browsers = [
	{ name: 'Chromium', programs: [], open: openChromium },
	{ name: 'Firefox', programs: ['firefox-esr'], open: openFirefox },
	{ name: 'WebKitGTK', programs: ['WebKitWebDriver', 'Xvfb'], open: openWebKit }
];

/** A tab of a browser, and the origin of the site in it. */
export type Place = { readonly tab: Tab; readonly origin: string };

/** Declares tests of both builds in three browsers. Those of a browser that is not installed are skipped. @param place while a test runs */
export function inAllBrowsers(tests: (place: () => Place, browser: string) => void): void {
	afterAll(data.remove);
	for (const { name, programs, open } of browsers) {
		const missing = programs.filter((program) => !isInstalled(program));
		const note = missing.length === 0 ? '' : ` (skipped: ${missing.join(', ')} not found)`;
		describe.skipIf(missing.length > 0).each(['server', 'static'] as const)(`${name}${note}, %s build`, (build) => {
			let site: { readonly origin: string; close(): Promise<void> };
			let tab: Tab;
			beforeAll(async () => {
				site = await builds[build]();
				tab = await open();
			});
			afterAll(async () => {
				await tab.close();
				await site.close();
			});
			tests(() => ({ tab, origin: site.origin }), name);
		});
	}
}
