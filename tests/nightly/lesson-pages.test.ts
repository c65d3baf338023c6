import { expect, test } from 'vitest';
import { run } from '../run/process.js';

// Every lesson on its page, on the server and in the static build. A lesson takes up to a minute, so `npm test` walks two of them.
test(
	'every lesson is walked to its end on its page',
	async () => {
		const config = ['--config', 'tests/nightly/pages/playwright.config.ts'];
		const result = await run('npx', ['playwright', 'test', ...config, '--reporter', 'line'], 25);
		expect(result.code, result.output).toBe(0);
	},
	26 * 60_000
);
