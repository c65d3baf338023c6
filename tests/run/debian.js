// Installs what tests need from Debian's packages.
import { spawnSync } from 'node:child_process';

/**
 * Whether this machine can run a program.
 * @param {string} program
 * @param {string} [version] the argument that prints its version
 */
export function canRun(program, version = '--version') {
	return spawnSync(program, [version], { timeout: 20_000, stdio: 'ignore' }).status === 0;
}

/**
 * Installs packages where that is possible: as root, on Debian. Their services are not started.
 * @param {...string} names
 */
export function installPackages(...names) {
	if (process.getuid?.() !== 0 || !canRun('apt-get')) return;
	console.log(`Installing Debian's packages ${names.join(', ')} …`);
	const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
	spawnSync('apt-get', ['update', '-q'], { stdio: 'inherit', env });
	spawnSync('apt-get', ['install', '-qy', '--no-install-recommends', ...names], { stdio: 'inherit', env });
}
