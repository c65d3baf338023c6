import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { readHar } from '#evidence/har/read-har.ts';

const root = join(import.meta.dirname, '../..');
const tollgate = join(root, 'build/host/tollgate.js');
const folder = mkdtempSync(join(tmpdir(), 'tollgate-watch-test-'));
let server: Server;
let provider = '';

beforeAll(async () => {
	server = createServer((request, response) => {
		request.resume();
		const { url = '' } = request;
		const body = url.startsWith('/.well-known')
			? { issuer: provider, token_endpoint: `${provider}/token`, authorization_endpoint: `${provider}/authorize` }
			: url === '/token'
				? {
						access_token: 'canary-token-2YotnFZFEjr1zCsicMWpAA',
						refresh_token: 'canary-refresh-tGzv3JOkF0XG5Qx2TlKWIA',
						token_type: 'Bearer',
						expires_in: 60
					}
				: { name: 'canary' };
		const isGzip = request.headers['accept-encoding']?.includes('gzip') === true;
		response.writeHead(200, { 'content-type': 'application/json', ...(isGzip && { 'content-encoding': 'gzip' }) });
		request.on('end', () => response.end(isGzip ? gzipSync(JSON.stringify(body)) : JSON.stringify(body)));
	});
	await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
	const address = server.address();
	provider = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`;
});
afterAll(() => {
	server.close();
	rmSync(folder, { recursive: true });
});

/** Runs `tollgate watch`. Returns its exit code and what it and the client printed. */
function watch(...args: string[]): Promise<{ exitCode: number | null; printed: string }> {
	const child = spawn(process.execPath, [tollgate, 'watch', ...args], { cwd: folder });
	let printed = '';
	for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (printed += String(text)));
	return new Promise((resolve) => child.on('close', (exitCode) => resolve({ exitCode, printed })));
}

it('records the requests of fetch, http and undici in the process of a client, without secrets', async () => {
	const output = join(folder, 'watch.har');
	const client = join(root, 'tests/tooling/watch/small-client.js');
	const { exitCode, printed } = await watch('--output', output, '--', process.execPath, client, provider);
	expect(printed).toContain(`canary\nWrote ${output} with 6 requests, without secrets.`);
	expect(exitCode).toBe(0);
	const text = readFileSync(output, 'utf8');
	expect(text).not.toContain('canary');
	const reading = readHar(text);
	if (reading.kind !== 'read') throw new Error(reading.error);
	expect(reading.exchanges.map(({ role, outcome, source }) => [role, outcome, source])).toEqual([
		['metadata', 'Metadata', 'watch'],
		['token', 'access_token, refresh_token', 'watch'],
		['resource', 'Status 200', 'watch'],
		['token', 'access_token, refresh_token', 'watch'],
		['resource', 'Status 200', 'watch'],
		['resource', 'Status 200', 'watch']
	]);
	const [, exchange, call, refresh] = reading.exchanges;
	expect(exchange?.entry.request.body).toContain('grant_type=authorization_code&code=[code 1]');
	expect(exchange?.entry.request.headers).toContainEqual(['authorization', 'Basic [client secret 1]']);
	expect(call?.entry.request.headers).toContainEqual(['authorization', 'Bearer [access token 1]']);
	expect(refresh?.entry.request.body).toBe('grant_type=refresh_token&refresh_token=[refresh token 1]');
});

it('ends all programs of the command with the signal that it gets, and passes the exit code on', async () => {
	const inner = "console.log('started'); setInterval(() => {}, 1000)";
	const outer = `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(inner)}], { stdio: 'inherit' })`;
	const child = spawn(process.execPath, [tollgate, 'watch', '--', process.execPath, '-e', outer], { cwd: folder });
	await new Promise((resolve) => child.stdout.once('data', resolve));
	child.kill('SIGTERM');
	// It closes after the inner program, which has its output, has ended.
	expect(await new Promise((resolve) => child.on('close', resolve))).toBe(143);
});

it('says why it recorded nothing, and ends as the command did', async () => {
	const nothing = await watch('--', process.execPath, '-e', 'process.exitCode = 3');
	expect(nothing).toMatchObject({ exitCode: 3, printed: expect.stringMatching(/^No token or resource request/) });
	const absent = await watch('--', './absent-program');
	expect(absent).toMatchObject({
		exitCode: 127,
		printed: expect.stringContaining('There is no program ./absent-program.')
	});
});
