import { ensureBrowser, installHeadlessShell } from '../run/browser.js';
import { makeBuilds } from '../run/builds.js';
import { installPackages } from '../run/debian.js';
import { ensureRedis } from '../run/redis.js';
import { isInstalled } from './browser-drivers.ts';

/** The browsers that not all tests need, by their programs. Where they cannot be installed, these tests are skipped. */
const otherBrowsers = [
	{ programs: ['firefox-esr'], packages: ['firefox-esr'] },
	{ programs: ['WebKitWebDriver', 'Xvfb'], packages: ['webkit2gtk-driver', 'xvfb'] }
];

/** Installs and builds all that the nightly tests need, so that no test waits for it. Prints how long all of them took. */
export default async function setup(): Promise<() => void> {
	const start = performance.now();
	await installHeadlessShell();
	await ensureBrowser();
	await ensureRedis();
	for (const { programs, packages } of otherBrowsers) {
		if (!programs.every(isInstalled)) await installPackages(...packages);
	}
	await makeBuilds('application', 'library', 'cli', 'static');
	return () => {
		const seconds = Math.round((performance.now() - start) / 1000);
		console.log(`\nNightly tests: ${Math.floor(seconds / 60)} min ${seconds % 60} s in total`);
	};
}
