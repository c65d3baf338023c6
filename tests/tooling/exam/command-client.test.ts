import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { expect, it, onTestFinished, vi } from 'vitest';
import { commandActions } from '#tooling/program/client-exam/command-client.ts';
import { temporaryFolder } from '../../hosts/temporary-folder.ts';

it('gives the client the code of the page, with all of its characters, below a folder of modules', async () => {
	const folder = await temporaryFolder();
	writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
	vi.stubEnv('TMPDIR', folder);
	const file = join(folder, 'code');
	const signIn = `sh -c '"$BROWSER" https://service.test/auth; read -r code; printf %s "$code" > ${file}'`;
	const client = commandActions({ signIn }, process.env, randomUUID());
	onTestFinished(() => client.stop?.());
	const text = '<title>Success,code=a-._~+/=%&amp;b&lt;&#39;c&amp;amp;</title>';
	await client.signIn(async (url) => ({ url, status: 200, text }), { username: 'player-one' });
	expect(readFileSync(file, 'utf8')).toBe("a-._~+/=%&b<'c&amp;");
});

it('commands that run at the same time all come to their end, and none survives the exam', async () => {
	const folder = await temporaryFolder();
	const command = (seconds: number) => `sh -c 'sleep ${seconds}; touch ${folder}/{name}'`;
	const client = commandActions({ signIn: 'true', use: command(0.3) }, process.env, randomUUID());
	const quick = commandActions({ signIn: 'true', use: command(0) }, process.env, randomUUID());
	onTestFinished(() => quick.stop?.());
	const open = async (url: string) => ({ url, status: 200, text: '' });
	await Promise.all([...['a', 'b', 'c'].map((name) => client.use?.(open, name)), quick.use?.(open, 'd')]);
	expect(readdirSync(folder).toSorted()).toEqual(['a', 'b', 'c', 'd']);
	const late = commandActions({ signIn: 'true', use: command(60) }, process.env, randomUUID());
	const used = late.use?.(open, 'late');
	await late.stop?.();
	await used;
	expect(readdirSync(folder)).not.toContain('late');
});
