import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { FileLocks } from '#client/cli/file-locks.server.ts';
import { CredentialsFile } from '#client/cli/credentials-file.server.ts';
import { LocalLocks } from '#client/locks.ts';
import { MemoryShelf } from '#client/shelf.ts';
import type { Flow } from '#client/sign-in/flows.ts';
import type { Session } from '#client/tokens/sessions.ts';
import { codeOf, Workbench } from '../workbench.ts';

let folder = '';
let path = '';
let session: Session;

beforeEach(async () => {
	folder = mkdtempSync(join(tmpdir(), 'tollgate-shelf-'));
	path = join(folder, 'deep', 'er', 'shelf.json');
	const bench = new Workbench();
	session = await bench.signIn(bench.tab('tab-1', { shelf: new MemoryShelf(), locks: new LocalLocks() }));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A process of its own, as far as a shelf can tell. */
const open = () => new CredentialsFile(path, new FileLocks(path));

test('what is kept outlives the process, in a file that only its owner can read', async () => {
	await open().update('sessions', () => [session]);
	expect(statSync(path).mode & 0o777).toBe(0o600);
	expect(statSync(join(folder, 'deep')).mode & 0o777).toBe(0o700);
	expect(statSync(join(folder, 'deep', 'er')).mode & 0o777).toBe(0o700);
	expect(await open().read('sessions')).toEqual([session]);
	expect(readdirSync(join(folder, 'deep', 'er'))).toEqual(['shelf.json']);
});

test('a file whose rights somebody has loosened is tight again after the next write', async () => {
	await open().update('sessions', () => [session]);
	chmodSync(path, 0o644);
	await open().update('offsets', () => ({ here: 5 }));
	expect(statSync(path).mode & 0o777).toBe(0o600);
});

test('without a session there is no file', async () => {
	await open().update('offsets', () => ({ here: 5 }));
	expect(readdirSync(folder).length === 0 || readdirSync(join(folder, 'deep', 'er')).length === 0).toBe(true);
	await open().update('sessions', () => [session]);
	await open().update('sessions', () => []);
	expect(readdirSync(join(folder, 'deep', 'er'))).toEqual([]);
});

test('a sign-in under way is never written', async () => {
	const shelf = open();
	await shelf.update('sessions', () => [session]);
	const flow: Flow = {
		...{ state: 'STATE', tab: 't', service: 's', client_id: 'c', redirect_uri: 'r', scope: [], verifier: 'VERIFIER' },
		...{ access_type: 'offline', started: 0, stage: 'started', session: null, problem: null }
	};
	await shelf.update('flows', () => [flow]);
	await shelf.update('offsets', () => ({}));
	expect(await shelf.read('flows')).toEqual([flow]);
	expect(await open().read('flows')).toBeUndefined();
	expect(readFileSync(path, 'utf8')).not.toMatch(/STATE|VERIFIER/);
});

test('20 writers at once, from two processes: nothing is lost', async () => {
	const [one, two] = [open(), open()];
	const write = (number: number) =>
		(number % 2 === 0 ? one : two).update('sessions', (all = []) => [...all, { ...session, id: String(number) }]);
	await Promise.all(Array.from({ length: 20 }, (_, number) => write(number)));
	expect(await open().read('sessions')).toHaveLength(20);
});

test('a lock of a process that is gone bars nobody', async () => {
	await open().update('sessions', () => [session]);
	writeFileSync(`${path}.shelf.lock`, '2147483646');
	await open().update('sessions', () => [session, { ...session, id: 'two' }]);
	expect(await open().read('sessions')).toHaveLength(2);
});

test.each(['', '{', '[]', '{"sessions":[{"id":5}],"offsets":{}}'])('a damaged file is said so: %j', async (text) => {
	await open().update('sessions', () => [session]);
	writeFileSync(path, text);
	expect(await codeOf(open().read('sessions'))).toBe('shelf_unreadable');
	expect(await codeOf(open().update('sessions', () => []))).toBe('shelf_unreadable');
	expect(readFileSync(path, 'utf8')).toBe(text);
});

describe('a disk that refuses to write', () => {
	test('is told as such, and what is kept elsewhere stays as it was', async () => {
		writeFileSync(join(folder, 'deep'), 'a file where the folder should be');
		expect(await codeOf(open().update('sessions', () => [session]))).toBe('shelf_unwritable');
		expect(await codeOf(open().check())).toBe('shelf_unwritable');
		expect(await open().read('sessions')).toEqual([]);
		expect(readFileSync(join(folder, 'deep'), 'utf8')).toBe('a file where the folder should be');
	});

	test.each([
		['tokens', () => [session]],
		['nothing', () => []]
	])('is told as such where its locks lie elsewhere and there is %s to keep', async (_, sessions) => {
		writeFileSync(join(folder, 'deep'), 'a file where the folder should be');
		const shelf = new CredentialsFile(path, new FileLocks(join(folder, 'locks')));
		expect(await codeOf(shelf.update('sessions', sessions))).toBe('shelf_unwritable');
		expect(readdirSync(folder)).toEqual(['deep']);
	});

	test('leaves nothing half written behind where the file cannot be put in place', async () => {
		const shelf = open();
		const blocking = () => {
			mkdirSync(join(path, 'in the way'), { recursive: true });
			return [session];
		};
		expect(await codeOf(shelf.update('sessions', blocking))).toBe('shelf_unwritable');
		expect(readdirSync(join(folder, 'deep', 'er'))).toEqual(['shelf.json']);
	});
});
