import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { freePort } from '../tooling/exam/free-port.ts';

const root = join(import.meta.dirname, '../..');
const client = new Client({ name: 'test', version: '1.0' });

beforeAll(() =>
	client.connect(
		new StdioClientTransport({
			command: process.execPath,
			args: [join(root, 'build/host/tollgate.js'), 'mcp'],
			stderr: 'ignore'
		})
	)
);
afterAll(() => client.close());

/** Calls a tool. Returns its text, and whether it failed. */
async function call(name: string, args: Record<string, unknown> = {}): Promise<{ text: string; isError: boolean }> {
	const { content, isError } = await client.callTool({ name, arguments: args });
	const [part] = Array.isArray(content) ? content : [];
	return { text: String(part?.text), isError: isError === true };
}

it('lists few tools, and all operations of the control API in one of them', async () => {
	const { tools } = await client.listTools();
	expect(tools.map(({ name }) => name).toSorted()).toEqual([
		...['add_fault', 'control', 'create_sandbox', 'explain_exchange', 'explain_har'],
		...['move_clock', 'read_findings', 'read_traffic', 'run_exam']
	]);
	expect(JSON.stringify(tools).length).toBeLessThan(12_000);
	const fault = tools.find(({ name }) => name === 'add_fault');
	expect(fault?.inputSchema.required).toEqual(['body']);
	expect(JSON.stringify(fault?.inputSchema)).toContain('"hard_code"');
	const run = tools.find(({ name }) => name === 'run_exam');
	expect(run?.annotations).toMatchObject({ readOnlyHint: false, destructiveHint: true, openWorldHint: true });
	const operations = (await call('control')).text;
	expect(operations).toContain('reset_sandbox: ');
	for (const name of ['list_sandboxes', 'stream_traffic', 'health', 'open_class'])
		expect(operations).not.toContain(name);
	expect((await call('control', { operation: 'change_settings' })).text).toContain('"access_token"');
});

it('needs a sandbox first, then moves its clock', async () => {
	const read = (more = {}) => call('control', { operation: 'read_clock', ...more });
	expect(await read()).toEqual({
		text: 'There is no such sandbox. Create one with create_sandbox first.',
		isError: true
	});
	const created = JSON.parse((await call('create_sandbox', { body: { name: 'Agent' } })).text);
	expect(created.name).toBe('Agent');
	const moved = JSON.parse((await call('move_clock', { body: { advance: 600 } })).text);
	expect(moved.offset).toBe(600_000);
	expect((await read({ arguments: { sandbox: 'unknown' } })).isError).toBe(true);
	expect(await call('move_clock', { body: { advance: -1 } })).toMatchObject({ isError: true });
	await call('create_sandbox');
	await call('control', { operation: 'delete_sandbox' });
	expect(JSON.parse((await read()).text).offset).toBe(600_000);
});

it('explains a request that the service rejected', async () => {
	await call('create_sandbox');
	const query = 'response_type=code&client_id=unknown&redirect_uri=https%3A%2F%2Fa.test&scope=character_read';
	await call('control', { operation: 'authorize_as_user', arguments: { body: { username: 'player-one', query } } });
	const { entries } = JSON.parse((await call('read_traffic', { limit: '10' })).text);
	const explained = JSON.parse((await call('explain_exchange', { request_id: entries[0].id })).text);
	expect(explained).toMatchObject({ status: 400, check: 'auth.client_known' });
	expect(explained.fix).toMatch(/^\S.*\.$/);
});

it('explains a HAR file of another provider', async () => {
	const file = join(mkdtempSync(join(tmpdir(), 'tollgate-har-')), 'a.har');
	const url = 'https://auth.example/authorize?response_type=code&client_id=a&state=canary-state-1234';
	const request = { method: 'GET', url, headers: [] };
	const response = { status: 400, headers: [], content: { text: '{"error":"invalid_scope"}' } };
	writeFileSync(file, JSON.stringify({ log: { entries: [{ request, response }] } }));
	const { text } = await call('explain_har', { files: [file] });
	expect(text).toContain('A scope is not accepted (severity 2)');
	expect(text).not.toContain('canary');
	expect(await call('explain_har', { files: [`${file}.absent`] })).toMatchObject({ isError: true });
});

it('runs the exam of a client, and explains its findings', async () => {
	expect((await call('read_findings')).text).toBe('There is no result. Call run_exam first.');
	const port = await freePort();
	const script = join(root, 'tests/tooling/exam/small-client.js');
	const { text } = await call('run_exam', {
		command: [process.execPath, script, String(port), 'secret in the URL'],
		sign_in: `http://localhost:${port}/login`,
		use: `http://localhost:${port}/me`,
		only: 'request.no_secret'
	});
	expect(text).toContain('✗ 1 failed');
	expect((await call('read_findings')).text).toBe(text);
	const finding = JSON.parse((await call('read_findings', { rule: 'request.no_secret' })).text);
	expect(finding).toMatchObject({ verdict: 'failed', severity: 1 });
	expect(finding.why).toMatch(/\.$/);
});
