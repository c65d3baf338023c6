import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from '@playwright/test';
import { build } from 'vite';
import { importSource } from '#tooling/import-source.js';
import { contentFiles } from '#tooling/vite/content.js';
import { findHeadlessBrowser, launchArguments } from '../../run/browser.js';
import { serveStatic } from '../../run/static-server.js';
import type { Host, RemoteCases } from '../run-on.ts';

declare global {
	var runNamed: ((name: string) => Promise<void>) | undefined;
}

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, '..', '..', '..');

/** The browser host in a service worker of Chromium, without a way to start it. */
export const chromiumHost = {
	name: 'browser host, in Chromium',
	lacks: {
		'raw target': 'a browser normalizes a target before it sends it',
		'raw headers': 'a browser joins, orders and rejects headers',
		'any method': 'a browser rejects TRACE and CONNECT, and a body with GET',
		'second address': 'one browser is one client',
		agents: 'browsers have no server for agents'
	},
	except: {
		'AZ-06 returns state byte for byte: after approval, denial and errors':
			"a browser writes ' as %27 in a query before a handler sees it"
	}
} satisfies Omit<Host, 'start'>;

/**
 * Starts the host.
 * @param place where the cases run. In the `worker`, they call the host. In a `page`, they fetch, which takes several times as
 * long, and test every combination
 */
export async function startChromium(place: 'worker' | 'page'): Promise<RemoteCases> {
	const folder = await mkdtemp(join(tmpdir(), 'tollgate-conformance-'));
	await buildScripts(folder);
	const html = '<!doctype html><title>conformance</title><script type="module" src="/chromium-page.js"></script>';
	await writeFile(join(folder, 'index.html'), html);
	const server = await serveStatic(folder);
	const executablePath = findHeadlessBrowser();
	const browser = await chromium.launch({
		chromiumSandbox: false,
		args: launchArguments,
		...(executablePath === undefined ? {} : { executablePath })
	});
	const page = await browser.newPage();
	page.on('pageerror', (fault) => console.error(fault));
	await page.goto(server.origin);
	await page.waitForFunction(() => globalThis.runNamed !== undefined);
	const [worker] = page.context().serviceWorkers();
	if (worker === undefined) throw new Error('The service worker does not run.');
	return {
		run: (name) => (place === 'worker' ? worker.evaluate(runInScope, name) : page.evaluate(runInScope, name)),
		async close() {
			await browser.close();
			await server.close();
			await rm(folder, { recursive: true });
		}
	};
}

function runInScope(name: string): Promise<void> | undefined {
	return globalThis.runNamed?.(name);
}

async function buildScripts(outDir: string): Promise<void> {
	const input = ['chromium-page', 'chromium-worker'].map((name) => join(here, `${name}.ts`));
	await build({
		root,
		configFile: false,
		publicDir: false,
		plugins: [contentFiles(root, importSource)],
		logLevel: 'error',
		build: {
			outDir,
			target: 'es2022',
			minify: false,
			rolldownOptions: { input, output: { entryFileNames: '[name].js', chunkFileNames: '[name].js' } }
		}
	});
}
