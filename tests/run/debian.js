// Installs what tests need from Debian's packages.
import { spawnSync } from 'node:child_process';
import { run } from './process.js';

/**
 * Whether this machine can run a program.
 * @param {string} program
 * @param {string} [version] the argument that prints its version
 */
export function canRun(program, version = '--version') {
	return spawnSync(program, [version], { timeout: 20_000, stdio: 'ignore' }).status === 0;
}

/**
 * Installs packages where that is possible: as root, on Debian. Their services are not started. Prints why one is not installed.
 * @param {...string} names
 */
export async function installPackages(...names) {
	if (process.getuid?.() !== 0 || !canRun('apt-get')) return;
	console.log(`Installing Debian's packages ${names.join(', ')} …`);
	/** @param {string[]} args */
	const aptGet = async (...args) => {
		const env = { DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
		const { code, output } = await run('apt-get', ['-qy', ...args], 15, { env });
		if (code !== 0) console.warn(`${output}\napt-get ${args.join(' ')} failed.`);
	};
	await aptGet('update');
	// One by one: a package that this Debian does not have would keep the others from being installed.
	for (const name of names) await aptGet('install', '--no-install-recommends', name);
}
