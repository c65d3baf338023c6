import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomUUID } from 'node:crypto';
import { expect, it, onTestFinished } from 'vitest';
import { commandActions } from '#tooling/program/client-exam/command-client.ts';
import { temporaryFolder } from '../../hosts/temporary-folder.ts';

it('gives the client the code of the page, with all of its characters', async () => {
	const file = join(await temporaryFolder(), 'code');
	const signIn = `sh -c '"$BROWSER" https://service.test/auth; read -r code; printf %s "$code" > ${file}'`;
	const client = commandActions({ signIn }, process.env, randomUUID());
	onTestFinished(() => client.stop?.());
	const text = '<title>Success,code=a-._~+/=%&amp;b&lt;&#39;c&amp;amp;</title>';
	await client.signIn(async (url) => ({ url, status: 200, text }), { username: 'player-one' });
	expect(readFileSync(file, 'utf8')).toBe("a-._~+/=%&b<'c&amp;");
});
