import { defineConfig } from '@playwright/test';
import { findHeadlessBrowser, launchArguments } from './run/browser.js';

const executablePath = findHeadlessBrowser();
const launchOptions = {
	chromiumSandbox: false, // Chromium's sandbox does not start as root, which is what CI is
	// No test reads a pixel, so Chromium paints almost nothing, which saves an eighth of the processor time. Failed tests have no
	// picture: add `--trace retain-on-failure` to see their pages. Traces take as much time as the tests.
	args: [
		...launchArguments,
		'--force-gpu-mem-available-mb=1',
		// A page lives for seconds: its code is optimized for longer than it then runs.
		'--js-flags=--no-opt --no-maglev'
	],
	...(executablePath === undefined ? {} : { executablePath })
};

export default defineConfig({
	globalSetup: './run/playwright-setup.js',
	testDir: './e2e',
	outputDir: '../test-results/e2e',
	reporter: [['list'], ['json', { outputFile: '../test-results/e2e.json' }]],
	fullyParallel: false, // one server a worker: the tests of a file share it, in order
	workers: 3, // for two cores: pages wait as much as they compute
	forbidOnly: true,
	retries: 0,
	// A machine that runs many times slower than usual still passes.
	timeout: 180_000,
	expect: { timeout: 20_000 },
	use: {
		launchOptions,
		viewport: { width: 1280, height: 800 },
		// Each frame of a transition costs processor time. A test of motion asks for it.
		contextOptions: { reducedMotion: 'reduce' }
	},
	projects: [
		{ name: 'server', testIgnore: '**/static/**' },
		{ name: 'static', testMatch: '**/static/**/*.spec.ts' }
	]
});
