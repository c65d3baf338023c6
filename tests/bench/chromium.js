// Chromium that trusts the certificate of the benchmark's servers.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from '@playwright/test';
import { ensureBrowser, launchArguments } from '../run/browser.js';
import { trust } from './machine.js';

/**
 * @typedef {object} Chromium
 * @property {import('@playwright/test').BrowserContext} context with a new profile
 * @property {number} port where it is debugged
 * @property {() => Promise<void>} close ends it, and deletes the profile
 */

/**
 * Starts it, and installs it if it is missing. A server must have been started before.
 * @returns {Promise<Chromium>}
 * @throws {Error} if there is none and none can be installed
 */
export async function startChromium() {
	const executablePath = await ensureBrowser();
	const profile = mkdtempSync(join(tmpdir(), 'tollgate-chromium-'));
	const context = await chromium.launchPersistentContext(profile, {
		executablePath,
		chromiumSandbox: false,
		args: [...launchArguments, '--remote-debugging-port=0', trust()]
	});
	const [port] = readFileSync(join(profile, 'DevToolsActivePort'), 'utf8').split('\n');
	return {
		context,
		port: Number(port),
		close: async () => {
			await context.close();
			rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
		}
	};
}
