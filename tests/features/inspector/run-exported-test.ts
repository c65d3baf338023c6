import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestFramework } from '#features/inspector/export/test-file-helpers.ts';
import type { Sandbox } from '../../conformance/sandbox.ts';
import { testCertificate } from '../../hosts/certificate.ts';

const modules = fileURLToPath(new URL('../../../node_modules', import.meta.url));
const programs = { vitest: ['vitest/vitest.mjs', 'run'], playwright: ['@playwright/test/cli.js', 'test'] };

/**
 * Runs an exported test as its user would, in its own project.
 * @param at the fresh sandbox that it runs against
 * @param source the exported file
 */
export async function runExportedTest(
	at: Sandbox,
	source: string,
	framework: TestFramework
): Promise<{ readonly isPassed: boolean; readonly output: string }> {
	const project = mkdtempSync(join(tmpdir(), 'tollgate-exported-test-'));
	try {
		symlinkSync(modules, join(project, 'node_modules'));
		writeFileSync(join(project, 'package.json'), JSON.stringify({ type: 'module' }));
		writeFileSync(join(project, 'ca.pem'), (await testCertificate()).authority.cert);
		writeFileSync(join(project, 'flow.test.ts'), source);
		const env = {
			PATH: process.env['PATH'],
			HOME: project,
			NODE_EXTRA_CA_CERTS: join(project, 'ca.pem'),
			TOLLGATE_URL: at.base_url,
			TOLLGATE_KEY: at.key,
			CLIENT_SECRET_1: 'viewer-secret',
			PASSWORD: 'demo'
		};
		const [program = '', ...options] = programs[framework];
		return await new Promise((resolve) => {
			execFile(process.execPath, [join(modules, program), ...options], { cwd: project, env }, (error, stdout, stderr) =>
				resolve({ isPassed: error === null, output: stdout + stderr })
			);
		});
	} finally {
		rmSync(project, { recursive: true, force: true });
	}
}
