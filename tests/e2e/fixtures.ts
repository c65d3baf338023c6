import { readFileSync } from 'node:fs';
import { request as httpsRequest } from 'node:https';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import { expect, test as base, type Page } from '@playwright/test';
import { builtHost, dataFolder, keyFingerprint, startServer } from '../run/server.js';

/** The built server of one worker, on a port of its own. */
export type Server = {
	/** `https://localhost:PORT`, which is also the base URL of the root sandbox. */
	readonly origin: string;
	/** The authority that signed its certificate, PEM. */
	readonly authority: string;
	/** Calls the control API; the path is below the base URL: `/control/clock`. Fails unless the answer is a 2xx. */
	control(method: string, path: string, body?: object): Promise<unknown>;
};

type TestFixtures = {
	/** Keeps a picture of the page as test output: `test-results/screenshots/NAME.png`. */
	picture: (name: string) => Promise<void>;
	/** Fails where axe finds fault with the page as it stands, in light and in dark. */
	expectAccessible: () => Promise<void>;
	/** Every test begins with the demo world. */
	freshWorld: undefined;
};

type WorkerFixtures = { server: Server };

const data = dataFolder();
process.once('exit', data.remove);

export const test = base.extend<TestFixtures, WorkerFixtures>({
	server: [
		// eslint-disable-next-line no-empty-pattern -- Playwright reads what a fixture needs off this very pattern
		async ({}, use) => {
			const running = await startServer([process.execPath, builtHost], { PORT: '0', DATA_DIR: data.path });
			const authority = readFileSync(join(data.path, 'tls', 'ca.pem'), 'utf8');
			const control: Server['control'] = (method, path, body) => call(running.origin + path, authority, method, body);
			await use({ origin: running.origin, authority, control });
			await running.close();
		},
		{ scope: 'worker' }
	],
	launchOptions: [
		async ({ server, launchOptions }, use) => {
			expect(server.origin).not.toBe('');
			const trust = `--ignore-certificate-errors-spki-list=${keyFingerprint(data.path)}`;
			await use({ ...launchOptions, args: [...(launchOptions.args ?? []), trust] });
		},
		{ scope: 'worker' }
	],
	baseURL: async ({ server }, use) => use(server.origin),
	ignoreHTTPSErrors: false,
	freshWorld: [
		async ({ server }, use) => {
			await server.control('POST', '/control/reset');
			await use(undefined);
		},
		{ auto: true }
	],
	picture: async ({ page }, use) => {
		await use(async (name) => {
			await page.screenshot({ path: `test-results/screenshots/${name}.png`, fullPage: true });
		});
	},
	expectAccessible: async ({ page }, use) => use(() => expectAccessible(page))
});

export { expect };

async function expectAccessible(page: Page): Promise<void> {
	await page.emulateMedia({ reducedMotion: 'reduce' });
	for (const colorScheme of ['light', 'dark'] as const) {
		await page.emulateMedia({ colorScheme });
		await page.evaluate(colorsArrived);
		const { violations } = await new AxeBuilder({ page }).analyze();
		const faults = violations.flatMap(({ id, help, nodes }) =>
			nodes.map((node) => `${colorScheme}: ${id} (${help}) at ${node.target.join(' ')}: ${node.failureSummary ?? ''}`)
		);
		expect(faults).toEqual([]);
	}
	await page.emulateMedia({ colorScheme: null, reducedMotion: null });
}

/** Runs in the page: no colour is still on its way to the one that its scheme has. */
async function colorsArrived(): Promise<void> {
	await new Promise(requestAnimationFrame);
	const moving = document.getAnimations().filter((animation) => animation instanceof CSSTransition);
	await Promise.allSettled(moving.map(({ finished }) => finished));
}

/** One request from outside any browser. */
function call(url: string, ca: string, method: string, body: object | undefined): Promise<unknown> {
	return new Promise((resolve, reject) => {
		const headers = body === undefined ? {} : { 'Content-Type': 'application/json' };
		const request = httpsRequest(url, { method, ca, headers }, (response) => {
			const chunks: Buffer[] = [];
			response.on('data', (chunk: Buffer) => chunks.push(chunk));
			response.on('error', reject);
			response.on('end', () => {
				const text = Buffer.concat(chunks).toString();
				const status = response.statusCode ?? 0;
				if (status < 200 || status > 299) reject(new Error(`${method} ${url}: ${status} ${text}`));
				else resolve(text === '' ? undefined : JSON.parse(text));
			});
		});
		request.on('error', reject);
		request.end(body === undefined ? undefined : JSON.stringify(body));
	});
}
