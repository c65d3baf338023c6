import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { withLocalServer } from '#features/docs/local-server.ts';
import { loadDocPage } from '#features/docs/load-doc-page.ts';
import { builtHost, dataFolder, startServer, type RunningServer } from '../../run/server.js';

// Runs the shell scripts of the page "Connect your client" against the built server.
const data = dataFolder();
let server: RunningServer;
let output = '';
let again = '';
let first = '';

beforeAll(async () => {
	server = await startServer([process.execPath, builtHost], { PORT: '0', DATA_DIR: data.path });
	const page = await loadDocPage('your-client');
	const scriptOf = (title: string) => {
		const script = page?.blocks.find((block) => block.kind === 'code' && block.title === title);
		const code = script?.kind === 'code' ? script.code : '';
		return withLocalServer(code, { rootUrl: server.origin, isReachable: true }, `${data.path}/tls/ca.pem`);
	};
	const walk = scriptOf('walk.sh');
	const cwd = join(import.meta.dirname, '../../..');
	const run = promisify(execFile);
	first = (await run('sh', ['-euc', scriptOf('first.sh')], { cwd })).stdout;
	const { stdout } = await run('sh', ['-euc', walk], { cwd });
	output = stdout;
	// Without its last steps it leaves a grant, as the first minutes in the viewer do.
	await run('sh', ['-euc', walk.slice(0, walk.indexOf('# 7. Revoke'))], { cwd });
	again = (await run('sh', ['-euc', walk], { cwd })).stdout;
});

afterAll(async () => {
	await server.close();
	data.remove();
});

test('the first request needs no browser, and returns a character', () => {
	expect(first).toMatch(/^x-ratelimit-remaining: 599\r$/im);
	expect(first).toContain('"name":"Mara Vell"');
});

test('consent returns a code and the state to the application', () => {
	expect(output).toMatch(/^https:\/\/localhost:\d+\/~[\w-]+\/viewer\/callback\?code=[\w-]{43}&state=af0ifjsldkj$/m);
});

test('each run works, also after one that did not revoke its tokens', () => {
	expect(again).toMatch(/\/viewer\/callback\?code=[\w-]{43}&state=af0ifjsldkj$/m);
	expect(again).toContain('"name":"Mara Vell"');
	expect(tokenResponses(again).map((response) => response.includes('refresh_token'))).toEqual([true, false]);
	expect(again).toMatch(/200\n/);
});

test('the code exchange returns both tokens, the refresh only an access token', () => {
	expect(tokenResponses(output).map((response) => response.includes('refresh_token'))).toEqual([true, false]);
});

test('the character has its location and the headers of the limit', () => {
	expect(output).toContain('"name":"Mara Vell"');
	expect(output).toContain('"region":"Harrow Coast"');
	expect(output).toMatch(/^x-ratelimit-remaining: 599\r$/im);
});

test('rate limits are returned as XML', () => {
	expect(output).toContain('<ratelimits version="1.0" total="2">');
});

test('the traffic log says why a call after the revocation failed', () => {
	expect(output).toMatch(/200\n/);
	const entry = output.slice(output.lastIndexOf('{"seq"'));
	expect(entry).toContain('"status":401');
	expect(entry).toContain('"outcome":"failed"');
});

function tokenResponses(text: string): string[] {
	return text.split('\n').flatMap((line) => /\{"access_token".*?\}/.exec(line) ?? []);
}
