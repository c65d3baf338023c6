import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type Server } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { exampleProvider } from '#features/providers/example-provider.ts';
import { createAuthority, createCertificate } from '#hosts/tls/create-certificate.server.ts';
import { type AsOptions, speakAs } from '#tooling/program/as/as.ts';
import { UsageError } from '#tooling/program/client-exam/choices.ts';

const root = join(import.meta.dirname, '../../..');
const hook = pathToFileURL(join(root, 'src/tooling/program/as/route-hosts.js')).href;
const folder = mkdtempSync(join(tmpdir(), 'tollgate-as-test-'));
const client = {
	clientId: 'my-app',
	clientSecret: 'my-secret',
	redirectUri: ['http://localhost:3000/callback']
} satisfies AsOptions;

/** A program of an author who knows the sandbox: it signs a user in, and starts a program with the code. */
const driver = join(folder, 'driver.mjs');
let others: Server;
let otherUrl = '';

beforeAll(async () => {
	writeFileSync(
		driver,
		`import { spawn } from 'node:child_process';
const [, , ...command] = process.argv;
const base = process.env.TOLLGATE_BASE_URL;
const query = new URLSearchParams({ client_id: 'my-app', redirect_uri: 'http://localhost:3000/callback', scope: 'user' });
const response = await fetch(base + '/control/authorizations', {
	method: 'POST',
	headers: { 'content-type': 'application/json' },
	body: JSON.stringify({ username: 'player-one', query: String(query), provider: 'github' })
});
const { location } = await response.json();
spawn(command[0], [...command.slice(1), new URL(location).searchParams.get('code')], { stdio: 'inherit' })
	.on('exit', (code) => (process.exitCode = code));
`
	);
	const authority = await createAuthority(['localhost'], Date.now());
	others = createServer(await createCertificate(authority, ['localhost'], Date.now()), (request, response) =>
		response.end(`other host, ${String(request.headers['x-forwarded-host'] ?? 'unchanged')}`)
	);
	await new Promise<void>((resolve) => void others.listen(0, '127.0.0.1', resolve));
	const address = others.address();
	otherUrl = `https://localhost:${typeof address === 'object' && address !== null ? address.port : 0}`;
});
afterAll(() => {
	others.close();
	rmSync(folder, { recursive: true });
});

/** Runs a command as these providers. Returns its exit code, what it wrote to standard output, and what Tollgate said. */
async function run(names: string, command: string, options: AsOptions = client) {
	const file = join(folder, `${Math.random()}.txt`);
	let said = '';
	const files = { hook, pages: join(folder, 'absent') };
	const print = (text: string) => (said += text);
	const exitCode = await speakAs(names, ['sh', '-c', `{ ${command}; } > ${file}`], options, files, print);
	return { exitCode, said, output: readFileSync(file, 'utf8') };
}
const inTests = (name: string) => join(import.meta.dirname, name);

describe('a program that knows the real URLs only', () => {
	it.each([
		['Node, with fetch and node:https', `${process.execPath} ${inTests('app.js')}`],
		['Python, with urllib', `python3 ${inTests('app.py')}`],
		['curl', `sh ${inTests('app.sh')}`]
	])('signs in, calls the API and reads the errors of GitHub in %s', async (_name, program) => {
		const { exitCode, output } = await run('github,google', `${process.execPath} ${driver} ${program}`);
		expect(exitCode).toBe(0);
		expect(JSON.parse(output)).toEqual({
			token: [200, { access_token: expect.stringMatching(/^gho_/), scope: 'user', token_type: 'bearer' }],
			user: [200, expect.objectContaining({ login: 'player-one' })],
			again: [200, expect.objectContaining({ error: 'bad_verification_code' })],
			unknown: [404, expect.stringContaining('Not simulated by the file github')],
			plain: [403, expect.stringContaining('Tollgate simulates https://github.com only')]
		});
	});
});

it('changes nothing for other hosts, whose certificates programs see unchanged', async () => {
	const { port } = new URL(otherUrl);
	// The proxy leaves out this machine, so curl has an option to use it for localhost, too.
	const { output } = await run(
		'github',
		[
			`curl -sSk --noproxy '' ${otherUrl}`,
			'echo',
			`curl -sS --noproxy '' ${otherUrl} 2>&1 || true`,
			'echo',
			`${process.execPath} -e "fetch('${otherUrl}').catch((error) => console.log(error.cause.code))"`,
			`${process.execPath} -e "require('node:https').get({ host: 'localhost', port: ${port}, rejectUnauthorized: false }, (r) => r.on('data', (d) => console.log(String(d))))"`
		].join('; ')
	);
	const lines = output.trim().split('\n').filter(Boolean);
	expect(lines[0]).toBe('other host, unchanged');
	expect(lines[1]).toMatch(/SSL certificate problem/);
	expect(lines.slice(-2)).toEqual(['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'other host, unchanged']);
});

it('sends plain requests of clients that do not tunnel to the sandbox as well', async () => {
	const script = `const { port } = new URL(process.env.HTTPS_PROXY);
require('node:http').get({ host: '127.0.0.1', port, path: 'https://api.github.com/user', headers: { host: 'api.github.com', 'user-agent': 'a' } }, (r) => {
	let text = ''; r.on('data', (d) => text += d).on('end', () => console.log(r.statusCode, text)); });`;
	const file = join(folder, 'plain.cjs');
	writeFileSync(file, script);
	const { output } = await run('github', `${process.execPath} ${file}`);
	expect(output).toMatch(/^401 .*Bad credentials/);
});

it('takes a host whose address a program has looked up', async () => {
	// An address that no host has (RFC 5737).
	const script = `const https = require('node:https');
const options = { host: '192.0.2.1', path: '/octocat', servername: 'github.com', headers: { host: 'github.com' } };
https.get(options, (response) => console.log(response.resume().statusCode));`;
	const file = join(folder, 'address.cjs');
	writeFileSync(file, script);
	expect((await run('github', `${process.execPath} ${file}`)).output).toBe('404\n');
});

it('leads the hosts of the API that a sandbox describes to that sandbox', async () => {
	const provider = exampleProvider;
	const sandbox = createHttpServer((request, response) =>
		response.end(request.url === '/control/provider' ? JSON.stringify({ provider }) : `at ${request.url ?? ''}`)
	);
	await new Promise<void>((resolve) => void sandbox.listen(0, '127.0.0.1', resolve));
	const address = sandbox.address();
	const url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
	const { output, said } = await run('own', 'curl -sS https://api.bank.example/v1/me', { url });
	sandbox.close();
	expect(output).toBe('at /as/own/v1/me');
	expect(said).toContain('Tollgate as Example Bank.');
});

it('needs a sandbox that runs for the API that one describes', async () => {
	await expect(run('own', 'true')).rejects.toThrow(UsageError);
	await expect(run('own', 'true', { url: 'http://127.0.0.1:9' })).rejects.toThrow(UsageError);
});

it('reaches no named host when the sandbox has stopped', async () => {
	// A port that nothing listens on.
	const url = 'http://127.0.0.1:9';
	const node = `${process.execPath} -e "fetch('https://github.com/').then(async (r) => console.log(r.status, await r.text()))"`;
	const { output } = await run('github', `curl -sS https://github.com/; ${node}`, { url });
	const sentence = `The sandbox at ${url} does not respond (ECONNREFUSED). Nothing was sent to github.com.`;
	expect(output).toBe(`${sentence}\n502 ${sentence}\n\n`);
});

it('reaches no named host after the command has ended', async () => {
	const { output } = await run('github', 'printenv TOLLGATE_ROUTES HTTPS_PROXY');
	const [routes = '', proxy = ''] = output.split('\n');
	const env = { ...process.env, TOLLGATE_ROUTES: routes, HTTPS_PROXY: proxy };
	const inNode = promisify(execFile)(
		process.execPath,
		['--import', hook, '-e', "fetch('https://github.com/').catch((error) => console.log(error.cause.code))"],
		{ env }
	);
	expect((await inNode).stdout.trim()).toBe('ECONNREFUSED');
	await expect(promisify(execFile)('curl', ['-sS', 'https://github.com/'], { env })).rejects.toThrow(
		/7127|127\.0\.0\.1/
	);
});

it('says where the sandbox is, and how a browser reaches the same hosts', async () => {
	const { said } = await run('github,slack', 'true');
	expect(said).toContain('Tollgate as GitHub, Slack. Simulated');
	expect(said).toMatch(/Inspector {2}https:\/\/localhost:\d+\/inspector/);
	expect(said).toMatch(
		/chromium --user-data-dir=\S+ .*--host-resolver-rules="MAP github\.com 127\.0\.0\.1:\d+, MAP api\.github\.com 127\.0\.0\.1:\d+, MAP slack\.com/
	);
	expect(said).toMatch(/--ignore-certificate-errors-spki-list=[A-Za-z0-9+/]{43}=/);
});

it('passes the exit code on, and leaves no file', async () => {
	const before = readdirSync(tmpdir()).filter((name) => name.startsWith('tollgate-as-'));
	expect((await run('github', 'exit 7')).exitCode).toBe(7);
	expect(readdirSync(tmpdir()).filter((name) => name.startsWith('tollgate-as-'))).toEqual(before);
});

it.each([
	['github,gitlab', {}, /^No provider "gitlab" is simulated. Use one of .*github/],
	['github', { clientId: 'my-app' }, /^--client-id, --client-secret and --redirect-uri belong together/],
	['github', { ...client, url: 'https://localhost:8443' }, /^A server that runs already has its own applications/],
	['github', { ca: 'ca.pem' }, /^--ca needs --url/]
])('rejects %s with %j before it starts anything', async (names, options, message) => {
	const print = vi.fn();
	const failed = speakAs(names, ['true'], options, { hook, pages: '' }, print);
	await expect(failed).rejects.toThrow(UsageError);
	await expect(failed).rejects.toThrow(message);
	expect(print).not.toHaveBeenCalled();
});
