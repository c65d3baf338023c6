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

it('lists a tool for each endpoint of a sandbox, with the schema of its declaration', async () => {
	const { tools } = await client.listTools();
	const names = tools.map(({ name }) => name);
	expect(names).toEqual(
		expect.arrayContaining([
			...['create_sandbox', 'read_traffic', 'explain_exchange', 'add_fault', 'move_clock', 'run_exam', 'read_findings']
		])
	);
	expect(new Set(names).size).toBe(names.length);
	for (const name of ['list_sandboxes', 'stream_traffic', 'health', 'open_class']) expect(names).not.toContain(name);
	const fault = tools.find(({ name }) => name === 'add_fault');
	expect(fault?.inputSchema.required).toEqual(['body']);
	expect(JSON.stringify(fault?.inputSchema)).toContain('"hard_code"');
	expect(tools.find(({ name }) => name === 'reset_sandbox')?.annotations?.destructiveHint).toBe(true);
});

it('needs a sandbox first, then moves its clock', async () => {
	expect(await call('read_clock')).toEqual({
		text: 'There is no such sandbox. Create one with create_sandbox first.',
		isError: true
	});
	const created = JSON.parse((await call('create_sandbox', { body: { name: 'Agent' } })).text);
	expect(created.name).toBe('Agent');
	const moved = JSON.parse((await call('move_clock', { body: { advance: 600 } })).text);
	expect(moved.offset).toBe(600_000);
	const other = await call('read_clock', { sandbox: 'unknown' });
	expect(other.isError).toBe(true);
	expect((await call('move_clock', { body: { advance: -1 } })).text).toContain('status 400');
	await call('create_sandbox');
	await call('delete_sandbox');
	expect(JSON.parse((await call('read_clock')).text).offset).toBe(600_000);
});

it('explains a request that the service rejected', async () => {
	await call('create_sandbox');
	const query = 'response_type=code&client_id=unknown&redirect_uri=https%3A%2F%2Fa.test&scope=character_read';
	await call('authorize_as_user', { body: { username: 'player-one', query } });
	const { entries } = JSON.parse((await call('read_traffic', { limit: '10' })).text);
	const explained = JSON.parse((await call('explain_exchange', { request_id: entries[0].id })).text);
	expect(explained).toMatchObject({ status: 400, check: 'auth.client_known' });
	expect(explained.fix).toMatch(/^\S.*\.$/);
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
	const finding = JSON.parse((await call('read_findings', { rule: 'request.no_secret' })).text);
	expect(finding).toMatchObject({ verdict: 'failed', severity: 1 });
	expect(finding.why).toMatch(/\.$/);
});
