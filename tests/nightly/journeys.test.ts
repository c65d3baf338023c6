import { expect, test } from 'vitest';
import { run } from '../run/process.js';

// `npm test` leaves out those tagged @nightly, and checks each page in one theme. full-chromium.test.ts runs those of the static build.
test(
	'all journeys pass against the server, and axe finds no mistake in either theme',
	async () => {
		const config = ['--config', 'tests/playwright.config.ts', '--project', 'server'];
		const output = ['--reporter', 'line', '--output', 'test-results/journeys'];
		const result = await run('npx', ['playwright', 'test', ...config, ...output], 25, { env: { AXE_THEMES: 'both' } });
		expect(result.code, result.output).toBe(0);
	},
	26 * 60_000
);
