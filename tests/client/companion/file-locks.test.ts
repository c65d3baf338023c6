import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { FileLocks } from '#client/companion/file-locks.server.ts';
import { codeOf } from '../workbench.ts';

let folder = '';
let path = '';

beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'tollgate-locks-'));
	path = join(folder, 'deep', 'shelf.json');
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A process of its own, as far as a lock can tell. */
const open = () => new FileLocks(path);

test('while it is held only its owner can read the file with the number of the process; afterwards nothing is left', async () => {
	const lock = `${path}.shelf.lock`;
	const held = await open().request('shelf', () => {
		const names = readdirSync(dirname(path));
		const modes = [lock, dirname(path)].map((place) => statSync(place).mode & 0o777);
		return Promise.resolve({ names, modes, holder: readFileSync(lock, 'utf8') });
	});
	expect(held).toEqual({ names: ['shelf.json.shelf.lock'], modes: [0o600, 0o700], holder: String(process.pid) });
	expect(readdirSync(dirname(path))).toEqual([]);
});

test('an action that fails lets the lock go, and its fault is the one that is told', async () => {
	const fault = new Error('the action');
	await expect(open().request('shelf', () => Promise.reject(fault))).rejects.toBe(fault);
	expect(await open().request('shelf', () => Promise.resolve('next'))).toBe('next');
});

test('who asks for one name has to wait, who asks for another has not', async () => {
	const inner = () => open().request('tokens/of player one', () => Promise.resolve(readdirSync(dirname(path)).sort()));
	expect(await open().request('shelf', inner)).toEqual([
		'shelf.json.shelf.lock',
		'shelf.json.tokens-of-player-one.lock'
	]);
});

test('a lock of another process is waited for while that lives, and bars nobody once it was killed', async () => {
	const holder = spawn(process.execPath, ['-e', 'process.stdin.resume()'], { stdio: ['pipe', 'ignore', 'ignore'] });
	await once(holder, 'spawn');
	mkdirSync(dirname(path), { recursive: true });
	writeFileSync(`${path}.shelf.lock`, String(holder.pid));
	const taken = open().request('shelf', () => Promise.resolve(holder.signalCode));
	await open().request('another', () => Promise.resolve());
	holder.kill('SIGKILL');
	expect(await taken).toBe('SIGKILL');
	expect(readdirSync(dirname(path))).toEqual([]);
});

test.each(['', 'half', '-1'])(
	'a lock that names no process, as a power cut may leave it, bars nobody: %j',
	async (text) => {
		mkdirSync(dirname(path), { recursive: true });
		writeFileSync(`${path}.shelf.lock`, text);
		expect(await open().request('shelf', () => Promise.resolve('taken'))).toBe('taken');
	}
);

test('a disk that refuses the lock is told as such, and the action is not begun', async () => {
	writeFileSync(dirname(path), 'a file where the folder should be');
	let begun = false;
	const action = () => Promise.resolve((begun = true));
	expect(await codeOf(open().request('shelf', action))).toBe('shelf_unwritable');
	expect(begun).toBe(false);
	expect(readdirSync(folder)).toEqual(['deep']);
});
