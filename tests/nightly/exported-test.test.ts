import { expect, test } from 'vitest';
import { toTestFile } from '#features/inspector/export/test-file.ts';
import { recordFlow } from '../features/inspector/record-flow.ts';
import { runExportedTest } from '../features/inspector/run-exported-test.ts';
import { startNode } from '../conformance/hosts/node.ts';
import { Sandbox } from '../conformance/sandbox.ts';

test('an exported Playwright test passes against a fresh sandbox', async () => {
	const transport = await startNode();
	try {
		const at = await Sandbox.create(transport);
		const source = toTestFile((await recordFlow(at)).entries, at.base_url, 'playwright');
		const { isPassed, output } = await runExportedTest(await Sandbox.create(transport), source, 'playwright');
		expect(output).toContain('1 passed');
		expect(isPassed).toBe(true);
	} finally {
		await transport.close();
	}
});
