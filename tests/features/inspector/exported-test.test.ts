import { afterAll, beforeAll, expect, test } from 'vitest';
import { toTestFile } from '#features/inspector/export/test-file.ts';
import { token } from '#service/token/token.ts';
import { startNode } from '../../conformance/hosts/node.ts';
import { Sandbox } from '../../conformance/sandbox.ts';
import type { Transport } from '../../conformance/transport.ts';
import { recordFlow } from './record-flow.ts';
import { runExportedTest } from './run-exported-test.ts';

// The Playwright form runs in `npm run test:nightly`.
let transport: Transport;
let source: string;

beforeAll(async () => {
	transport = await startNode();
	const at = await Sandbox.create(transport);
	source = toTestFile((await recordFlow(at)).entries, at.base_url, 'vitest');
});

afterAll(() => transport.close());

test('the exported test passes against a fresh sandbox', async () => {
	const { isPassed, output } = await runExportedTest(await Sandbox.create(transport), source, 'vitest');
	expect(output).toContain('1 passed');
	expect(isPassed).toBe(true);
});

test('the exported test fails against a service without one of its checks', async () => {
	const at = token.checks.findIndex(({ id }) => id === 'token.redirect_uri_matches');
	// The list is readonly for everyone else.
	const splice = (...change: unknown[]): unknown => Reflect.apply(Array.prototype.splice, token.checks, change);
	const removed = token.checks[at];
	splice(at, 1);
	try {
		const { isPassed, output } = await runExportedTest(await Sandbox.create(transport), source, 'vitest');
		expect(output).toContain('expected 200 to be 400');
		expect(isPassed).toBe(false);
	} finally {
		splice(at, 0, removed);
	}
});
