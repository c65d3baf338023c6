import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from '@playwright/test';
import { build } from 'vite';
import { findHeadlessBrowser, launchArguments } from '../../run/browser.js';
import { serveStatic } from '../../run/static-server.js';
import type { RemoteCases } from '../run-on.ts';

declare global {
	interface Window {
		runNamed?: (name: string) => Promise<void>;
	}
}

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '..', '..', '..');

/** The browser host in a service worker of Chromium. The cases run in a page. */
export async function startChromium(isExhaustive = false): Promise<RemoteCases> {
	const folder = await mkdtemp(join(tmpdir(), 'tollgate-conformance-'));
	await buildScripts(folder);
	const page = '<!doctype html><title>conformance</title><script type="module" src="/chromium-page.js"></script>';
	await writeFile(join(folder, 'index.html'), page);
	const server = await serveStatic(folder);
	const executablePath = findHeadlessBrowser();
	const browser = await chromium.launch({
		chromiumSandbox: false,
		args: launchArguments,
		...(executablePath === undefined ? {} : { executablePath })
	});
	const opened = await browser.newPage();
	opened.on('pageerror', (fault) => console.error(fault));
	await opened.goto(`${server.origin}/${isExhaustive ? '?exhaustive' : ''}`);
	await opened.waitForFunction(() => window.runNamed !== undefined);
	return {
		run: (name) => opened.evaluate((name) => window.runNamed?.(name), name),
		async close() {
			await browser.close();
			await server.close();
			await rm(folder, { recursive: true });
		}
	};
}

async function buildScripts(outDir: string): Promise<void> {
	const input = ['chromium-page', 'chromium-worker'].map((name) => join(here, `${name}.ts`));
	await build({
		root,
		configFile: false,
		publicDir: false,
		logLevel: 'error',
		resolve: { alias: { 'tough-cookie': join(root, 'src/hosts/browser/msw-cookies.ts') } },
		build: {
			outDir,
			target: 'es2022',
			minify: false,
			rolldownOptions: { input, output: { entryFileNames: '[name].js', chunkFileNames: '[name].js' } }
		}
	});
}
