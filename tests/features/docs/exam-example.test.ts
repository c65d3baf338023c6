import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { loadDocPage } from '#features/docs/load-doc-page.ts';
import { temporaryFolder } from '../../hosts/temporary-folder.ts';
import { freePort } from '../../tooling/exam/free-port.ts';

const root = join(import.meta.dirname, '../../..');

// Runs the shell script of the page "Examine in CI" with the built program, for one rule.
test('the example for a plain shell examines a client, and writes JUnit XML', async () => {
	const page = await loadDocPage('exam-command');
	const block = page?.blocks.find((one) => one.kind === 'code' && one.title === 'exam.sh');
	const code = block?.kind === 'code' ? block.code : '';
	const port = await freePort();
	const client = `${process.execPath} ${join(root, 'tests/tooling/exam/small-client.js')} ${port} good`;
	const script = code
		.replace('npx tollgate', `${process.execPath} ${join(root, 'build/host/tollgate.js')}`)
		.replaceAll('localhost:3000', `localhost:${port}`)
		.replace('-- npm start', `--only request.no_secret -- ${client}`);
	const cwd = await temporaryFolder();
	const { stdout } = await promisify(execFile)('sh', ['-euc', script], { cwd });
	expect(stdout).toContain('✓ 1 passed, 0 not shown, 0 advice, 0 failed');
	expect(readFileSync(join(cwd, 'exam.xml'), 'utf8')).toContain('<testcase name="request.no_secret"');
});
