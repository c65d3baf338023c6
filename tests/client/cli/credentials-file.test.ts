import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CredentialsFile } from '#client/cli/client.server.ts';
import type { TokenSet } from '#client/oauth/token-store.ts';

const tokenSet: TokenSet = {
	id: 'one',
	client_id: 'pocket-companion',
	scope: ['character_read'],
	access_type: 'offline',
	access_token: 'access',
	refresh_token: 'refresh',
	expiresAt: 2000,
	lifetime: 1000,
	createdAt: 1000,
	refreshCount: 0,
	refreshFailures: 0,
	retryAt: 0,
	ended: null
};
let home: string;
let path: string;
let file: CredentialsFile;

beforeEach(() => {
	home = mkdtempSync(join(tmpdir(), 'tollgate-credentials-'));
	path = join(home, 'nested', 'folder', 'file.json');
	file = new CredentialsFile(path);
});

afterEach(() => rmSync(home, { recursive: true, force: true }));

test('keeps tokens in a file that only its owner can read, also after its mode was changed', async () => {
	await file.update('one', () => tokenSet);
	chmodSync(path, 0o644);
	await file.update('one', (current) => current);
	expect(statSync(path).mode & 0o777).toBe(0o600);
	expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
	expect(await new CredentialsFile(path).list()).toEqual([tokenSet]);
	expect(readdirSync(dirname(path))).toEqual(['file.json']);
});

test('removes the file with the last tokens', async () => {
	await file.update('one', () => tokenSet);
	await file.update('one', () => undefined);
	expect(readdirSync(dirname(path))).toEqual([]);
});

test('loses nothing when 20 updates start at once', async () => {
	const ids = Array.from({ length: 20 }, (_, index) => `id-${String(index)}`);
	await Promise.all(ids.map((id) => file.update(id, () => ({ ...tokenSet, id }))));
	expect((await file.list()).map(({ id }) => id)).toEqual(ids);
});

test.each(['', '{', '[]', '{"token_sets":{"one":{"id":5}}}'])(
	'reports a damaged file and keeps it: %j',
	async (text) => {
		await file.update('one', () => tokenSet);
		writeFileSync(path, text);
		await expect(file.list()).rejects.toMatchObject({ code: 'credentials_unreadable' });
		await expect(file.update('one', () => tokenSet)).rejects.toMatchObject({ code: 'credentials_unreadable' });
		expect(readFileSync(path, 'utf8')).toBe(text);
	}
);

test('reports a folder that cannot be created, and leaves no temporary file', async () => {
	writeFileSync(join(home, 'nested'), 'a file');
	await expect(file.check()).rejects.toMatchObject({ code: 'credentials_unwritable' });
	await expect(file.update('one', () => tokenSet)).rejects.toMatchObject({ code: 'credentials_unwritable' });
	expect(readdirSync(home)).toEqual(['nested']);
});
