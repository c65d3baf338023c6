import { defineConfig } from '@playwright/test';
import base from '../../playwright.config.ts';

// The long tests of the pages: `npm run test:nightly` runs them.
export default defineConfig({
	...base,
	globalSetup: '../../run/playwright-setup.js',
	testDir: '.',
	outputDir: '../../../test-results/nightly-pages',
	reporter: 'list',
	timeout: 180_000
});
