import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { expect, it, vi } from 'vitest';
import { examResult } from '#api/exam.ts';
import { toMarkdown } from '#exam/report/markdown.ts';
import { runProgram } from '#tooling/program/run-program.ts';
import { temporaryFolder } from '../../hosts/temporary-folder.ts';
import { freePort } from './free-port.ts';

const root = join(import.meta.dirname, '../../..');

/** Examines a client of GitHub in a process. @returns the exit code, what was printed, and the findings by rule */
async function examine(mode: string, ...options: string[]) {
	for (const name of ['STORE', 'DATA_DIR']) vi.stubEnv(name, 'unused');
	for (const name of ['GITHUB_ACTIONS', 'GITHUB_STEP_SUMMARY']) vi.stubEnv(name, '');
	let printed = '';
	for (const name of ['log', 'error'] as const)
		vi.spyOn(console, name).mockImplementation((text = '') => (printed += `${String(text)}\n`));
	const folder = await temporaryFolder();
	mkdirSync(join(folder, 'build/host'), { recursive: true });
	symlinkSync(join(root, 'src/tooling/program/as/route-hosts.js'), join(folder, 'build/host/route-hosts.js'));
	symlinkSync(join(root, 'package.json'), join(folder, 'package.json'));
	const port = await freePort();
	const page = `http://localhost:${port}`;
	const json = join(folder, 'exam.json');
	const client = [process.execPath, join(import.meta.dirname, 'github-client.js'), String(port), mode];
	const variables = ['--env', 'GITHUB_ID={client_id}', '--env', 'GITHUB_SECRET={client_secret}'];
	const pages = ['--sign-in', `${page}/login`, '--use', `${page}/me`, '--json', json];
	const exitCode = await runProgram(
		['exam', '--as', 'github', ...pages, ...variables, ...options, '--', ...client],
		folder
	);
	const result = v.parse(examResult, JSON.parse(readFileSync(json, 'utf8')));
	return { exitCode, printed, result };
}

it('examines a client that knows the real URLs of GitHub only', async () => {
	const rules =
		'request.no_secret,callback.denial,callback.foreign_code,callback.issuer,exchange.once,call.header,call.name_encoded,signout.revoke';
	const { exitCode, printed, result } = await examine('good', '--only', rules);
	expect(exitCode, printed).toBe(0);
	expect(printed).toContain('exam-client, web · as GitHub');
	expect(result.provider).toBe('GitHub');
	expect(toMarkdown(result)).toMatch(/^exam-client · web · seed \d+ · as GitHub$/m);
	const passed = result.findings.filter(({ verdict }) => verdict === 'passed').map(({ rule }) => rule);
	expect(passed).toEqual(
		expect.arrayContaining([
			'request.no_secret',
			'callback.denial',
			'callback.foreign_code',
			'exchange.once',
			'call.header'
		])
	);
	const leftOut = result.findings.filter(({ text }) => text.startsWith('Left out.'));
	expect(leftOut.map(({ rule, text }) => [rule, text])).toEqual(
		expect.arrayContaining([
			['callback.issuer', 'Left out. GitHub does not name its issuer in responses.'],
			['call.name_encoded', 'Left out. GitHub has no names in the paths of its API.'],
			['signout.revoke', 'Left out. GitHub has no revocation in its file.']
		])
	);
});

it('finds the mistake of such a client', async () => {
	const { exitCode, result } = await examine('secret in the URL', '--only', 'request.no_secret');
	expect(exitCode).toBe(1);
	expect(result.findings).toMatchObject([{ rule: 'request.no_secret', verdict: 'failed' }]);
});
