import { expect, it } from 'vitest';
import { run } from './process.js';

it.skipIf(process.platform === 'win32')(
	'ends what a program leaves running, and returns its own exit code',
	async () => {
		const left = "const { spawn } = require('node:child_process');";
		const sleep = "spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' })";
		const program = `${left} const child = ${sleep}; console.log(child.pid); process.exit(3);`;
		const { code, output } = await run(process.execPath, ['-e', program], 0.2);
		expect(code).toBe(3);
		// Signal 0 only asks whether the process exists.
		await expect.poll(() => isRunning(Number(output))).toBe(false);
	}
);

function isRunning(pid: number): boolean {
	try {
		return process.kill(pid, 0);
	} catch {
		return false;
	}
}
