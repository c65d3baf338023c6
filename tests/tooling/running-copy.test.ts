import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { copyToRun } from '#tooling/running-copy.js';
import { temporaryFolder } from '../hosts/temporary-folder.ts';

async function builtFolder(): Promise<string> {
	const root = await temporaryFolder();
	for (const part of ['host', 'kit']) {
		await mkdir(join(root, 'build', part), { recursive: true });
		await writeFile(join(root, 'build', part, 'main.js'), 'first');
	}
	return root;
}

test('a server keeps its files when the folder is built again', async () => {
	const root = await builtFolder();
	const own = copyToRun(root);
	// As builds do it.
	await rm(join(root, 'build/kit/main.js'));
	await writeFile(join(root, 'build/kit/main.js'), 'second');
	expect(await readFile(join(own, 'build/kit/main.js'), 'utf8')).toBe('first');
	const exits = process.listeners('exit');
	exits.at(-1)?.(0);
	expect(await readdir(join(root, 'build/running'))).toEqual([]);
});

test('a start deletes the copies of processes that were killed, and no others', async () => {
	const root = await builtFolder();
	const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
	onTestFinished(() => void child.kill());
	const killed = spawn(process.execPath, ['-e', '']);
	await once(killed, 'exit');
	for (const { pid } of [child, killed]) await mkdir(join(root, 'build/running', String(pid)), { recursive: true });
	copyToRun(root);
	expect(new Set(await readdir(join(root, 'build/running')))).toEqual(
		new Set([String(child.pid), String(process.pid)])
	);
});
