import { once } from 'node:events';
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import * as v from 'valibot';
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { examResult } from '#api/exam.ts';
import { localCertificate } from '#hosts/tls/local-certificate.server.ts';
import { runProgram } from '#tooling/program/run-program.ts';
import { freePort } from './free-port.ts';
import { temporaryFolder } from '../../hosts/temporary-folder.ts';

const script = join(import.meta.dirname, 'small-client.js');
let page = '';
let port = 0;
let printed = '';

beforeEach(async () => {
	for (const name of ['STORE', 'DATA_DIR', 'NO_COLOR']) vi.stubEnv(name, 'unused');
	for (const name of ['GITHUB_ACTIONS', 'GITHUB_STEP_SUMMARY']) vi.stubEnv(name, '');
	printed = '';
	const write = (text: string | Uint8Array) => {
		printed += String(text);
		return true;
	};
	vi.spyOn(process.stdout, 'write').mockImplementation(write);
	vi.spyOn(process.stderr, 'write').mockImplementation(write);
	vi.spyOn(console, 'log').mockImplementation((text = '') => write(`${String(text)}\n`));
	vi.spyOn(console, 'error').mockImplementation((text = '') => write(`${String(text)}\n`));
	port = await freePort();
	page = `http://localhost:${port}`;
});

afterEach(() => expect(clientProcesses()).toEqual([]));

/** Examines the small client by one rule, which needs nothing but a sign-in. */
const examine = (mode: string, ...options: string[]) =>
	runProgram(
		['exam', '--sign-in', `${page}/login`, '--use', `${page}/me`, '--only', 'request.no_secret', ...options].concat(
			'--',
			process.execPath,
			script,
			String(port),
			mode
		),
		'.'
	);

/** The processes of the client that still run. */
function clientProcesses(): string[] {
	const commands = (existsSync('/proc') ? readdirSync('/proc') : [])
		.filter((name) => /^\d+$/.test(name))
		.map((id) => {
			try {
				return readFileSync(`/proc/${id}/cmdline`, 'utf8');
			} catch {
				return '';
			}
		});
	return commands.filter((command) => command.includes(`\u0000${port}\u0000`));
}

it('returns 0 if no rule failed, and writes the result', async () => {
	const folder = await temporaryFolder();
	const json = join(folder, 'exam.json');
	const junit = join(folder, 'exam.xml');
	expect(await examine('good', '--json', json, '--junit', junit), printed).toBe(0);
	expect(printed).toContain('Tollgate exam · seed 1 · exam-client, web');
	expect(printed).toContain('✓ 1 passed, 0 not shown, 0 advice, 0 failed');
	expect(v.parse(examResult, JSON.parse(readFileSync(json, 'utf8'))).counts.passed).toBe(1);
	expect(readFileSync(junit, 'utf8')).toContain('<testcase name="request.no_secret"');
});

it('returns 1 if a rule failed, and tells GitHub', async () => {
	const summary = join(await temporaryFolder(), 'summary.md');
	writeFileSync(summary, '');
	vi.stubEnv('GITHUB_ACTIONS', 'true');
	vi.stubEnv('GITHUB_STEP_SUMMARY', summary);
	expect(await examine('secret in the URL'), printed).toBe(1);
	expect(printed).toContain('✗ request.no_secret  severity 1');
	expect(printed).toMatch(/request {2}\S+ {2}GET \/ws\/oauth2\/auth\/ {2}200/);
	expect(printed).toContain('::error title=request.no_secret::');
	expect(readFileSync(summary, 'utf8')).toContain('## Tollgate exam: 1 failed');
});

it('returns 0 with --fail-on never, and leaves nothing of a client running that ignores signals', async () => {
	const mode = 'secret in the URL, forks, ignores SIGTERM, prints';
	expect(await examine(mode, '--fail-on', 'never'), printed).toBe(0);
});

it.each([
	['ends', 'ended (exit code 5).'],
	['ends at a callback', 'ended (exit code 6).'],
	['foreign', 'The client redirected to https://example.test']
])('returns 3 for a client that %s', async (mode, sentence) => {
	expect(await examine(mode), printed).toBe(3);
	expect(printed).toContain(sentence);
});

it.each([
	['trusts the certificate of a client on this machine', 'localhost', 0, '✓ 1 passed'],
	// To Node, IPv4 in IPv6 is not an address of this machine.
	['says that it does not trust another certificate', '[::ffff:127.0.0.1]', 3, 'its certificate is not trusted. Set']
])('%s', async (_, host, code, sentence) => {
	const { key, cert } = await localCertificate(await temporaryFolder(), [], Date.now());
	vi.stubEnv('CLIENT_KEY', key);
	vi.stubEnv('CLIENT_CERT', cert);
	page = `https://${host}:${port}`;
	expect(await examine('HTTPS', '--callback', `https://localhost:${port}/callback`), printed).toBe(code);
	expect(printed).toContain(sentence);
	expect(printed).not.toContain('does not respond');
});

it('examines an installed client, which gets its code from the page', async () => {
	const signIn = `${process.execPath} ${join(import.meta.dirname, 'installed-client.js')}`;
	const kind = ['--kind', 'installed', '--callback', 'urn:ietf:wg:oauth:2.0:oob'];
	const options = ['--only', 'installed.pkce,exchange.once', '--sign-in', signIn];
	expect(await runProgram(['exam', ...kind, ...options], '.'), printed).toBe(0);
	expect(printed).toContain('✓ 2 passed, 0 not shown, 0 advice, 0 failed');
});

it('gives an installed client the codes of an attacker at the port on which it waits', async () => {
	const signIn = `${process.execPath} ${join(import.meta.dirname, 'installed-client.js')} listen`;
	const options = ['--kind', 'installed', '--only', 'callback.state_required', '--sign-in', signIn];
	expect(await runProgram(['exam', ...options], '.'), printed).toBe(1);
	expect(printed).toContain('1 failed, 0 advice, 0 not shown, 0 passed');
});

it('examines a client of today’s standards', async () => {
	expect(await examine('good', '--dialect', 'standard', '--only', 'limit.cache'), printed).toBe(0);
	expect(printed).toContain('Tollgate exam · seed 1 · exam-client, web · today’s standards');
	expect(printed).toMatch(/limit\.cache\s+Left out\. No standard asks clients/);
});

it('returns 3 if no call of the client worked', async () => {
	expect(await examine('wrong scheme', '--only', 'request.*'), printed).toBe(3);
	expect(printed).toContain('The client signs in, but none of its calls worked: check access_token.');
});

it('returns 3 if the client sent no call, and says what to look at', async () => {
	expect(await examine('good', '--only', 'request.*', '--use', `${page}/nothing`), printed).toBe(3);
	expect(printed).toContain('The client signs in, but sent no request for a resource.');
});

it('names the option that would show a rule', async () => {
	expect(await examine('good', '--only', 'signout.revoke,installed.pkce,request.no_secret'), printed).toBe(0);
	expect(printed).toMatch(/signout\.revoke +needs --sign-out\n/);
	expect(printed).toMatch(/installed\.pkce +needs --kind installed\n/);
});

it('returns 4 at the time limit', async () => {
	const limit = ['--only', 'token.*', '--time-limit', '1'];
	expect(await examine('good, responds slowly', ...limit), printed).toBe(4);
	expect(printed).toContain('The exam reached its time limit.');
	expect(printed).toMatch(/\d+ of 29 steps ran in \d+ s\. Add --time-limit \d+,/);
});

it('ends the client and returns 130 when the user presses Ctrl+C', async () => {
	const examined = examine('good', '--only', 'token.*');
	await expect.poll(() => printed).toContain('is ready after');
	process.emit('SIGINT', 'SIGINT');
	expect(await examined, printed).toBe(130);
	expect(printed).toContain('The exam was stopped.');
});

it('returns 3 if another program uses the port of the client', async () => {
	const other = createServer((_request, response) => response.end()).listen(port, 'localhost');
	onTestFinished(() => void other.close());
	await once(other, 'listening');
	expect(await examine('good')).toBe(3);
	expect(printed).toContain('responds before the client has started.');
});

it.each([
	[['--only', 'no.rule'], '--only: no rule is called no.rule.'],
	[['--junit', '/no/such/folder/exam.xml'], 'Cannot write /no/such/folder/exam.xml (ENOENT).'],
	[['--url', 'http://localhost:9'], 'Cannot create a sandbox at http://localhost:9.'],
	[['--seed', 'x'], '--seed must be a whole number'],
	[['--kind', 'other'], "option '--kind <kind>' argument 'other' is invalid."]
])('returns 2 for %j', async (options, sentence) => {
	expect(await examine('good', ...options), printed).toBe(2);
	expect(printed).toContain(sentence);
});
