// A token refresh as a page in Chromium sees it: by the service worker, and by the node host.
import { chromium } from '@playwright/test';
import { ensureBrowser, launchArguments } from '../../run/browser.js';
import { staticBuild } from '../../run/builds.js';
import { serveStatic } from '../../run/static-server.js';
import { startBenched } from '../machine.js';
import { signIn } from '../sign-in.js';
import { heading, percentile, table, target } from '../report.js';

const warmUp = 30;
const rounds = 300;

/** @typedef {import('@playwright/test').Page} Page */
/** @typedef {{ client_id: string, client_secret: string, refresh_token: string }} Refresh */

/** @type {import('../run.js').Part} */
export const browser = {
	names: ['browser'],
	async run() {
		heading('A token refresh from a page in Chromium, one after the other, in milliseconds');
		const site = await serveStatic(staticBuild(''));
		const node = await startBenched('node');
		const executablePath = await ensureBrowser();
		const launched = await chromium.launch({ executablePath, chromiumSandbox: false, args: launchArguments });
		try {
			const controlled = await open(launched, `${site.origin}/`);
			await controlled.waitForFunction(() => navigator.serviceWorker.controller !== null);
			const remote = await open(launched, `${node.origin}/`);
			const { refreshToken } = await signIn(node.origin);
			const viewer = { client_id: 'character-viewer', client_secret: 'viewer-secret' };
			const [median, p95] = await measure(controlled, await consent(controlled, site.origin));
			table(
				['host', 'median', 'p95'],
				[
					['the service worker', median, p95],
					['the node host', ...(await measure(remote, { ...viewer, refresh_token: refreshToken }))]
				]
			);
			target('A refresh through the service worker: under 6 ms at the median', Number(median) < 6);
		} finally {
			await launched.close();
			await node.close();
			await site.close();
		}
	}
};

/**
 * @param {import('@playwright/test').Browser} launched
 * @param {string} url
 */
async function open(launched, url) {
	const context = await launched.newContext({ ignoreHTTPSErrors: true });
	const page = await context.newPage();
	await page.goto(url);
	return page;
}

/**
 * Signs in and consents on the service's pages.
 * @param {Page} page
 * @param {string} origin
 * @returns {Promise<Refresh>}
 */
async function consent(page, origin) {
	const client = { client_id: 'pocket-companion', client_secret: 'companion-secret' };
	const redirect_uri = 'urn:ietf:wg:oauth:2.0:oob';
	const { client_id } = client;
	const asked = { response_type: 'code', client_id, redirect_uri, scope: 'character_read', access_type: 'offline' };
	await page.goto(`${origin}/ws/oauth2/auth/?${String(new URLSearchParams(asked))}`);
	await page.getByRole('button', { name: 'player-one' }).click();
	await page.locator('button[value=approve]').click();
	await page.waitForFunction(() => document.title.startsWith('Success,code='));
	const code = (await page.title()).replace('Success,code=', '');
	await page.goto(origin); // pages of the service may not send requests
	const fields = { grant_type: 'authorization_code', code, redirect_uri, ...client };
	const refresh_token = await page.evaluate(async (fields) => {
		const response = await fetch('/ws/oauth2/token/', { method: 'POST', body: new URLSearchParams(fields) });
		/** @type {{ refresh_token: string }} */
		const tokens = await response.json();
		return tokens.refresh_token;
	}, fields);
	return { ...client, refresh_token };
}

/**
 * @param {Page} page
 * @param {Refresh} refresh
 * @returns {Promise<[median: string, p95: string]>}
 */
async function measure(page, refresh) {
	const fields = { grant_type: 'refresh_token', ...refresh };
	const times = await page.evaluate(
		async ({ fields, count }) => {
			const times = [];
			for (let round = 0; round < count; round += 1) {
				const began = performance.now();
				const response = await fetch('/ws/oauth2/token/', { method: 'POST', body: new URLSearchParams(fields) });
				await response.json();
				if (response.status !== 200) throw new Error(`refresh: ${response.status}`);
				times.push(performance.now() - began);
			}
			return times;
		},
		{ fields, count: warmUp + rounds }
	);
	const measured = times.slice(warmUp);
	return [percentile(measured, 0.5).toFixed(1), percentile(measured, 0.95).toFixed(1)];
}
