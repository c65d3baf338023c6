import { expect, test } from 'vitest';
import { run } from '../run/process.js';

// Every lesson, and every page in another world and offline. `npm test` walks one lesson.
test(
	'the long tests of the pages pass, on the server and in the static build',
	async () => {
		const config = ['--config', 'tests/nightly/pages/playwright.config.ts'];
		const result = await run('npx', ['playwright', 'test', ...config, '--reporter', 'line'], 25, {
			env: { AXE_THEMES: 'both' }
		});
		expect(result.code, result.output).toBe(0);
	},
	26 * 60_000
);
