import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from '@playwright/test';
import { build } from 'vite';
import { browserBuild } from '#tooling/vite/browser-build.ts';
import { findBrowser, launchArguments } from '../../run/browser.js';
import { staticBuild } from '../../run/builds.js';
import { serveStatic } from '../../run/static-server.js';
import type { TestRequest, Transport } from '../transport.ts';
import type { Conformance } from './chromium-page.ts';

declare global {
	interface Window {
		readonly conformance: Conformance;
	}
}

const here = dirname(fileURLToPath(import.meta.url));

/** The browser host in Chromium: the service in a page, over IndexedDB, behind MSW and the static build's worker. */
export async function startChromium(): Promise<Transport> {
	const server = await serveStatic(staticBuild(''));
	const script = await pageScript();
	server.change('/conformance.js', () => script);
	server.change('/conformance.html', () => '<!doctype html><title>conformance</title>');
	const executablePath = findBrowser();
	const browser = await chromium.launch({
		chromiumSandbox: false,
		args: launchArguments,
		...(executablePath === undefined ? {} : { executablePath })
	});
	const page = await browser.newPage();
	page.setDefaultTimeout(120_000);
	page.on('pageerror', (fault) => console.error(fault));
	await page.goto(`${server.origin}/conformance.html`);
	await page.addScriptTag({ url: '/conformance.js', type: 'module' });
	await page.waitForFunction(() => 'conformance' in window);
	const bytes = (sent: TestRequest) => ({
		...sent,
		body: typeof sent.body === 'string' ? sent.body : [...(sent.body ?? [])]
	});
	return {
		origin: server.origin,
		send: (sent) =>
			page.evaluate(async ({ body, ...rest }) => {
				const sent = { ...rest, body: typeof body === 'string' ? body : Uint8Array.from(body) };
				return window.conformance.send(sent);
			}, bytes(sent)),
		async stream(sent) {
			const { id, status, headers } = await page.evaluate((sent) => window.conformance.open(sent), sent);
			return {
				...{ status, headers },
				next: () => page.evaluate((id) => window.conformance.next(id), id),
				close: () => void page.evaluate((id) => window.conformance.close(id), id)
			};
		},
		async close() {
			await browser.close();
			await server.close();
		}
	};
}

async function pageScript(): Promise<string> {
	const folder = await mkdtemp(join(tmpdir(), 'tollgate-conformance-'));
	try {
		await build({
			root: join(here, '..', '..', '..'),
			configFile: false,
			publicDir: false,
			logLevel: 'error',
			plugins: [browserBuild(true)],
			build: {
				outDir: folder,
				target: 'es2022',
				rolldownOptions: { input: join(here, 'chromium-page.ts'), output: { entryFileNames: 'page.js' } }
			}
		});
		return await readFile(join(folder, 'page.js'), 'utf8');
	} finally {
		await rm(folder, { recursive: true });
	}
}
