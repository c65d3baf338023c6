import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { build } from 'vite';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FileLocks } from '#client/cli/file-locks.server.ts';
import { codeOf } from '../workbench.ts';

// A file system such as a memory stick has: it knows no links.
vi.mock(import('node:fs/promises'), async (original) => {
	const refuse = () => Promise.reject(Object.assign(new Error('link'), { code: 'EPERM' }));
	return { ...(await original()), link: refuse, symlink: refuse };
});

let folder = '';
let path = '';

beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'tollgate-locks-'));
	path = join(folder, 'deep', 'shelf.json');
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Leaves a lock behind, with these names in it. */
function left(...names: string[]): void {
	mkdirSync(`${path}.shelf.lock`, { recursive: true });
	for (const name of names) writeFileSync(join(`${path}.shelf.lock`, name), '');
}

/** A process of its own, as far as a lock can tell. */
const open = () => new FileLocks(path);

test('while it is held only its owner can read the number of the process; afterwards nothing is left', async () => {
	const lock = `${path}.shelf.lock`;
	const held = await open().request('shelf', () => {
		const names = readdirSync(dirname(path));
		const modes = [lock, dirname(path)].map((place) => statSync(place).mode & 0o777);
		return Promise.resolve({ names, modes, holders: readdirSync(lock).map((holder) => Number.parseInt(holder)) });
	});
	expect(held).toEqual({ names: ['shelf.json.shelf.lock'], modes: [0o700, 0o700], holders: [process.pid] });
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
	left(`${String(holder.pid)}.of-another`);
	const taken = open().request('shelf', () => Promise.resolve(holder.signalCode));
	await open().request('another', () => Promise.resolve());
	holder.kill('SIGKILL');
	expect(await taken).toBe('SIGKILL');
	expect(readdirSync(dirname(path))).toEqual([]);
});

test.each([
	['names no process', () => left('half', '-1')],
	['names nothing, as a power cut may leave it', () => left()],
	['is a file', () => (mkdirSync(dirname(path)), writeFileSync(`${path}.shelf.lock`, String(process.pid)))]
])('a lock that %s bars nobody', async (_, damage) => {
	damage();
	expect(await open().request('shelf', () => Promise.resolve('taken'))).toBe('taken');
	expect(readdirSync(dirname(path))).toEqual([]);
});

test('no two processes ever hold it, though each of them is killed with it in its hand', async () => {
	const program = join(folder, 'program', 'main.js');
	await build({
		...{ configFile: false, logLevel: 'error', ssr: { noExternal: true } },
		build: {
			ssr: true,
			rolldownOptions: { input: { main: join(import.meta.dirname, 'lock-process.ts') } },
			outDir: dirname(program),
			target: 'node20'
		}
	});
	writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
	const running = Array.from({ length: 6 }, () =>
		spawn(process.execPath, [program, path, join(folder, 'inside'), '25'], { stdio: ['pipe', 'ignore', 'pipe'] })
	);
	const ends = running.map(async (child) => {
		let said = '';
		child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
		await once(child, 'close');
		return said || child.signalCode;
	});
	await Promise.all(running.map((child) => once(child, 'spawn')));
	for (const child of running) child.stdin.end();
	expect(await Promise.all(ends)).toEqual(running.map(() => 'SIGKILL'));
	expect(await open().request('shelf', () => Promise.resolve('taken'))).toBe('taken');
	expect(readdirSync(dirname(path))).toEqual([]);
});

test('a disk that refuses the lock is told as such, and the action is not begun', async () => {
	writeFileSync(dirname(path), 'a file where the folder should be');
	let begun = false;
	const action = () => Promise.resolve((begun = true));
	expect(await codeOf(open().request('shelf', action))).toBe('shelf_unwritable');
	expect(begun).toBe(false);
	expect(readdirSync(folder)).toEqual(['deep']);
});
