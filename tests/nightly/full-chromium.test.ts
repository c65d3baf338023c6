import { expect, test } from 'vitest';
import { ensureBrowser } from '../run/browser.js';
import { run } from '../run/process.js';

// `npm test` runs in Chromium's headless shell where it is installed. Service workers and storage are those of the whole browser here.
test(
	'the static build passes its tests in the whole browser',
	async () => {
		const browser = await ensureBrowser();
		const config = ['--config', 'tests/playwright.config.ts', '--project', 'static'];
		const output = ['--reporter', 'line', '--output', 'test-results/whole-browser'];
		const result = await run('npx', ['playwright', 'test', ...config, ...output], 20, {
			env: { TOLLGATE_BROWSER: browser, AXE_THEMES: 'both' }
		});
		expect(result.code, result.output).toBe(0);
	},
	21 * 60_000
);
